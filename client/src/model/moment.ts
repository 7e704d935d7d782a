/** Where in the round we are. Times, not ticks: the server named the moments, the page compares. */

import { type Call, callAt } from './calls';
import { lying } from './former';
import { NOTHING_SHOWN, type Shown, shown } from './timeline';
import type { State } from './state';

export type Phase = 'betting' | 'closing' | 'dealing' | 'offline';

export interface Moment {
  readonly phase: Phase;
  /** Whole seconds to the deal, rounded up: it reads 00:10 at the very moment of "no more bets". */
  readonly secondsLeft: number;
  readonly secondsInAll: number;
  readonly secondsClosed: number;
  readonly closed: boolean;
  /** Whole seconds until the next coup opens; 0 when unknown. */
  readonly nextIn: number;
  readonly shown: Shown;
  /** What lies there to be seen: the running deal, or the one before as long as its cards stay. */
  readonly table: Shown;
  readonly bannerUp: boolean;
  /** What the dealer says since when; null: nothing. */
  readonly call: Call | null;
}

const BANNER_MS = 3_500;
/** A break shorter than this is not worth a word. */
const OFFLINE_AFTER_MS = 1_200;

const seconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));

export function moment(state: State, nowUtcMs: number): Moment {
  const { opened, locked, dealt } = state;
  const show = dealt === null ? NOTHING_SHOWN : shown(dealt, nowUtcMs);
  const lies = lying(state);
  const clock = clockOf(opened);
  const dealing = dealt !== null || (clock === null ? locked !== null : nowUtcMs >= clock.dealsMs);
  const closed = locked !== null || opened === null || (clock !== null && nowUtcMs >= clock.closesMs);
  const ended = state.closed !== null || state.voided !== null;
  const phase = phaseOf(state, nowUtcMs, closed, dealing);
  const table = lies === null ? show : shown(lies.dealt, nowUtcMs);
  return {
    phase,
    secondsLeft: dealing || clock === null || ended ? 0 : seconds(clock.dealsMs - nowUtcMs),
    secondsInAll: clock === null ? 0 : seconds(clock.dealsMs - clock.opensMs),
    secondsClosed: clock === null ? 0 : seconds(clock.dealsMs - clock.closesMs),
    closed,
    nextIn: dealt === null ? 0 : seconds(dealt.shown_until_utc_ms - nowUtcMs),
    shown: show,
    table,
    bannerUp: table.winner !== null && table.sinceResultMs < BANNER_MS,
    call: phase === 'offline' && state.voided === null ? null : callAt(state, nowUtcMs),
  };
}

interface ClockMoments {
  readonly opensMs: number;
  readonly closesMs: number;
  readonly dealsMs: number;
}

/** The coup's moments; null where no clock runs, or nothing is known yet. */
function clockOf(opened: State['opened']): ClockMoments | null {
  if (opened === null || opened.closes_utc_ms === null || opened.deals_utc_ms === null) return null;
  return { opensMs: opened.opened_utc_ms, closesMs: opened.closes_utc_ms, dealsMs: opened.deals_utc_ms };
}

function phaseOf(state: State, nowUtcMs: number, closed: boolean, dealing: boolean): Phase {
  const away = state.link.status !== 'online' && nowUtcMs - state.link.sinceUtcMs >= OFFLINE_AFTER_MS;
  if (state.opened === null || state.closed !== null || state.voided !== null || away) return 'offline';
  if (dealing) return 'dealing';
  return closed ? 'closing' : 'betting';
}

/** Two moments with the same key look the same. */
export function momentKey(at: Moment): string {
  const turn = `${at.table.edges}${at.bannerUp ? 'b' : ''}`;
  return `${at.phase} ${at.secondsLeft} ${at.nextIn} ${turn} ${at.closed} ${at.call?.atUtcMs ?? 0}`;
}
