/** Which button may be pressed, and if not, why. A courtesy: the server judges every command anyway. */

import type { Code, TableCommand } from '../wire/generated';
import type { Moment } from './moment';
import { ownStakes } from './stakes';
import { type State, sum } from './state';

export type Reason =
  | 'offline'
  | 'sending'
  | 'choose_chip'
  | 'dealing'
  | 'nothing_to_skip'
  | Extract<
      Code,
      | 'BETS_CLOSED'
      | 'ALREADY_SUBMITTED'
      | 'NOTHING_TO_UNDO'
      | 'NOTHING_TO_REPEAT'
      | 'ABOVE_MAX'
      | 'BELOW_MIN'
      | 'BALANCE_TOO_LOW'
    >;
export type ButtonName = 'areas' | 'bet' | 'undo' | 'clear' | 'double' | 'rebet' | 'rebetX2' | 'skip';
/** null: may be pressed. */
export type Buttons = Readonly<Record<ButtonName, Reason | null>>;
/** A reason with what fills its words: those of the refusals where it is one of their codes. */
export interface Why {
  readonly reason: Reason;
  readonly facts: Readonly<Record<string, number | string>>;
}

export type BetFace = 'empty' | 'ready' | 'sending' | 'placed' | 'paid' | 'closed';

/** Why each button is grey; null: it is not. */
export function whys(state: State, at: Moment): Readonly<Record<ButtonName, Why | null>> {
  const general = generally(state, at);
  const staged = ownStakes(state).total > 0 || adding(state);
  const sending = waiting(state) ? why('sending') : null;
  const act = (otherwise: Why | null): Why | null => general ?? sending ?? otherwise;
  const needs = (possible: boolean, otherwise: Reason): Why | null => act(possible ? null : why(otherwise));
  return {
    areas: act(null),
    bet: needs(staged, 'choose_chip'),
    undo: needs(staged, 'NOTHING_TO_UNDO'),
    clear: needs(staged, 'NOTHING_TO_UNDO'),
    double: needs(staged, 'NOTHING_TO_REPEAT'),
    rebet: act(repeatable(state, 1)),
    rebetX2: act(repeatable(state, 2)),
    skip: at.phase === 'dealing' && state.dealt !== null && !at.shown.paid ? null : why('nothing_to_skip'),
  };
}

/** The reasons alone. */
export function buttons(state: State, at: Moment): Buttons {
  const found = Object.entries(whys(state, at)).map(([name, one]) => [name, one?.reason ?? null]);
  return Object.fromEntries(found) as Buttons;
}

const why = (reason: Reason, facts: Why['facts'] = {}): Why => ({ reason, facts });

function generally(state: State, at: Moment): Why | null {
  if (state.link.status !== 'online' || state.gap || at.phase === 'offline') return why('offline');
  if (at.phase !== 'betting') return why(hasClock(state) ? 'BETS_CLOSED' : 'dealing');
  return ownStakes(state).placed ? why('ALREADY_SUBMITTED') : null;
}

/**
 * May the last bet be made again, `times` over? With a clock it goes on top of what lies there, elsewhere it takes the
 * place of it; the limits are those that the server sent with the coup.
 */
function repeatable(state: State, times: number): Why | null {
  if (sum(state.lastStakes) === 0) return why('NOTHING_TO_REPEAT');
  const lies = hasClock(state) ? ownStakes(state).stakes : {};
  let total_minor = sum(lies);
  for (const [area, last] of Object.entries(state.lastStakes)) {
    const stake_minor = last * times + (lies[area] ?? 0);
    const limit = state.opened?.areas.find((one) => one.area === area);
    if (limit === undefined) return why('NOTHING_TO_REPEAT');
    const { min_minor, max_minor } = limit;
    if (stake_minor > max_minor) return why('ABOVE_MAX', { area, max_minor, stake_minor });
    if (stake_minor < min_minor) return why('BELOW_MIN', { area, min_minor, stake_minor });
    total_minor += last * times;
  }
  const balance_minor = state.balanceMinor ?? 0;
  return total_minor > balance_minor ? why('BALANCE_TOO_LOW', { balance_minor, total_minor }) : null;
}

const hasClock = (state: State): boolean => state.terms?.clock ?? true;

export function betFace(state: State, at: Moment): { face: BetFace; amountMinor: number } {
  const own = ownStakes(state);
  const { settled, dealt } = state;
  if (at.shown.winner !== null) {
    const returned = settled !== null && settled.coup === dealt?.coup ? settled.returned_minor : 0;
    if (at.shown.cleared || (at.shown.paid && returned === 0)) return { face: 'closed', amountMinor: 0 };
    if (at.shown.paid) return { face: 'paid', amountMinor: returned };
  }
  if (own.placed) return { face: 'placed', amountMinor: own.total };
  if (waiting(state)) return { face: 'sending', amountMinor: own.total };
  if (at.phase !== 'betting') return { face: 'closed', amountMinor: own.total };
  return own.total > 0 ? { face: 'ready', amountMinor: own.total } : { face: 'empty', amountMinor: 0 };
}

/** Chips are on their way. Commands are answered in their order, so what comes after them may count on them. */
const adding = (state: State): boolean =>
  Object.values(state.pending).some((one) => one.type === 'stage' || (one.type === 'rebet' && one.submit !== true));

/** A bet is on its way. */
const waiting = (state: State): boolean =>
  Object.values(state.pending).some((one) => one.type === 'submit' || (one.type === 'rebet' && one.submit === true));

/** After a break: which unanswered commands still make sense, and which do not. */
export function unanswered(state: State, nowUtcMs: number): { again: TableCommand[]; dropped: string[] } {
  const closesUtcMs = state.opened?.closes_utc_ms ?? Number.POSITIVE_INFINITY;
  const open = state.opened !== null && state.locked === null && nowUtcMs < closesUtcMs;
  const again: TableCommand[] = [];
  const dropped: string[] = [];
  for (const command of Object.values(state.pending)) {
    if (open && command.coup === state.opened?.coup) again.push(command);
    else dropped.push(command.request_id);
  }
  return { again, dropped };
}
