/** What the page knows, as the server said it. Plain values; changed by `apply` alone. */

import type {
  BetsLocked,
  Boards,
  CoupDealt,
  CoupOpened,
  CoupVoided,
  Patron,
  Receipt,
  Roads,
  Settled,
  Staged,
  TableClosed,
  TableCommand,
  TableTerms,
  Totals,
} from '../wire/events';
import type { LinkStatus } from '../wire/connection';

export type Side = 'player' | 'banker';
export type Area = Side | 'tie';
/** From the patron's left to right. */
export const AREAS: readonly Area[] = ['player', 'tie', 'banker'];

/** Why something was refused; `id` tells one from the next. `about`: what was asked, when a command was. */
export interface Notice {
  readonly id: number;
  readonly code: string;
  readonly facts: Readonly<Record<string, number | string>>;
  readonly automatic: boolean;
  readonly about: TableCommand | null;
}

/**
 * The coup before, where its cards and chips stay until the patron goes on. `leavesUtcMs`: when they began to be taken
 * away (the first chip of the next bet, or its deal); null while they lie there.
 */
export interface Former {
  readonly dealt: CoupDealt;
  readonly settled: Settled | null;
  readonly leavesUtcMs: number | null;
}

export interface State {
  readonly link: { readonly status: LinkStatus; readonly latencyMs: number | null; readonly sinceUtcMs: number };
  /** Where a broken connection goes on; null until a snapshot came. */
  readonly at: { readonly epoch: number; readonly seq: number } | null;
  /** A numbered event is missing or of another epoch: only a snapshot helps. */
  readonly gap: boolean;

  readonly patron: Patron | null;
  readonly terms: TableTerms | null;
  readonly shoe: number;
  /** When this shoe was brought; null: long ago. */
  readonly newShoeUtcMs: number | null;
  readonly cardsLeft: number;
  readonly opened: CoupOpened | null;
  readonly locked: BetsLocked | null;
  readonly dealt: CoupDealt | null;
  /** Only at tables without a clock. */
  readonly former: Former | null;
  /** A coup whose gestures the patron would not wait for, and when that was. */
  readonly skipped: { readonly coup: number; readonly atUtcMs: number } | null;
  readonly voided: CoupVoided | null;
  readonly closed: TableClosed | null;
  /** Boards without the dealt coup, and with it. The same while no coup is dealt. */
  readonly roadsBefore: Roads;
  readonly roads: Roads;
  readonly totals: Totals | null;
  readonly patrons: number;

  readonly balanceMinor: number | null;
  readonly canRefill: boolean;
  readonly staged: Staged | null;
  readonly receipt: Receipt | null;
  readonly settled: Settled | null;
  /** What the last win was before `settled`. */
  readonly earlierWinMinor: number | null;
  readonly lastStakes: Readonly<Record<string, number>>;
  readonly notice: Notice | null;
  /** Commands without an answer, by request id. */
  readonly pending: Readonly<Record<string, TableCommand>>;
}

export const NO_BOARDS: Boards = {
  bead_plate: [],
  big_road: [],
  big_eye_boy: [],
  small_road: [],
  cockroach_road: [],
};

const NO_ASK = { big_eye_boy: null, small_road: null, cockroach_road: null };

export const NO_ROADS: Roads = {
  boards: NO_BOARDS,
  counts: { coups: 0, banker: 0, player: 0, tie: 0, natural: 0, player_pair: 0, banker_pair: 0 },
  if_banker: NO_ASK,
  if_player: NO_ASK,
  anew: true,
};

export const START: State = {
  link: { status: 'connecting', latencyMs: null, sinceUtcMs: 0 },
  at: null,
  gap: false,
  patron: null,
  terms: null,
  shoe: 0,
  newShoeUtcMs: null,
  cardsLeft: 0,
  opened: null,
  locked: null,
  dealt: null,
  former: null,
  skipped: null,
  voided: null,
  closed: null,
  roadsBefore: NO_ROADS,
  roads: NO_ROADS,
  totals: null,
  patrons: 0,
  balanceMinor: null,
  canRefill: false,
  staged: null,
  receipt: null,
  settled: null,
  earlierWinMinor: null,
  lastStakes: {},
  notice: null,
  pending: {},
};

export const sum = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((total, amount) => total + amount, 0);
