/** Which button may be pressed, and if not, why. A courtesy: the server judges every command anyway. */

import type { Code, TableCommand } from '../wire/generated';
import type { Moment } from './moment';
import { ownStakes } from './stakes';
import { type State, sum } from './state';

export type Reason = 'offline' | 'sending' | 'choose_chip' | Extract<Code, 'BETS_CLOSED' | 'ALREADY_SUBMITTED' | 'NOTHING_TO_UNDO' | 'NOTHING_TO_REPEAT'>;
/** null: may be pressed. */
export interface Buttons {
  readonly areas: Reason | null;
  readonly bet: Reason | null;
  readonly undo: Reason | null;
  readonly clear: Reason | null;
  readonly double: Reason | null;
  readonly rebet: Reason | null;
}

export type BetFace = 'empty' | 'ready' | 'sending' | 'placed' | 'paid' | 'closed';

export function buttons(state: State, at: Moment): Buttons {
  const general = generally(state, at);
  const staged = ownStakes(state).total > 0;
  const sending = waiting(state, 'submit');
  const act = (possible: boolean, otherwise: Reason): Reason | null =>
    general ?? (sending ? 'sending' : possible ? null : otherwise);
  return {
    areas: general ?? (sending ? 'sending' : null),
    bet: act(staged, 'choose_chip'),
    undo: act(staged, 'NOTHING_TO_UNDO'),
    clear: act(staged, 'NOTHING_TO_UNDO'),
    double: act(staged, 'NOTHING_TO_REPEAT'),
    rebet: act(sum(state.lastStakes) > 0, 'NOTHING_TO_REPEAT'),
  };
}

function generally(state: State, at: Moment): Reason | null {
  if (state.link.status !== 'online' || state.gap) return 'offline';
  if (at.phase !== 'betting') return at.phase === 'offline' ? 'offline' : 'BETS_CLOSED';
  return ownStakes(state).placed ? 'ALREADY_SUBMITTED' : null;
}

export function betFace(state: State, at: Moment): { face: BetFace; amountMinor: number } {
  const own = ownStakes(state);
  const { settled, dealt } = state;
  if (at.shown.winner !== null) {
    const returned = settled !== null && settled.coup === dealt?.coup ? settled.returned_minor : 0;
    if (at.shown.cleared || (at.shown.paid && returned === 0)) return { face: 'closed', amountMinor: 0 };
    if (at.shown.paid) return { face: 'paid', amountMinor: returned };
  }
  if (own.placed) return { face: 'placed', amountMinor: own.total };
  if (waiting(state, 'submit')) return { face: 'sending', amountMinor: own.total };
  if (at.phase !== 'betting') return { face: 'closed', amountMinor: own.total };
  return own.total > 0 ? { face: 'ready', amountMinor: own.total } : { face: 'empty', amountMinor: 0 };
}

const waiting = (state: State, type: TableCommand['type']): boolean =>
  Object.values(state.pending).some((command) => command.type === type);

/** After a break: which unanswered commands still make sense, and which do not. */
export function unanswered(state: State, nowUtcMs: number): { again: TableCommand[]; dropped: string[] } {
  const open = state.opened !== null && state.locked === null && nowUtcMs < state.opened.closes_utc_ms;
  const again: TableCommand[] = [];
  const dropped: string[] = [];
  for (const command of Object.values(state.pending)) {
    if (open && command.coup === state.opened?.coup) again.push(command);
    else dropped.push(command.request_id);
  }
  return { again, dropped };
}
