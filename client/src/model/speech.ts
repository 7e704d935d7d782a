/** The words of a moment: phase and note, the banner. What the dealer says is in `calls.ts`. */

import type { CoupDealt, Settled } from '../wire/events';
import type { Moment } from './moment';
import { type Say, say } from './say';
import type { Area, State } from './state';
import type { Shown } from './timeline';

export interface Banner {
  readonly winner: Area;
  readonly title: Say;
  readonly score: Say;
  readonly kind: 'won' | 'pushed' | 'lost' | 'none';
  /** What the coup brought on balance, when it brought something. */
  readonly netMinor: number;
}

/** The line of the phase. */
export function phaseTitle(state: State, at: Moment): Say {
  if (state.closed !== null) return say('phase.table_closed');
  if (state.voided !== null) return say('phase.voided');
  if (at.phase === 'offline') return say(state.at === null ? 'phase.connecting' : 'phase.reconnecting');
  if (at.phase === 'betting') return say(state.terms?.clock === false ? 'phase.your_move' : 'phase.betting');
  if (at.phase === 'closing') return say('phase.closing');
  const { shown } = at;
  if (shown.cleared) return say('phase.next');
  if (shown.collecting) return say('phase.paying');
  if (shown.winner !== null) return say(winnerKey(shown.winner));
  if (shown.thirdFor !== null) return say('phase.draws', { side: shown.thirdFor });
  return say('phase.dealing');
}

/** The small line under it. */
export function phaseNote(state: State, at: Moment): Say | null {
  if (state.closed !== null) return say('note.table_closed', { reason: state.closed.reason });
  if (state.voided !== null) return say('note.voided');
  if (at.phase === 'offline') return state.receipt === null ? null : say('note.bets_stand');
  if (at.phase === 'betting') {
    if (state.terms?.seats === 'one') return state.terms.shoe === 'every_round' ? say('note.own_shoe', { decks: state.terms.decks }) : null;
    return say('note.patrons', { patrons: state.patrons, bettors: state.totals?.bettors ?? 0 });
  }
  if (at.phase === 'closing') return say('note.all_in', { bettors: state.locked?.bettors ?? state.totals?.bettors ?? 0 });
  const { player, banker } = at.shown;
  if (at.shown.collecting && state.terms?.clock !== false) return at.nextIn > 0 ? say('note.next_in', { seconds: at.nextIn }) : null;
  if (player.points === null || banker.points === null) return null;
  return say('note.points', { player: player.points, banker: banker.points });
}

/** The result of a deal, in large. settled: how the patron's bet on it ended. */
export function banner(dealt: CoupDealt, settled: Settled | null, { winner }: Shown): Banner | null {
  if (winner === null) return null;
  const [player, banker] = [dealt.player_points, dealt.banker_points];
  const net = settled === null ? 0 : settled.returned_minor - settled.staked_minor;
  const facts = { points: player, high: Math.max(player, banker), low: Math.min(player, banker) };
  const over = dealt.natural ? say('banner.natural_over', facts) : say('banner.over', facts);
  return {
    winner,
    title: say(winnerKey(winner)),
    score: winner === 'tie' ? say('banner.all', facts) : over,
    kind: settled === null ? 'none' : net > 0 ? 'won' : net === 0 ? 'pushed' : 'lost',
    netMinor: Math.max(0, net),
  };
}

const winnerKey = (winner: Area): 'result.tie' | 'result.player' | 'result.banker' => `result.${winner}`;
