/** The coup before, at tables without a clock: its cards lie there until the patron goes on, then they are swept. */

import type { CoupDealt, CoupOpening, TableCommand } from '../wire/events';
import { settledNow } from './stakes';
import type { Former, State } from './state';

const SWEEP_MS = 900;

/** The coup that has just ended stays in sight when the next one opens; with a clock its cards are cleared by then. */
export function formerOf(state: State, opened: CoupOpening): Former | null {
  const { dealt } = state;
  if (opened.closes_utc_ms !== null || dealt === null || dealt.coup >= opened.coup) return null;
  return { dealt, settled: settledNow(state), leavesUtcMs: null };
}

/** The first chip of the next bet sends it away. */
export function leaving(state: State, atUtcMs: number): State {
  const { former } = state;
  return former === null || former.leavesUtcMs !== null ? state : { ...state, former: swept(former, atUtcMs, SWEEP_MS) };
}

/** The next coup is dealt: by its first card the table is clear. */
export function clearedFor(former: Former | null, dealt: CoupDealt): Former | null {
  if (former === null) return null;
  const firstUtcMs = dealt.deals_utc_ms + (dealt.timeline[0]?.at_ms ?? 0);
  const fromUtcMs = Math.min(former.leavesUtcMs ?? dealt.deals_utc_ms, firstUtcMs);
  return swept(former, fromUtcMs, Math.min(SWEEP_MS, firstUtcMs - fromUtcMs));
}

/** Does the patron's command put new chips down? */
export const startsAnew = (command: TableCommand): boolean =>
  command.type === 'stage' || command.type === 'double' || (command.type === 'rebet' && command.submit !== true);

/** The coup that lies there untouched, or null. */
export const lying = ({ former, dealt, locked }: State): Former | null =>
  former !== null && former.leavesUtcMs === null && dealt === null && locked === null ? former : null;

function swept(former: Former, leavesUtcMs: number, dur_ms: number): Former {
  const timeline = former.dealt.timeline.filter((gesture) => gesture.act !== 'clear');
  const at_ms = leavesUtcMs - former.dealt.deals_utc_ms;
  return { ...former, leavesUtcMs, dealt: { ...former.dealt, timeline: [...timeline, { act: 'clear', at_ms, dur_ms }] } };
}
