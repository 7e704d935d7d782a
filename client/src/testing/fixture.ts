/** Server events to try the page with: one table, one coup, one patron. Used by tests and by the HUD lab, not by the page. */

import type {
  BetsLocked,
  Boards,
  CoupDealt,
  CoupOpened,
  Gesture,
  Mark,
  Receipt,
  Roads,
  Settled,
  Snapshot,
  Staged,
  TableTerms,
  Welcome,
  You,
} from '../wire/events';

/** When the coup of the fixture opens. */
export const OPENED = 1_700_000_000_000;
export const CLOSES = OPENED + 50_000;
export const DEALS = OPENED + 60_000;
export const COUP = 75;
export const EPOCH = 3;

const AREAS = (
  [
    ['player', 1, 0],
    ['banker', 1, 500],
    ['tie', 8, 0],
  ] as const
).map(([area, pays_numerator, commission_bps]) => ({
  area,
  min_minor: 2_000,
  max_minor: 2_500_000,
  pays_numerator,
  pays_denominator: 1,
  commission_bps,
}));

export const TERMS: TableTerms = {
  table: 'emerald',
  name: 'Emerald Room',
  profile: 'multiplayer-deluxe',
  felt: 'emerald',
  dealer: 'dealer',
  decks: 8,
  chips_minor: [2_000, 10_000, 50_000, 100_000, 500_000, 2_500_000],
  betting_ms: 50_000,
  closing_ms: 10_000,
  areas: AREAS,
  felts: ['emerald', 'midnight'],
  seats: 'many',
  clock: true,
  shoe: 'kept',
  reveal: 'hands',
  start: 'bet',
  buttons: ['undo', 'clear', 'double', 'rebet'],
  options: [],
};

/** The same table for one patron. */
export const TERMS_FOR_ONE: TableTerms = {
  ...TERMS,
  profile: 'three-d',
  decks: 6,
  betting_ms: 0,
  closing_ms: 0,
  seats: 'one',
  clock: false,
  shoe: 'every_round',
  start: 'deal',
  buttons: ['rebet', 'rebet_x2'],
  options: ['fast_play', 'rebet_and_deal'],
};

const head = (seq: number) => ({ table: 'emerald', epoch: EPOCH, seq, at_utc_ms: OPENED });

export const welcome: Welcome = {
  type: 'welcome',
  patron: { patron_id: 7, nickname: 'Guest 7' },
  terms: TERMS,
  server_utc_ms: OPENED,
};

export const opened = (seq = 101, coup = COUP): CoupOpened => ({
  type: 'coup_opened',
  ...head(seq),
  coup,
  shoe: 12,
  opened_utc_ms: OPENED + (coup - COUP) * 76_000,
  closes_utc_ms: CLOSES + (coup - COUP) * 76_000,
  deals_utc_ms: DEALS + (coup - COUP) * 76_000,
  commitment: 'c0'.repeat(32),
  cards_left: 52,
  last_of_shoe: false,
  areas: AREAS,
});

export const locked = (seq = 102, totals: Record<string, number> = {}): BetsLocked => ({
  type: 'bets_locked',
  ...head(seq),
  coup: COUP,
  deals_utc_ms: DEALS,
  totals,
  bettors: 9,
});

/** Moments of the fixture's deal, in ms after 00:00: turned means fully turned. */
export const AT = {
  player1: 3_860,
  playerTurned: 4_420,
  bankerTurned: 5_540,
  result: 10_880,
  pay: 12_680,
  clear: 16_380,
  ends: 17_080,
} as const;

const turn = (at_ms: number, side: string, index: number, points: number): Gesture => ({
  act: 'turn',
  at_ms,
  dur_ms: 440,
  side,
  index,
  points,
});
const draw = (at_ms: number, side: string, index: number): Gesture => ({ act: 'draw', at_ms, dur_ms: 620, side, index });

/** Player Q♥ 2♣ 2♦ = 4, Banker 10♠ 3♥ 4♣ = 7. */
const TIMELINE: Gesture[] = [
  draw(300, 'player', 0),
  draw(1_080, 'banker', 0),
  draw(1_860, 'player', 1),
  draw(2_640, 'banker', 1),
  turn(3_420, 'player', 0, 0),
  turn(3_980, 'player', 1, 2),
  turn(4_540, 'banker', 0, 0),
  turn(5_100, 'banker', 1, 3),
  draw(6_410, 'player', 2),
  turn(7_190, 'player', 2, 4),
  draw(8_500, 'banker', 2),
  turn(9_280, 'banker', 2, 7),
  { act: 'result', at_ms: AT.result, dur_ms: 700 },
  { act: 'collect', at_ms: 11_580, dur_ms: 1_100 },
  { act: 'pay', at_ms: AT.pay, dur_ms: 1_100 },
  { act: 'clear', at_ms: AT.clear, dur_ms: 700 },
];

export const dealt = (seq = 103): CoupDealt => ({
  type: 'coup_dealt',
  ...head(seq),
  coup: COUP,
  shoe: 12,
  deals_utc_ms: DEALS,
  shown_until_utc_ms: DEALS + AT.ends,
  player_cards: ['QH', '2C', '2D'],
  banker_cards: ['TS', '3H', '4C'],
  player_points: 4,
  banker_points: 7,
  natural: false,
  outcome: 'banker',
  player_pair: false,
  banker_pair: false,
  burned: [],
  cards_left: 46,
  seed: '5e'.repeat(32),
  timeline: TIMELINE,
  roads: {
    boards: {
      bead_plate: [[2, 12, 'red', 0, COUP, 0]],
      big_road: [[2, 20, 'red', 0, COUP, 0]],
      big_eye_boy: [[1, 29, 'red', 0, 0, 0]],
      small_road: [[0, 29, 'blue', 0, 0, 0]],
      cockroach_road: [[0, 27, 'blue', 0, 0, 0]],
    },
    counts: { coups: 75, banker: 36, player: 31, tie: 8, natural: 20, player_pair: 4, banker_pair: 5 },
    if_banker: { big_eye_boy: 'red', small_road: 'red', cockroach_road: 'red' },
    if_player: { big_eye_boy: 'blue', small_road: 'blue', cockroach_road: null },
    anew: false,
  },
});

export const staged = (stakes: Record<string, number>, request_id: string | null = null): Staged => ({
  type: 'staged',
  request_id,
  coup: COUP,
  steps: Object.entries(stakes).map(([area, amount]) => ({ [area]: amount })),
  stakes,
  total_minor: total(stakes),
});

export const receipt = (stakes: Record<string, number>, extra: Partial<Receipt> = {}): Receipt => ({
  type: 'receipt',
  request_id: null,
  coup: COUP,
  bet_seq: 4,
  automatic: false,
  stakes,
  total_minor: total(stakes),
  balance_minor: 11_824_000 - total(stakes),
  at_utc_ms: OPENED + 30_000,
  ...extra,
});

export const settled = (
  stakes: Record<string, number>,
  returned: Record<string, number>,
  extra: Partial<Settled> = {},
): Settled => ({
  type: 'settled',
  coup: COUP,
  outcome: 'banker',
  stakes,
  returned,
  staked_minor: total(stakes),
  returned_minor: total(returned),
  balance_before_minor: 11_824_000 - total(stakes),
  balance_minor: 11_824_000 - total(stakes) + total(returned),
  ...extra,
});

export const snapshot = (extra: Partial<Snapshot> = {}): Snapshot => ({
  type: 'snapshot',
  table: 'emerald',
  epoch: EPOCH,
  seq: 101,
  shoe: 12,
  cards_left: 52,
  opened: opened(),
  locked: null,
  dealt: null,
  voided: null,
  closed: null,
  roads: ROADS,
  totals: { type: 'totals', coup: COUP, bet_seq: 3, totals: { player: 1_480_000, tie: 72_000, banker: 4_160_000 }, bettors: 9 },
  patrons: 14,
  ...extra,
});

export const you = (extra: Partial<You> = {}): You => ({
  type: 'you',
  coup: COUP,
  balance_minor: 11_824_000,
  staged: staged({}),
  receipt: null,
  settled: null,
  last_stakes: {},
  can_refill: false,
  ...extra,
});

const total = (amounts: Record<string, number>): number => Object.values(amounts).reduce((a, b) => a + b, 0);

/** A shoe to look at: columns of a big road with a tie here and there. Not computed by the rules. */
function streaks(lengths: readonly number[], ties: readonly number[]): Mark[] {
  let coup = 0;
  return lengths.flatMap((length, column) =>
    Array.from({ length: Math.min(length, 6) }, (_, row): Mark => {
      coup += 1;
      return [row, column, column % 2 === 0 ? 'red' : 'blue', ties.includes(coup) ? 1 + (coup % 2) : 0, coup, 0];
    }),
  );
}

const BEADS = 'BBBBBPTTBBPPPPTBBPPPBPPPPBPPBBBBTBPBBBBBTPBPBPBPPTBBPPPTPPPTPPBBBBPPBBPBBB';
const COLOUR: Readonly<Record<string, string>> = { B: 'red', P: 'blue', T: 'green' };

const BOARDS: Boards = {
  bead_plate: [...BEADS].map((winner, i): Mark => [
    i % 6,
    Math.floor(i / 6),
    COLOUR[winner] ?? null,
    0,
    i + 1,
    i % 9 === 2 ? 2 : i % 13 === 5 ? 1 : 0,
  ]),
  big_road: streaks([5, 1, 2, 4, 2, 3, 1, 4, 1, 2, 5, 1, 5, 1, 1, 1, 1, 2, 6, 4, 2], [5, 9, 22, 41, 60]),
  big_eye_boy: streaks([3, 1, 2, 1, 1, 4, 2, 4, 1, 1, 2, 3, 2, 3, 5, 1, 3, 1, 5, 1, 3, 2, 1, 1, 1, 2, 3, 1, 1, 1], []).map(plain),
  small_road: streaks([1, 2, 1, 4, 2, 2, 1, 3, 2, 1, 6, 3, 4, 4, 1, 5, 1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1], []).map(plain),
  cockroach_road: streaks([3, 3, 1, 3, 1, 1, 1, 4, 3, 2, 2, 1, 2, 2, 1, 1, 3, 4, 6, 1, 1, 1, 1, 1, 3, 2, 1], []).map(plain),
};

function plain([row, column, colour]: Mark): Mark {
  return [row, column, colour, 0, 0, 0];
}

export const ROADS: Roads = {
  boards: BOARDS,
  counts: { coups: 74, banker: 35, player: 31, tie: 8, natural: 20, player_pair: 4, banker_pair: 5 },
  if_banker: { big_eye_boy: 'red', small_road: 'red', cockroach_road: 'red' },
  if_player: { big_eye_boy: 'blue', small_road: 'blue', cockroach_road: 'blue' },
  anew: true,
};
