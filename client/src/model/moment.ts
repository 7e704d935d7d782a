/** Where in the round we are. Times, not ticks: the server named the moments, the page compares. */

import { type Call, callAt } from './calls';
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
  const dealsMs = opened?.deals_utc_ms ?? 0;
  const dealing = dealt !== null || (opened !== null && nowUtcMs >= dealsMs);
  const closed = locked !== null || opened === null || nowUtcMs >= opened.closes_utc_ms;
  const phase = phaseOf(state, nowUtcMs, closed, dealing);
  return {
    phase,
    secondsLeft: dealing ? 0 : seconds(dealsMs - nowUtcMs),
    secondsInAll: opened === null ? 0 : seconds(dealsMs - opened.opened_utc_ms),
    secondsClosed: opened === null ? 0 : seconds(dealsMs - opened.closes_utc_ms),
    closed,
    nextIn: dealt === null ? 0 : seconds(dealt.shown_until_utc_ms - nowUtcMs),
    shown: show,
    bannerUp: show.winner !== null && show.sinceResultMs < BANNER_MS,
    call: phase === 'offline' && state.voided === null ? null : callAt(state, nowUtcMs),
  };
}

function phaseOf(state: State, nowUtcMs: number, closed: boolean, dealing: boolean): Phase {
  const away = state.link.status !== 'online' && nowUtcMs - state.link.sinceUtcMs >= OFFLINE_AFTER_MS;
  if (state.opened === null || state.closed !== null || state.voided !== null || away) return 'offline';
  if (dealing) return 'dealing';
  return closed ? 'closing' : 'betting';
}

/** Two moments with the same key look the same. */
export function momentKey(at: Moment): string {
  const turn = `${at.shown.edges}${at.bannerUp ? 'b' : ''}`;
  return `${at.phase} ${at.secondsLeft} ${at.nextIn} ${turn} ${at.closed} ${at.call?.atUtcMs ?? 0}`;
}
