// Generated from src/bigroad/wire by `make gen`. Do not edit.

export const SUBPROTOCOL = "bigroad.v1";
export const TICKET_PREFIX = "bigroad.ticket.";

/** The caller's account; a guest has none, and no sessions in the list. `one_time`: the password is the operator's and ends soon. `idle_s` and `absolute_s`: how long a session lasts unused, and at the longest. */
export interface Account {
  registered: boolean;
  name: string;
  registered_utc_ms: number | null;
  one_time: boolean;
  sessions: AccountSession[];
  idle_s: number;
  absolute_s: number;
}

/** A session of an account. `id` names it and opens nothing; `device` is what the browser calls itself, such as "Firefox, Linux", empty where it says nothing; `current`: the one that asks. */
export interface AccountSession {
  id: string;
  device: string;
  begun_utc_ms: number;
  seen_utc_ms: number;
  current: boolean;
}

/** `AreaTerms` as an array: everybody gets one of each area for every coup. */
export type AreaRow = [area: string, min_minor: number, max_minor: number, pays_numerator: number, pays_denominator: number, commission_bps: number];

/** Limits and odds of one betting area, frozen for the coup. Pays `pays_numerator` : `pays_denominator`. */
export interface AreaTerms {
  area: string;
  min_minor: number;
  max_minor: number;
  pays_numerator: number;
  pays_denominator: number;
  commission_bps: number;
}

/** What a win of one side would add to big eye boy, small road and cockroach road: red, blue or null. */
export interface Ask {
  big_eye_boy: string | null;
  small_road: string | null;
  cockroach_road: string | null;
}

/** `Ask` as an array. */
export type AskRow = [big_eye_boy: string | null, small_road: string | null, cockroach_road: string | null];

/** Money moved outside the table. reason: refill. */
export interface BalanceChanged {
  type: "balance";
  balance_minor: number;
  reason: string;
}

/** No more bets: what was accepted is exactly this. */
export interface BetsLocked {
  type: "bets_locked";
  table: string;
  epoch: number;
  seq: number;
  at_utc_ms: number;
  coup: number;
  deals_utc_ms: number;
  totals: Record<string, number>;
  bettors: number;
}

/** Marks of the five boards. */
export interface Boards {
  bead_plate: Mark[];
  big_road: Mark[];
  big_eye_boy: Mark[];
  small_road: Mark[];
  cockroach_road: Mark[];
}

/** `Boards` as an array. */
export type BoardsRow = [bead_plate: Mark[], big_road: Mark[], big_eye_boy: Mark[], small_road: Mark[], cockroach_road: Mark[]];

/** Take back every staged chip. Answer: `staged`. */
export interface Clear {
  type: "clear";
  request_id: string;
  coup: number;
}

/** The cards go to the discard holder. */
export type ClearRow = [act: "clear", at_ms: number, dur_ms: number];

/** Losing chips are taken. */
export type CollectRow = [act: "collect", at_ms: number, dur_ms: number];

/** How the coups of a shoe went. */
export interface Counts {
  coups: number;
  banker: number;
  player: number;
  tie: number;
  natural: number;
  player_pair: number;
  banker_pair: number;
}

/** `Counts` as an array. */
export type CountsRow = [coups: number, banker: number, player: number, tie: number, natural: number, player_pair: number, banker_pair: number];

/** A dealt coup, as everybody saw it. Cards are two characters, rank and suit. */
export interface CoupCards {
  coup: number;
  dealt_utc_ms: number;
  outcome: string;
  player_cards: string[];
  banker_cards: string[];
  player_points: number;
  banker_points: number;
  natural: boolean;
  player_pair: boolean;
  banker_pair: boolean;
}

/** The coup, whole, with the timeline that every page plays from `deals_utc_ms`. `seed` (hex) opens the commitment. `burned` is filled in the first coup of a shoe. `cards_left` counts after it. */
export interface CoupDealt {
  type: "coup_dealt";
  table: string;
  epoch: number;
  seq: number;
  at_utc_ms: number;
  coup: number;
  shoe: number;
  deals_utc_ms: number;
  shown_until_utc_ms: number;
  player_cards: string[];
  banker_cards: string[];
  player_points: number;
  banker_points: number;
  natural: boolean;
  outcome: string;
  player_pair: boolean;
  banker_pair: boolean;
  burned: string[];
  cards_left: number;
  seed: string;
  timeline: (DrawRow | TurnRow | ResultRow | CollectRow | PayRow | ClearRow)[];
  roads: RoadsRow;
}

/** Betting is open until `closes_utc_ms`; cards fall at `deals_utc_ms`. Both are null at a table without a clock: there the patron's bet closes betting and brings the cards. `commitment` is the SHA-256 (hex) of the seed that the cards will be drawn with. `areas` is null where the rules are those of the coup before; in a snapshot and in records it is always there. */
export interface CoupOpened {
  type: "coup_opened";
  table: string;
  epoch: number;
  seq: number;
  at_utc_ms: number;
  coup: number;
  shoe: number;
  opened_utc_ms: number;
  closes_utc_ms: number | null;
  deals_utc_ms: number | null;
  commitment: string;
  cards_left: number;
  last_of_shoe: boolean;
  areas: AreaRow[] | null;
}

/** A dealt coup as it was told, to be shown again. `settled`: how the caller's bet ended, null without one. `dealt` has an empty `roads`, and neither number nor epoch (0), as in `opened`. Gestures are never the fast ones. */
export interface CoupRecord {
  terms: TableTerms;
  opened: CoupOpened;
  dealt: CoupDealt;
  settled: Settled | null;
}

/** The coup is not dealt; every stake of it is back. reason: late (the table was away over the close), rules (the table's rules were changed, and nobody had bet). `seed` (hex) opens the commitment all the same, so that anyone can see what was not dealt. */
export interface CoupVoided {
  type: "coup_voided";
  table: string;
  epoch: number;
  seq: number;
  at_utc_ms: number;
  coup: number;
  reason: string;
  seed: string;
}

/** A name to sign in with and a password. */
export interface Credentials {
  name: string;
  password: string;
}

/** Stage on each area as much again as lies there; refused whole if any limit would be passed. Answer: `staged`. */
export interface Double {
  type: "double";
  request_id: string;
  coup: number;
}

/** A card leaves the shoe and comes to its place. `at_ms` counts from `deals_utc_ms`, here and in the others; `card` is 0, 1, 2 for the Player's first, second and third card, and 3, 4, 5 for the Banker's. */
export type DrawRow = [act: "draw", at_ms: number, dur_ms: number, card: number];

/** One coup that the patron bet on. `outcome`, points and cards are empty while it runs; `state` as the ledger names it. `net_minor` is what came back less the stake, 0 while the coup runs. `balance_before_minor` is what there was to bet with just before this bet, `balance_after_minor` just after its return; null where that was not kept. */
export interface HistoryCoup {
  table: string;
  table_name: string;
  profile: string;
  coup: number;
  state: string;
  automatic: boolean;
  at_utc_ms: number;
  dealt_utc_ms: number | null;
  outcome: string | null;
  player_cards: string[];
  banker_cards: string[];
  player_points: number | null;
  banker_points: number | null;
  stakes: Record<string, number>;
  returned: Record<string, number>;
  staked_minor: number;
  returned_minor: number;
  net_minor: number;
  balance_before_minor: number | null;
  balance_after_minor: number | null;
}

/** Some of the patron's coups, newest first. `next`: what `before` is to be for the following ones; null at the end. */
export interface HistoryPage {
  coups: HistoryCoup[];
  next: string | null;
}

/** One mark of a board: `[row, col, colour, ties, coup, pairs]`. row 0 is the top; colour is red, blue, green or null (ties waiting for the first winner); ties counts the ties on a big-road cell; coup is the coup that made the mark (0 on derived roads); pairs is 1 for a Player pair, 2 for a Banker pair, 3 for both (bead plate only). */
export type Mark = [row: number, col: number, colour: string | null, ties: number, coup: number, pairs: number];

/** The caller's seat at a table for one patron. state: free, waits (a coup with the caller's bet is under way). */
export interface OwnSeat {
  state: string;
  coup: number;
}

/** The password until now, and the one from now on. */
export interface PasswordChange {
  old: string;
  new: string;
}

/** The patron as the patron is named. */
export interface Patron {
  patron_id: number;
  nickname: string;
}

/** Winning chips are paid. */
export type PayRow = [act: "pay", at_ms: number, dur_ms: number];

/** A limit that is to be higher, or gone (null). It can be confirmed from `ready_utc_ms` on, and taken back at any time; until it is confirmed the limit stays as it is. */
export interface PendingLimit {
  amount_minor: number | null;
  ready_utc_ms: number;
}

/** Ask for the server's time. `client_ms`, whole milliseconds of the page's own, comes back untouched. Answer: `pong`. */
export interface Ping {
  type: "ping";
  request_id: string;
  client_ms: number;
}

/** One limit in force. `spent_minor`: lost on balance (below 0: won), or staked, stakes under way included; `left_minor`: what may still be staked. At `until_utc_ms` it begins anew. */
export interface PlayLimit {
  rule: "loss_day" | "loss_week" | "loss_month" | "stake_day" | "stake_week" | "stake_month";
  amount_minor: number;
  spent_minor: number;
  left_minor: number;
  until_utc_ms: number;
  pending: PendingLimit | null;
}

/** The server's time when it answered. */
export interface Pong {
  type: "pong";
  request_id: string;
  client_ms: number;
  server_utc_ms: number;
}

/** What a patron has chosen for the page; what was not chosen is left out. `changedUtcMs`: when, by the page's clock; 0 for never. */
export interface Preferences {
  changedUtcMs: number;
  quality?: "auto" | "flat" | "high" | "low" | "medium";
  cameraMoves?: boolean;
  motion?: "full" | "reduced" | "system";
  captions?: boolean;
  largeCards?: boolean;
  shapes?: boolean;
  felt?: string | null;
  language?: string;
  fastPlay?: boolean;
  rebetAndDeal?: boolean;
  volumes?: Volumes;
  muted?: boolean;
  sessionClock?: boolean;
  realityCheckMinutes?: number;
}

/** How many patrons sit here now. */
export interface Presence {
  type: "presence";
  patrons: number;
}

/** The one shape of every error of the API. */
export interface Problem {
  code: string;
  message: string;
  facts: Record<string, number | string>;
}

/** What protects the patron now. `limits`: those that are set. Time-out and exclusion: their ends, null where there is none. `changes`: the latest, newest first. */
export interface Protection {
  server_utc_ms: number;
  limits: PlayLimit[];
  time_out_until_utc_ms: number | null;
  excluded_until_utc_ms: number | null;
  excluded_for_good: boolean;
  changes: ProtectionChange[];
}

/** One change, as it is kept. `rule` is null for time-outs and exclusions, whose `old` and `new` are their ends in UTC milliseconds, 0 for none, 9007199254740991 for one without an end; else they are amounts, null for no limit. `from_utc_ms`: when it holds, or can be confirmed. */
export interface ProtectionChange {
  act: "set" | "asked" | "confirmed" | "taken_back" | "time_out" | "excluded";
  rule: "loss_day" | "loss_week" | "loss_month" | "stake_day" | "stake_week" | "stake_month" | null;
  old: number | null;
  new: number | null;
  at_utc_ms: number;
  from_utc_ms: number;
}

/** Stage the patron's last bet at this table, `times` times over, refused whole or taken whole. Answer: `staged`. At a table with a clock it goes on top of what lies there, elsewhere it takes the place of it. With `submit` it is the bet of this coup at once, as by `submit`, in one step. Answer then: `receipt`. `fast` as in `submit`. */
export interface Rebet {
  type: "rebet";
  request_id: string;
  coup: number;
  times?: number;
  submit?: boolean;
  fast?: boolean;
}

/** The patron's one bet of this coup, booked. `automatic`: submitted by the server at the close. `request_id` is null when no command asked for it. `balance_minor` is what is left to bet with. */
export interface Receipt {
  type: "receipt";
  request_id: string | null;
  coup: number;
  bet_seq: number;
  automatic: boolean;
  stakes: Record<string, number>;
  total_minor: number;
  balance_minor: number;
  at_utc_ms: number;
}

/** Nothing was changed. `code` is stable; `facts` fill the words. `automatic`: the server's own submission at the close was refused, and the staged chips came back. `ref` finds it in the server's log. */
export interface Refused {
  type: "refused";
  request_id: string | null;
  coup: number | null;
  code: string;
  facts: Record<string, number | string>;
  automatic: boolean;
}

/** The result is called. */
export type ResultRow = [act: "result", at_ms: number, dur_ms: number];

/** Boards of a shoe: whole in a snapshot; in `coup_dealt` only the marks that this coup added or changed. A changed mark has the place of the one it replaces. `anew`: these marks are all there are, and those drawn before are gone; where every coup has its own shoe the boards follow the last 80 coups. */
export interface Roads {
  boards: Boards;
  counts: Counts;
  if_banker: Ask;
  if_player: Ask;
  anew: boolean;
}

/** `Roads` as an array, of what one coup added or changed. */
export type RoadsRow = [boards: BoardsRow, counts: CountsRow, if_banker: AskRow, if_player: AskRow, anew: boolean];

/** Who the caller is. `created`: this call made a new guest. `registered`: the patron has an account. */
export interface Session {
  patron: Patron;
  balance_minor: number;
  can_refill: boolean;
  created: boolean;
  server_utc_ms: number;
  registered: boolean;
}

/** This socket closes next. reason: too_slow; stopping; session_ended (signed out, here or elsewhere: do not come back with this cookie). */
export interface SessionEnded {
  type: "session";
  reason: string;
}

/** How the patron's bet ended; `returned` includes the stake. For a voided coup `outcome` is null. `balance_before_minor` is the balance without the returns, to be shown until the timeline pays. */
export interface Settled {
  type: "settled";
  coup: number;
  outcome: string | null;
  stakes: Record<string, number>;
  returned: Record<string, number>;
  staked_minor: number;
  returned_minor: number;
  balance_before_minor: number;
  balance_minor: number;
}

/** A fresh shoe is on the table; the boards start anew. Its burn is part of its first `coup_dealt`. */
export interface ShoeChanged {
  type: "shoe_changed";
  table: string;
  epoch: number;
  seq: number;
  at_utc_ms: number;
  shoe: number;
  decks: number;
}

/** One shoe of a table: its boards and its coups, oldest first. `current` is the shoe on the table now; shoes are numbered from 1 without holes. */
export interface ShoeRecord {
  table: string;
  shoe: number;
  current: number;
  roads: Roads;
  coups: CoupCards[];
}

/** How long the patron has been playing, and what came of it: stakes and returns of coups whose results have been shown at `server_utc_ms`. Half an hour away ends it. */
export interface Sitting {
  server_utc_ms: number;
  started_utc_ms: number;
  staked_minor: number;
  returned_minor: number;
  net_minor: number;
}

/** The table as it stands after event `seq`. A page that gets one forgets what it knew of the table. `roads` are the boards before `dealt`, whose own marks travel in it. */
export interface Snapshot {
  type: "snapshot";
  table: string;
  epoch: number;
  seq: number;
  shoe: number;
  cards_left: number;
  opened: CoupOpened | null;
  locked: BetsLocked | null;
  dealt: CoupDealt | null;
  voided: CoupVoided | null;
  closed: TableClosed | null;
  roads: Roads;
  totals: Totals;
  patrons: number;
}

/** Put chips worth `amount_minor` on `area`. Free to take back until the bet is submitted. Answer: `staged`. */
export interface Stage {
  type: "stage";
  request_id: string;
  coup: number;
  area: string;
  amount_minor: number;
}

/** What lies staged now. `steps` are the acts that `unstage` takes back one by one, oldest first. */
export interface Staged {
  type: "staged";
  request_id: string | null;
  coup: number;
  steps: Record<string, number>[];
  stakes: Record<string, number>;
  total_minor: number;
}

/** BET: the staged chips become the patron's one bet of this coup, for good. Answer: `receipt`. At a table without a clock it is DEAL: the coup is locked and dealt at once. `fast` asks there for a timeline of less than 1.5 seconds; at a table with a clock it says nothing. */
export interface Submit {
  type: "submit";
  request_id: string;
  coup: number;
  fast?: boolean;
}

/** The table has stopped. reason: stopping (the server goes down in good order), broken (an invariant failed), taken_over (another server runs the table now), restored (the database is older than what was published, and the operator has not said yes to that). */
export interface TableClosed {
  type: "table_closed";
  table: string;
  epoch: number;
  seq: number;
  at_utc_ms: number;
  reason: string;
}

/** One table of the lobby. phase: betting, closing, dealing, closed. `patrons`: how many sit there now. `counts` and `big_road` are those of the shoe on the table, `big_road` its last 40 columns with the first of them numbered 0. At a table for one patron coup, phase, counts and road are the caller's own, and nothing without a cookie; `own` is null elsewhere. */
export interface TableRow {
  terms: TableTerms;
  phase: string;
  coup: number;
  closes_utc_ms: number | null;
  deals_utc_ms: number | null;
  patrons: number;
  counts: Counts;
  big_road: Mark[];
  own: OwnSeat | null;
}

/** What a table is: its profile with whatever the table changes of it. `chips_minor` ascend; `felt` and `dealer` choose its looks, `felts` are those a patron may choose instead. `seats`: many (everybody plays the same coup), one (each patron has coups of their own). `clock`: betting closes by time; without one `betting_ms` and `closing_ms` are 0. `shoe`: kept, every_round. `reveal`: hands, as_dealt. `start`: the word on the button that bets: bet, deal. `buttons`: which others there are: undo, clear, double, rebet, rebet_x2. `options`: what the game's own settings offer: fast_play, rebet_and_deal. */
export interface TableTerms {
  table: string;
  name: string;
  profile: string;
  felt: string;
  dealer: string;
  decks: number;
  chips_minor: number[];
  betting_ms: number;
  closing_ms: number;
  areas: AreaTerms[];
  felts: string[];
  seats: string;
  clock: boolean;
  shoe: string;
  reveal: string;
  start: string;
  buttons: string[];
  options: string[];
}

/** Lets the caller's session open one socket, within `valid_ms`. It is shown as a second subprotocol. `page`: the script that this server's page begins with; one that began with another is of another version. */
export interface Ticket {
  ticket: string;
  valid_ms: number;
  page: string;
}

/** Submitted stakes of everybody, per area. Includes every bet whose `bet_seq` is at most this one. */
export interface Totals {
  type: "totals";
  coup: number;
  bet_seq: number;
  totals: Record<string, number>;
  bettors: number;
}

/** A card's face is shown; `points` is the total of the hand's open cards then. */
export type TurnRow = [act: "turn", at_ms: number, dur_ms: number, card: number, points: number];

/** Take back the last staged step (a chip, a double, a rebet). Answer: `staged`. */
export interface Unstage {
  type: "unstage";
  request_id: string;
  coup: number;
}

/** Each from 0 to 1. */
export interface Volumes {
  effects?: number;
  voice?: number;
  room?: number;
}

/** First on every socket. */
export interface Welcome {
  type: "welcome";
  patron: Patron;
  terms: TableTerms;
  server_utc_ms: number;
}

/** The patron's own side of the table, whole; after every snapshot or resumed tail. `balance_minor` is what is left to bet with (staged chips are still in it, submitted ones are not). */
export interface You {
  type: "you";
  coup: number;
  balance_minor: number;
  staged: Staged;
  receipt: Receipt | null;
  settled: Settled | null;
  last_stakes: Record<string, number>;
  can_refill: boolean;
}

export type ClientMessage = Clear | Double | Ping | Rebet | Stage | Submit | Unstage;

export type TableCommand = Clear | Double | Rebet | Stage | Submit | Unstage;

export type PublicEvent = BetsLocked | CoupDealt | CoupOpened | CoupVoided | ShoeChanged | TableClosed;

export type VolatileEvent = Presence | Totals;

export type PrivateEvent = BalanceChanged | Pong | Receipt | Refused | SessionEnded | Settled | Snapshot | Staged | Welcome | You;

export type ServerEvent = BalanceChanged | BetsLocked | CoupDealt | CoupOpened | CoupVoided | Pong | Presence | Receipt | Refused | SessionEnded | Settled | ShoeChanged | Snapshot | Staged | TableClosed | Totals | Welcome | You;

/** English words of every code; {name} is filled from the facts. */
export const WORDS = {
  UNKNOWN_AREA: "There is no area {area} at this table.",
  STALE_COUP: "That was for another round.",
  BETS_CLOSED: "No more bets. Betting had closed when yours arrived.",
  ALREADY_SUBMITTED: "Your bet is placed and stands until the next round.",
  NOTHING_STAGED: "Put chips on the table first.",
  NOTHING_TO_UNDO: "There is nothing to take back.",
  NOTHING_TO_REPEAT: "There is no earlier bet to repeat.",
  TOO_MANY_STEPS: "That is as many chips as the table keeps apart. Undo or clear some.",
  BELOW_MIN: "{area}: the minimum is {min_minor}.",
  ABOVE_MAX: "{area}: that would pass the maximum of {max_minor}.",
  BALANCE_TOO_LOW: "Your balance of {balance_minor} does not cover {total_minor}.",
  HOUSE_LIMIT: "The table cannot cover a bet that large now.",
  CONFLICT: "That request was used for something else before.",
  TABLE_CLOSED: "The table is closed.",
  LOSS_LIMIT: "That could pass your loss limit of {limit_minor} a {period}. Left to bet: {left_minor}.",
  STAKE_LIMIT: "That would pass your stake limit of {limit_minor} a {period}. Left to bet: {left_minor}.",
  ON_A_BREAK: "You are taking a break until {until_utc_ms}.",
  SELF_EXCLUDED: "You have excluded yourself from play until {until_utc_ms}.",
  SELF_EXCLUDED_FOR_GOOD: "You have excluded yourself from play for good.",
  FRAME_TOO_LARGE: "A message may have at most {max_bytes} bytes.",
  NOT_JSON: "That message is not a JSON text.",
  BAD_MESSAGE: "That message has a wrong or missing field: {detail}.",
  UNKNOWN_MESSAGE: "There is no such message.",
  BAD_AMOUNT: "An amount is a whole number of minor units, one or more.",
  RATE_LIMITED: "Too many messages at once. Wait a moment.",
  UNKNOWN_TABLE: "There is no such table.",
  STORE_UNAVAILABLE: "The table cannot book bets at the moment. Nothing was taken.",
  INTERNAL: "Something went wrong on our side. Nothing was changed.",
  NO_SESSION: "Your visit has ended. Reload the page.",
  BAD_ORIGIN: "This page may not open a table here.",
  BAD_TICKET: "The ticket for this socket is used up, too old or another visit's.",
  TOO_MANY_SOCKETS: "Too many open tables from here.",
  TOO_MANY_GUESTS: "Too many new guests from here. Wait a moment.",
  TOO_MANY_CONNECTIONS: "Too many connections from here.",
  HOUSE_FULL: "The house is full at the moment.",
  HEADERS_TOO_LARGE: "The head of a request may have at most {max_bytes} bytes.",
  TOO_SLOW: "That request took too long to arrive.",
  NOT_FOUND: "There is nothing here.",
  METHOD_NOT_ALLOWED: "That cannot be done here.",
  BAD_REQUEST: "That request has a wrong or missing part.",
  REFILL_NOT_YET: "New chips come once a day, when the balance is below the minimum bet.",
  NOTHING_PENDING: "No change of that limit waits.",
  NOT_YET_READY: "That can be confirmed from {ready_utc_ms} on, not before.",
  STANDS_ALREADY: "What is running lasts until {until_utc_ms}, and nothing shortens it.",
  NAME_LENGTH: "A name has {min} to {max} characters.",
  NAME_CHARACTERS: "A name has letters and digits, with spaces or - _ . ' in between.",
  NAME_RESERVED: "That name is the house's own, or looks like one of its guests.",
  NAME_TAKEN: "Somebody has that name already, or one that looks like it.",
  PASSWORD_LENGTH: "A password has {min} to {max} characters.",
  PASSWORD_TOO_EASY: "That password is among the first that are tried. Choose another.",
  SIGN_IN_REFUSED: "That name and that password do not belong together.",
  TOO_MANY_TRIES: "Too many tries. Wait {wait_s} seconds.",
  SIGN_IN_BUSY: "Too many people are signing in at once. Try again in a moment.",
  TOO_MANY_ACCOUNTS: "Too many new accounts from here. Try again later.",
  ALREADY_REGISTERED: "You have an account already.",
  NOT_REGISTERED: "You play as a guest. Make an account first.",
} as const;

export type Code = keyof typeof WORDS;
