/** Everything the dealer says in a coup, and when: read off the server's times, so that every page says it together. */

import type { CoupDealt, Gesture, Settled } from '../wire/events';
import { type Say, say } from './say';
import { settledNow } from './stakes';
import type { Area, Side, State } from './state';

export interface Call {
  readonly atUtcMs: number;
  readonly says: readonly Say[];
}

/** Longer betting than this is reminded of its end, so long before the deal. */
const REMINDED_ABOVE_MS = 40_000;
const REMINDER_MS = 30_000;
/** A call that would be cut short by the next one is left out. */
const BREATH_MS = 450;

const known = new WeakMap<State, readonly Call[]>();

/** The calls of the present coup in order; the later one of two at the same moment counts. */
export function calls(state: State): readonly Call[] {
  let found = known.get(state);
  if (found === undefined) {
    found = compute(state);
    known.set(state, found);
  }
  return found;
}

/** The call that holds at a moment: the last one made. */
export const callAt = (state: State, nowUtcMs: number): Call | null =>
  calls(state).findLast((call) => call.atUtcMs <= nowUtcMs) ?? null;

/** What is spoken of a call: not the patron's own sums, which concern nobody else, and no digits of a clock. */
const UNSPOKEN: ReadonlySet<string> = new Set(['call.you_win', 'call.you_push', 'call.you_lose', 'call.closes_at']);
export const spoken = (says: readonly Say[]): readonly Say[] => says.filter((one) => !UNSPOKEN.has(one.key));

function compute(state: State): Call[] {
  const { opened, locked, dealt, voided, closed } = state;
  if (voided !== null) return [{ atUtcMs: voided.at_utc_ms, says: [say('call.voided')] }];
  if (opened === null || closed !== null) return [];
  const [opensUtcMs, closesUtcMs, dealsUtcMs] = [opened.opened_utc_ms, opened.closes_utc_ms, opened.deals_utc_ms];
  if (closesUtcMs === null || dealsUtcMs === null) return withoutClock(state, opensUtcMs);
  const made: Call[] = [{ atUtcMs: opensUtcMs, says: opening(state) }];
  if (dealsUtcMs - opensUtcMs > REMINDED_ABOVE_MS) {
    const seconds = Math.round((dealsUtcMs - closesUtcMs) / 1000);
    made.push({ atUtcMs: dealsUtcMs - REMINDER_MS, says: [say('call.last_bets'), say('call.closes_at', { seconds })] });
  }
  const lockedUtcMs = Math.max(opensUtcMs, locked?.at_utc_ms ?? closesUtcMs);
  made.push({ atUtcMs: Math.min(closesUtcMs, lockedUtcMs), says: [say('call.closing')] });
  made.push({ atUtcMs: dealsUtcMs, says: [say('call.dealing')] });
  if (dealt !== null) made.push(...unhurried(ofDeal(dealt, settledNow(state))));
  return made;
}

/** The last word on the coup before stands as long as its cards do; then it is up to the patron, whose bet brings the deal. */
function withoutClock(state: State, opensUtcMs: number): Call[] {
  const { former, locked, dealt } = state;
  const made: Call[] = former === null ? [] : ofDeal(former.dealt, former.settled).slice(-1);
  const asksUtcMs = former === null ? opensUtcMs : former.leavesUtcMs;
  if (asksUtcMs !== null) made.push({ atUtcMs: asksUtcMs, says: [say('call.ready')] });
  if (locked !== null) made.push({ atUtcMs: locked.deals_utc_ms, says: [say('call.dealing')] });
  if (dealt !== null) made.push(...unhurried(ofDeal(dealt, settledNow(state))));
  return made;
}

function opening({ opened, newShoeUtcMs }: State): Say[] {
  const says = [say('call.betting')];
  if (opened?.last_of_shoe) says.unshift(say('call.last_of_shoe'));
  else if (newShoeUtcMs !== null && newShoeUtcMs === opened?.opened_utc_ms) says.unshift(say('call.new_shoe'));
  return says;
}

function ofDeal(dealt: CoupDealt, settled: Settled | null): Call[] {
  const made: Call[] = [];
  const at = (ms: number, ...says: Say[]): void => void made.push({ atUtcMs: dealt.deals_utc_ms + ms, says });
  const find = (act: string, side: Side, index: number): Gesture | undefined =>
    dealt.timeline.find((one) => one.act === act && one.side === side && one.index === index);
  const draws = { player: find('draw', 'player', 2), banker: find('draw', 'banker', 2) };
  const hands = (['player', 'banker'] as const).flatMap((side) => {
    const turn = find('turn', side, 1);
    return turn === undefined ? [] : [{ side, endsMs: turn.at_ms + turn.dur_ms, points: turn.points ?? 0 }];
  });
  hands.sort((one, other) => one.endsMs - other.endsMs);
  hands.forEach(({ side, endsMs, points }, i) => {
    const natural = dealt.natural && points >= 8;
    const says = [say(natural ? 'call.natural' : 'call.shows', { side, points })];
    if (i === 1 && !dealt.natural && draws.player === undefined) {
      const player = hands.find((one) => one.side === 'player')!;
      says.push(draws.banker === undefined ? say('call.both_stand') : say('call.stands', { side: 'player', points: player.points }));
    }
    at(endsMs, ...says);
  });
  for (const side of ['player', 'banker'] as const) {
    const [draw, turn] = [draws[side], find('turn', side, 2)];
    if (draw === undefined || turn === undefined) continue;
    const says = [say('call.has', { side, points: turn.points ?? 0 })];
    const banker = hands.find((one) => one.side === 'banker');
    if (side === 'player' && draws.banker === undefined && banker !== undefined) {
      says.push(say('call.stands', { side: 'banker', points: banker.points }));
    }
    at(draw.at_ms, say('call.card_for', { side }));
    at(turn.at_ms + turn.dur_ms, ...says);
  }
  const result = dealt.timeline.find((one) => one.act === 'result');
  if (result !== undefined) at(result.at_ms, resultCall(dealt), ...ownResult(settled));
  return made;
}

/** Without those that leave no time to be heard or read; the last one, the result, stays. */
const unhurried = (made: readonly Call[]): readonly Call[] =>
  made.filter((call, i) => i === made.length - 1 || made[i + 1]!.atUtcMs - call.atUtcMs >= BREATH_MS);

function resultCall(dealt: CoupDealt): Say {
  const [player, banker] = [dealt.player_points, dealt.banker_points];
  if ((dealt.outcome as Area) === 'tie') return say('call.tie', { points: player });
  return say('call.wins', { side: dealt.outcome, high: Math.max(player, banker), low: Math.min(player, banker) });
}

function ownResult(settled: Settled | null): Say[] {
  if (settled === null) return [];
  const net = settled.returned_minor - settled.staked_minor;
  if (net > 0) return [say('call.you_win', { net_minor: net })];
  return [net === 0 ? say('call.you_push') : say('call.you_lose', { net_minor: -net })];
}
