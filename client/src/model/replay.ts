/** A coup of the past as a state: `view` then says what of it is to be seen at a moment, as it does at a table. */

import type { CoupRecord } from '../wire/events';
import { START, type State } from './state';

/** How long before its first gesture a replay begins, so that the table is seen with the chips on it. */
export const REPLAY_LEAD_MS = 800;

/** The coup as if it were being dealt from `startsUtcMs` on, by the clock that `view` will be asked with. */
export function replayed({ terms, opened, dealt, settled }: CoupRecord, startsUtcMs: number): State {
  const shiftMs = startsUtcMs + REPLAY_LEAD_MS - dealt.deals_utc_ms;
  const deals_utc_ms = dealt.deals_utc_ms + shiftMs;
  return {
    ...START,
    link: { status: 'online', latencyMs: null, sinceUtcMs: startsUtcMs },
    at: { epoch: 0, seq: 0 },
    terms,
    shoe: dealt.shoe,
    cardsLeft: opened.cards_left,
    opened: { ...opened, opened_utc_ms: startsUtcMs, closes_utc_ms: startsUtcMs, deals_utc_ms },
    locked: {
      type: 'bets_locked',
      table: dealt.table,
      epoch: 0,
      seq: 0,
      at_utc_ms: startsUtcMs,
      coup: dealt.coup,
      deals_utc_ms,
      totals: {}, // what the others bet is not told again
      bettors: settled === null ? 0 : 1,
    },
    dealt: { ...dealt, deals_utc_ms, shown_until_utc_ms: dealt.shown_until_utc_ms + shiftMs },
    settled,
    balanceMinor: settled?.balance_minor ?? null,
  };
}

/** When the replay has shown everything. */
export const replayEndsUtcMs = (state: State): number => state.dealt?.shown_until_utc_ms ?? 0;
