/** What of a dealt coup has been shown by now. Nothing is decided here: the server named every moment. */

import type { CoupDealt, Gesture } from '../wire/events';
import type { Area, Side } from './state';

export interface HandShown {
  /** Cards on the table in order; null lies face down. */
  readonly cards: readonly (string | null)[];
  /** Points of the cards turned so far; null before the first. */
  readonly points: number | null;
}

export interface Shown {
  readonly player: HandShown;
  readonly banker: HandShown;
  /** From the call of the result on. */
  readonly winner: Area | null;
  readonly natural: boolean;
  /** Which hand a third card is being dealt to. */
  readonly thirdFor: Side | null;
  /** Both hands of two lie open. */
  readonly open: boolean;
  readonly collecting: boolean;
  readonly paid: boolean;
  readonly cleared: boolean;
  /** Milliseconds since the result was called; negative before. */
  readonly sinceResultMs: number;
  /** How many starts and ends of gestures have passed: two moments with the same number show the same. */
  readonly edges: number;
}

const NO_HAND: HandShown = { cards: [], points: null };

export const NOTHING_SHOWN: Shown = {
  player: NO_HAND,
  banker: NO_HAND,
  winner: null,
  natural: false,
  thirdFor: null,
  open: false,
  collecting: false,
  paid: false,
  cleared: false,
  sinceResultMs: Number.NEGATIVE_INFINITY,
  edges: 0,
};

export function shown(dealt: CoupDealt, nowUtcMs: number): Shown {
  const ms = nowUtcMs - dealt.deals_utc_ms;
  const began = (gesture: Gesture): boolean => ms >= gesture.at_ms;
  const ended = (gesture: Gesture): boolean => ms >= gesture.at_ms + gesture.dur_ms;
  const { timeline } = dealt;
  const resultAt = momentOf(dealt, 'result');
  const turns = timeline.filter((gesture) => gesture.act === 'turn' && ended(gesture));
  const third = timeline.filter((gesture) => gesture.act === 'draw' && gesture.index === 2 && began(gesture)).at(-1);
  const firstTurns = timeline.filter((gesture) => gesture.act === 'turn' && (gesture.index ?? 0) < 2);
  const called = ms >= resultAt;
  return {
    player: hand('player', dealt.player_cards, timeline, ended),
    banker: hand('banker', dealt.banker_cards, timeline, ended),
    winner: called ? (dealt.outcome as Area) : null,
    natural: dealt.natural && turns.length >= firstTurns.length,
    thirdFor: !called && third !== undefined ? ((third.side ?? null) as Side | null) : null,
    open: firstTurns.length > 0 && turns.length >= firstTurns.length,
    collecting: ms >= Math.min(momentOf(dealt, 'collect'), momentOf(dealt, 'pay')),
    paid: ms >= payMoment(dealt),
    cleared: ms >= momentOf(dealt, 'clear'),
    sinceResultMs: ms - resultAt,
    edges: timeline.filter(began).length + timeline.filter(ended).length,
  };
}

function hand(
  side: Side,
  codes: readonly string[],
  timeline: readonly Gesture[],
  ended: (gesture: Gesture) => boolean,
): HandShown {
  const mine = timeline.filter((gesture) => gesture.side === side && ended(gesture));
  const drawn = mine.filter((gesture) => gesture.act === 'draw').length;
  const turned = mine.filter((gesture) => gesture.act === 'turn');
  const isOpen = (index: number): boolean => turned.some((gesture) => gesture.index === index);
  return {
    cards: codes.slice(0, drawn).map((code, index) => (isOpen(index) ? code : null)),
    points: turned.at(-1)?.points ?? null,
  };
}

/** When the first gesture of this kind begins, in ms since the deal; never, when the timeline has none. */
export function momentOf(dealt: CoupDealt, act: string): number {
  return dealt.timeline.find((gesture) => gesture.act === act)?.at_ms ?? Number.POSITIVE_INFINITY;
}

/** When winnings reach the balance: at the paying gesture, else with the result. */
function payMoment(dealt: CoupDealt): number {
  const pay = momentOf(dealt, 'pay');
  return Number.isFinite(pay) ? pay : momentOf(dealt, 'result');
}

/** The deal of somebody who would not wait: from `atUtcMs` on everything but the clearing has been done. */
export function hurried(dealt: CoupDealt, atUtcMs: number): CoupDealt {
  const ms = Math.max(0, atUtcMs - dealt.deals_utc_ms);
  const timeline = dealt.timeline.map((gesture) => {
    if (gesture.act === 'clear' || gesture.at_ms + gesture.dur_ms <= ms) return gesture;
    const at_ms = Math.min(gesture.at_ms, ms);
    return { ...gesture, at_ms, dur_ms: ms - at_ms };
  });
  return { ...dealt, timeline };
}
