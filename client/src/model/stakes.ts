/** Money of one patron and of the others, per area. */

import type { Settled } from '../wire/generated';
import { type Area, type State, sum } from './state';

export type Result = 'won' | 'lost' | 'pushed';

/** What a settlement brought beyond the stakes; 0 when it brought nothing. */
export const winMinor = (settled: Settled): number => Math.max(0, settled.returned_minor - settled.staked_minor);

/** The patron's settlement of the coup that is being dealt; null without a bet. */
export const settledNow = ({ settled, dealt }: State): Settled | null =>
  settled !== null && settled.coup === dealt?.coup ? settled : null;

/** What lies on the table for this patron: the placed bet, else the staged chips. */
export function ownStakes(state: State): { stakes: Readonly<Record<string, number>>; placed: boolean; total: number } {
  const coup = state.opened?.coup;
  if (state.receipt !== null && state.receipt.coup === coup) {
    return { stakes: state.receipt.stakes, placed: true, total: state.receipt.total_minor };
  }
  if (state.settled !== null && state.settled.coup === coup) {
    return { stakes: state.settled.stakes, placed: true, total: state.settled.staked_minor };
  }
  const stakes = state.staged !== null && state.staged.coup === coup ? state.staged.stakes : {};
  return { stakes, placed: false, total: sum(stakes) };
}

/**
 * The gold totals: everybody's bets less one's own, once the totals include it.
 * At the lock the totals are final; as long as one's own chips are still on their way, the earlier ones stand.
 */
export function othersOn(state: State, area: Area): number {
  const coup = state.opened?.coup;
  const own = state.receipt !== null && state.receipt.coup === coup ? state.receipt : null;
  const undecided = own === null && state.staged !== null && sum(state.staged.stakes) > 0;
  if (state.locked !== null && state.locked.coup === coup && !undecided) {
    return Math.max(0, (state.locked.totals[area] ?? 0) - (own?.stakes[area] ?? 0));
  }
  if (state.totals === null || state.totals.coup !== coup) return 0;
  const includesOwn = own !== null && state.totals.bet_seq >= own.bet_seq;
  return Math.max(0, (state.totals.totals[area] ?? 0) - (includesOwn ? (own.stakes[area] ?? 0) : 0));
}

/** How one area of a settled bet ended, as the server's numbers say. */
export function resultOn(settled: Settled, area: Area): Result | null {
  const stake = settled.stakes[area] ?? 0;
  if (stake === 0) return null;
  const returned = settled.returned[area] ?? 0;
  if (returned > stake) return 'won';
  return returned === stake ? 'pushed' : 'lost';
}

/** Too little left for the smallest bet: worth asking whether new chips can be had. */
export function belowMinimum(state: State): boolean {
  const least = Math.min(...(state.opened?.areas ?? []).map((area) => area.min_minor));
  return state.balanceMinor !== null && Number.isFinite(least) && state.balanceMinor < least;
}
