/** `apply(state, event)`: what the page knows after an event. Pure. */

import type {
  CoupDealt,
  CoupOpening,
  CoupVoided,
  PublicEvent,
  Receipt,
  Refused,
  ServerEvent,
  Session,
  Settled,
  Snapshot,
  Staged,
  TableCommand,
  Totals,
  You,
} from '../wire/events';
import type { LinkStatus } from '../wire/connection';
import { clearedFor, formerOf, leaving, startsAnew } from './former';
import { plusCoup } from './roads';
import { NO_ROADS, type Notice, type State } from './state';
import { ownStakes, winMinor } from './stakes';
import { hurried } from './timeline';

/** What happens on this side of the wire. */
export type LocalEvent =
  | { type: 'link'; status: LinkStatus; latencyMs: number | null; atUtcMs: number }
  | { type: 'visit'; session: Session }
  | { type: 'asked'; command: TableCommand; atUtcMs: number }
  | { type: 'skip'; atUtcMs: number }
  | { type: 'dropped'; request_ids: readonly string[] }
  | { type: 'said'; code: string; facts: Record<string, number | string> }
  | { type: 'heard' };

export function apply(state: State, event: ServerEvent | LocalEvent): State {
  switch (event.type) {
    case 'coup_opened':
    case 'bets_locked':
    case 'coup_dealt':
    case 'coup_voided':
    case 'shoe_changed':
    case 'table_closed':
      return numbered(state, event);
    case 'snapshot':
      return snapshot(state, event);
    case 'welcome':
      return { ...state, patron: event.patron, terms: event.terms, notice: state.notice?.code === 'network' ? null : state.notice };
    case 'you':
      return you(state, event);
    case 'totals':
      return { ...state, totals: newerTotals(state, event) };
    case 'presence':
      return { ...state, patrons: event.patrons };
    case 'staged':
      return answered(staged(state, event), event.request_id);
    case 'receipt':
      return answered(receipt(state, event), event.request_id);
    case 'refused':
      return answered(refused(state, event), event.request_id);
    case 'settled':
      return settled(state, event);
    case 'balance':
      return { ...state, balanceMinor: event.balance_minor, canRefill: event.reason === 'refill' ? false : state.canRefill };
    case 'visit':
      return {
        ...state,
        patron: event.session.patron,
        balanceMinor: state.balanceMinor ?? event.session.balance_minor,
        canRefill: event.session.can_refill,
      };
    case 'link': {
      const sinceUtcMs = event.status === state.link.status ? state.link.sinceUtcMs : event.atUtcMs;
      return { ...state, link: { status: event.status, latencyMs: event.latencyMs, sinceUtcMs } };
    }
    case 'asked': {
      const next = startsAnew(event.command) ? leaving(state, event.atUtcMs) : state;
      return { ...next, pending: { ...state.pending, [event.command.request_id]: event.command } };
    }
    case 'skip':
      return skipped(state, event.atUtcMs);
    case 'dropped':
      return event.request_ids.reduce((next, id) => answered(next, id), state);
    case 'said':
      return { ...state, notice: notice(state, event.code, event.facts, false, null) };
    case 'heard':
      return { ...state, notice: null };
    case 'pong':
    case 'session':
      return state;
  }
}

/** Public events come once, in order, or not at all. */
function numbered(state: State, event: PublicEvent): State {
  const { at } = state;
  if (at === null) return { ...state, gap: true };
  if (event.epoch === at.epoch && event.seq <= at.seq) return state;
  if (event.epoch !== at.epoch || event.seq !== at.seq + 1) return { ...state, gap: true };
  const next: State = { ...state, at: { epoch: event.epoch, seq: event.seq } };
  switch (event.type) {
    case 'coup_opened':
      return opened(next, event);
    case 'bets_locked':
      return { ...next, locked: event };
    case 'coup_dealt':
      return dealt(next, event);
    case 'coup_voided':
      return voided(next, event);
    case 'shoe_changed':
      return { ...next, shoe: event.shoe, roads: NO_ROADS, roadsBefore: NO_ROADS };
    case 'table_closed':
      return { ...next, closed: event };
  }
}

function opened(state: State, event: CoupOpening): State {
  const terms = event.areas && state.terms ? { ...state.terms, areas: event.areas } : state.terms;
  return {
    ...state,
    terms,
    shoe: event.shoe,
    newShoeUtcMs: isNewShoe(state, event) ? event.opened_utc_ms : state.newShoeUtcMs,
    cardsLeft: event.cards_left,
    opened: { ...event, areas: event.areas ?? terms?.areas ?? [] },
    locked: null,
    dealt: null,
    former: formerOf(state, event),
    voided: null,
    closed: null,
    roadsBefore: state.roads,
    totals: state.totals?.coup === event.coup ? state.totals : null,
    staged: ofCoup(state.staged, event.coup),
    receipt: ofCoup(state.receipt, event.coup),
  };
}

const isNewShoe = ({ opened: last, roads }: State, event: CoupOpening): boolean =>
  last === null ? roads.counts.coups === 0 : last.shoe !== event.shoe;

function dealt(state: State, event: CoupDealt): State {
  const roads = plusCoup(state.roads, event.roads);
  return {
    ...state,
    dealt: event,
    former: clearedFor(state.former, event),
    cardsLeft: event.cards_left,
    staged: null,
    roadsBefore: state.roads,
    roads,
  };
}

/** Only the gestures are skipped, and only for this page: the server's moments stay. */
function skipped(state: State, atUtcMs: number): State {
  const { dealt } = state;
  if (dealt === null || state.skipped?.coup === dealt.coup || atUtcMs < dealt.deals_utc_ms) return state;
  return { ...state, dealt: hurried(dealt, atUtcMs), skipped: { coup: dealt.coup, atUtcMs } };
}

/** The deal as this page had it before: a patron who skipped does not see it again. */
function asSkipped(state: State, dealt: CoupDealt | null): CoupDealt | null {
  return dealt !== null && state.skipped?.coup === dealt.coup ? hurried(dealt, state.skipped.atUtcMs) : dealt;
}

/** Every stake is back; the patron who had one is told so, since the next coup opens at once. */
function voided(state: State, event: CoupVoided): State {
  const stake_minor = ownStakes(state).total;
  const told = stake_minor === 0 ? state.notice : notice(state, 'COUP_VOIDED', { stake_minor }, false, null);
  return { ...state, voided: event, staged: null, notice: told };
}

/** Its boards are those before the dealt coup, whose own marks come with the coup. */
function snapshot(state: State, event: Snapshot): State {
  return {
    ...state,
    at: { epoch: event.epoch, seq: event.seq },
    gap: false,
    shoe: event.shoe,
    newShoeUtcMs: event.roads.counts.coups === 0 ? (event.opened?.opened_utc_ms ?? null) : null,
    cardsLeft: event.cards_left,
    opened: event.opened,
    locked: event.locked,
    dealt: asSkipped(state, event.dealt),
    former: event.dealt === null && event.opened?.coup === state.opened?.coup ? state.former : null,
    voided: event.voided,
    closed: event.closed,
    roadsBefore: event.roads,
    roads: event.dealt === null ? event.roads : plusCoup(event.roads, event.dealt.roads),
    totals: event.totals,
    patrons: event.patrons,
    staged: null,
    receipt: null,
  };
}

function you(state: State, event: You): State {
  return {
    ...state,
    balanceMinor: event.balance_minor,
    canRefill: event.can_refill,
    staged: event.staged,
    receipt: event.receipt,
    ...settlement(state, event.settled),
    lastStakes: event.last_stakes,
  };
}

/** A newer settlement moves the one before into the past. */
function settlement(state: State, next: Settled | null): Pick<State, 'settled' | 'earlierWinMinor'> {
  const { settled: last, earlierWinMinor } = state;
  if (next === null || next.coup === last?.coup) return { settled: next ?? last, earlierWinMinor };
  return { settled: next, earlierWinMinor: (last && winMinor(last)) || earlierWinMinor };
}

function settled(state: State, event: Settled): State {
  return { ...state, balanceMinor: event.balance_minor, ...settlement(state, event) };
}

/** Late totals of a coup that is locked say less than the lock. */
function newerTotals(state: State, event: Totals): Totals | null {
  const { totals, opened } = state;
  if (opened !== null && event.coup < opened.coup) return totals;
  return totals?.coup === event.coup && event.bet_seq < totals.bet_seq ? totals : event;
}

function staged(state: State, event: Staged): State {
  if (event.coup !== coupOf(state) || state.receipt?.coup === event.coup) return state;
  const next = event.total_minor > 0 ? leaving(state, state.former?.dealt.shown_until_utc_ms ?? 0) : state;
  return { ...next, staged: event };
}

function receipt(state: State, event: Receipt): State {
  if (event.coup < coupOf(state)) return state;
  return { ...state, receipt: event, staged: null, balanceMinor: event.balance_minor, lastStakes: event.stakes };
}

function refused(state: State, event: Refused): State {
  const about = event.request_id === null ? null : (state.pending[event.request_id] ?? null);
  const back = event.automatic && event.coup === state.staged?.coup ? null : state.staged;
  return { ...state, staged: back, notice: notice(state, event.code, event.facts, event.automatic, about) };
}

function notice(
  state: State,
  code: string,
  facts: Record<string, number | string>,
  automatic: boolean,
  about: TableCommand | null,
): Notice {
  return { id: (state.notice?.id ?? 0) + 1, code, facts, automatic, about };
}

function answered(state: State, id: string | null): State {
  if (id === null || !(id in state.pending)) return state;
  const { [id]: _, ...pending } = state.pending;
  return { ...state, pending };
}

const coupOf = (state: State): number => state.opened?.coup ?? 0;

function ofCoup<Part extends { coup: number }>(part: Part | null, coup: number): Part | null {
  return part?.coup === coup ? part : null;
}
