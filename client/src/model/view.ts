/** `view(state, now)`: everything that HUD, boards and scene show at a moment. Derived, never stored. */

import type { AreaTerms, CoupDealt, Roads, Settled } from '../wire/events';
import { type BetFace, betFace, type ButtonName, type Buttons, buttons, type Why, whys } from './buttons';
import { lying, startsAnew } from './former';
import { type Moment, moment, momentKey, type Phase } from './moment';
import { type Banner, banner, phaseNote, phaseTitle } from './speech';
import type { Say } from './say';
import { othersOn, ownStakes, type Result, resultOn, settledNow, winMinor } from './stakes';
import { type Area, AREAS, type Notice, type State, sum } from './state';
import type { HandShown } from './timeline';

export interface AreaView {
  readonly area: Area;
  readonly mineMinor: number;
  readonly placed: boolean;
  /** What lies there is the bet of the coup before: nothing of it is at stake, and the first chip takes its place. */
  readonly old: boolean;
  /** With the call of the result. */
  readonly result: Result | null;
  /** What came beyond the stake, once it is paid. */
  readonly winMinor: number;
  /** What the server has returned for this area, known from the deal on; for the scene, which pays at its moment. */
  readonly returnedMinor: number | null;
  readonly othersMinor: number;
  /** The same, while the chips are being cleared away. */
  readonly othersLeavingMinor: number;
  readonly minMinor: number;
  readonly maxMinor: number;
}

export interface ClockView {
  readonly seconds: number;
  /** Parts of the whole ring: what is left, and what is after the close. */
  readonly share: number;
  readonly closedShare: number;
  readonly tone: 'open' | 'closing' | 'zero';
}

/** What kind of game is played here, as its profile says. */
export interface Game {
  readonly table: string;
  readonly profile: string;
  readonly seats: 'many' | 'one';
  /** Betting closes by time. */
  readonly clock: boolean;
  /** The word on the button that bets. */
  readonly start: 'bet' | 'deal';
  readonly shoe: 'kept' | 'every_round';
  readonly reveal: 'hands' | 'as_dealt';
  readonly dealer: string;
  readonly felts: readonly string[];
  readonly buttons: readonly ('undo' | 'clear' | 'double' | 'rebet' | 'rebet_x2')[];
  readonly options: readonly ('fast_play' | 'rebet_and_deal')[];
}

export interface View {
  readonly key: string;
  /** null until the table has said what it is. */
  readonly game: Game | null;
  readonly phase: Phase;
  readonly link: State['link']['status'];
  readonly latencyMs: number | null;
  readonly tableName: string;
  readonly profile: string;
  readonly felt: string;
  readonly decks: number;
  readonly chipsMinor: readonly number[];
  readonly shoe: number;
  readonly coup: number;
  readonly cardsLeft: number;
  readonly title: Say;
  readonly note: Say | null;
  /** What the dealer says, and since when; 0 while nothing is said. */
  readonly call: readonly Say[];
  readonly callUtcMs: number;
  /** Moments of this coup: bets open, no more bets, the deal; null where there is no clock. */
  readonly opensUtcMs: number | null;
  readonly closesUtcMs: number | null;
  readonly dealsUtcMs: number | null;
  /** When this shoe was brought; null: long ago. */
  readonly newShoeUtcMs: number | null;
  readonly clock: ClockView;
  readonly areas: Readonly<Record<Area, AreaView>>;
  /** The areas that this table has, in the order of the table; all of them while nobody knows. */
  readonly laid: readonly Area[];
  /** Limits and payouts of every area, as the server names them. */
  readonly terms: readonly AreaTerms[];
  readonly player: HandShown;
  readonly banker: HandShown;
  readonly winner: Area | null;
  readonly natural: boolean;
  readonly banner: Banner | null;
  /** The coup whose cards lie there: the running one, else the one before where its cards stay. */
  readonly deal: CoupDealt | null;
  /** The coup before while it is swept away, with the `clear` gesture that does it. */
  readonly leaving: CoupDealt | null;
  /** Cards and chips have left the table. */
  readonly cleared: boolean;
  readonly roads: Roads;
  readonly balanceMinor: number | null;
  readonly stakeMinor: number;
  readonly lastWinMinor: number;
  readonly canRefill: boolean;
  /** The last bet, as long as it stays in sight at a table without a clock: it is what Rebet would repeat. */
  readonly lastBet: { readonly stakes: Readonly<Record<string, number>>; readonly totalMinor: number } | null;
  readonly buttons: Buttons;
  /** Each button's reason with the facts for its words. */
  readonly why: Readonly<Record<ButtonName, Why | null>>;
  /** The patron did not wait for the gestures of this coup. */
  readonly skipped: boolean;
  readonly bet: { readonly face: BetFace; readonly amountMinor: number };
  readonly automatic: boolean;
  readonly closesAtSeconds: number;
  readonly notice: Notice | null;
  /** The patron's bet of the last coup, once it has been paid in sight. */
  readonly ended: { readonly coup: number; readonly netMinor: number; readonly untilUtcMs: number } | null;
}

export function view(state: State, nowUtcMs: number, at: Moment = moment(state, nowUtcMs)): View {
  const { shown } = at;
  const cleared = shown.cleared || state.voided !== null;
  const settled = settledNow(state);
  const lies = lying(state);
  const [deal, ended] = lies === null ? [state.dealt, settled] : [lies.dealt, lies.settled];
  const waits = settled !== null && !shown.paid;
  const held = waits ? settled.balance_minor - settled.balance_before_minor : 0;
  const lastWin = state.settled === null || waits ? 0 : winMinor(state.settled);
  return {
    key: momentKey(at),
    game: game(state),
    phase: at.phase,
    link: state.link.status,
    latencyMs: state.link.latencyMs,
    tableName: state.terms?.name ?? '',
    profile: state.terms?.profile ?? '',
    felt: state.terms?.felt ?? 'emerald',
    decks: state.terms?.decks ?? 8,
    chipsMinor: chips(state),
    shoe: state.shoe,
    coup: state.opened?.coup ?? 0,
    cardsLeft: cardsLeft(state, at),
    title: phaseTitle(state, at),
    note: phaseNote(state, at),
    call: at.call?.says ?? [],
    callUtcMs: at.call?.atUtcMs ?? 0,
    opensUtcMs: state.opened?.opened_utc_ms ?? null,
    closesUtcMs: state.opened?.closes_utc_ms ?? null,
    dealsUtcMs: state.opened?.deals_utc_ms ?? null,
    newShoeUtcMs: state.newShoeUtcMs,
    clock: clock(at),
    laid: laid(state),
    terms: termsOf(state),
    areas: { player: areaView(state, at, 'player'), tie: areaView(state, at, 'tie'), banker: areaView(state, at, 'banker') },
    player: cleared ? { cards: [], points: null } : at.table.player,
    banker: cleared ? { cards: [], points: null } : at.table.banker,
    winner: cleared ? null : at.table.winner,
    natural: at.table.natural,
    banner: at.bannerUp && deal !== null ? banner(deal, ended, at.table) : null,
    deal,
    leaving: state.former !== null && lies === null ? state.former.dealt : null,
    cleared,
    roads: state.dealt !== null && shown.winner === null ? state.roadsBefore : state.roads,
    balanceMinor: state.balanceMinor === null ? null : state.balanceMinor - held,
    stakeMinor: cleared ? 0 : ownStakes(state).total,
    lastWinMinor: lastWin || (state.earlierWinMinor ?? 0),
    canRefill: state.canRefill && !waits,
    lastBet: lastBet(state),
    buttons: buttons(state, at),
    why: whys(state, at),
    skipped: state.skipped !== null && state.skipped.coup === state.dealt?.coup,
    bet: betFace(state, at),
    automatic: state.receipt?.automatic ?? false,
    closesAtSeconds: at.secondsClosed,
    notice: state.notice,
    ended: settled === null || waits || state.dealt === null ? null : endedOf(settled, state.dealt),
  };
}

const endedOf = (settled: Settled, { shown_until_utc_ms }: CoupDealt): View['ended'] => ({
  coup: settled.coup,
  netMinor: settled.returned_minor - settled.staked_minor,
  untilUtcMs: shown_until_utc_ms,
});

/** The same view object as long as nothing to be seen has changed. */
export function viewer(): (state: State, nowUtcMs: number) => View {
  let last: { state: State; view: View } | null = null;
  return (state, nowUtcMs) => {
    const at = moment(state, nowUtcMs);
    if (last === null || last.state !== state || last.view.key !== momentKey(at)) {
      last = { state, view: view(state, nowUtcMs, at) };
    }
    return last.view;
  };
}

function areaView(state: State, at: Moment, area: Area): AreaView {
  const lies = lying(state);
  const own = ownStakes(state);
  const ended = lies === null ? settledNow(state) : lies.settled;
  const stake = (lies === null ? own.stakes : (ended?.stakes ?? {}))[area] ?? 0;
  const returned = ended === null ? null : (ended.returned[area] ?? 0);
  const terms = termsOf(state).find((one) => one.area === area);
  return {
    area,
    mineMinor: stake,
    placed: own.placed || lies !== null,
    old: lies !== null && stake > 0,
    result: ended !== null && at.table.winner !== null ? resultOn(ended, area) : null,
    winMinor: at.table.paid && returned !== null ? Math.max(0, returned - stake) : 0,
    returnedMinor: returned,
    othersMinor: at.shown.cleared ? 0 : othersOn(state, area),
    othersLeavingMinor: at.shown.cleared ? othersOn(state, area) : 0,
    minMinor: terms?.min_minor ?? 0,
    maxMinor: terms?.max_minor ?? 0,
  };
}

function lastBet(state: State): View['lastBet'] {
  const total = sum(state.lastStakes);
  if (state.terms?.clock !== false || total === 0 || state.locked !== null || state.dealt !== null) return null;
  const goesOn = ownStakes(state).total > 0 || Object.values(state.pending).some(startsAnew);
  return goesOn ? null : { stakes: state.lastStakes, totalMinor: total };
}

function game({ terms }: State): Game | null {
  if (terms === null) return null;
  const { table, profile, clock, dealer, felts } = terms;
  return {
    table,
    profile,
    clock,
    dealer,
    felts,
    seats: terms.seats as Game['seats'],
    start: terms.start as Game['start'],
    shoe: terms.shoe as Game['shoe'],
    reveal: terms.reveal as Game['reveal'],
    buttons: terms.buttons as Game['buttons'],
    options: terms.options as Game['options'],
  };
}

function laid(state: State): readonly Area[] {
  const terms = termsOf(state);
  return terms.length === 0 ? AREAS : AREAS.filter((area) => terms.some((one) => one.area === area));
}

const termsOf = (state: State): readonly AreaTerms[] => state.opened?.areas ?? state.terms?.areas ?? [];

/** Chips of the rail: none above every MAX. */
function chips(state: State): readonly number[] {
  const areas = termsOf(state).filter((one) => (AREAS as readonly string[]).includes(one.area));
  const most = Math.max(0, ...areas.map((one) => one.max_minor));
  return (state.terms?.chips_minor ?? []).filter((chip) => chip <= most);
}

/** Cards in the shoe as seen: each draw takes one out. */
function cardsLeft(state: State, at: Moment): number {
  if (state.dealt === null || state.opened === null) return state.cardsLeft;
  return at.shown.winner === null ? state.opened.cards_left : state.dealt.cards_left;
}

function clock(at: Moment): ClockView {
  const whole = Math.max(1, at.secondsInAll);
  const tone = at.secondsLeft === 0 ? 'zero' : at.secondsLeft <= at.secondsClosed * 2 ? 'closing' : 'open';
  return { seconds: at.secondsLeft, share: at.secondsLeft / whole, closedShare: at.secondsClosed / whole, tone };
}
