/** When which part of a coup happens: the timeline of a deal, looked up once and asked many times. Pure. */

import { progress } from './craft/ease';
import type { Area, Deal, Gesture, Side } from './view';

/** A stretch of time, ms since the deal. */
export interface Span {
  readonly at: number;
  readonly duration: number;
}

export interface CardTimes {
  readonly side: Side;
  readonly index: number;
  readonly code: string;
  readonly draw: Span;
  /** null: this card is never turned. */
  readonly turn: Span | null;
}

/** Moments of a coup; Infinity where the timeline has none. */
export interface CoupTimes {
  readonly dealsUtcMs: number;
  readonly outcome: Area;
  readonly cards: readonly CardTimes[];
  readonly result: Span;
  readonly collect: Span;
  readonly pay: Span;
  readonly clear: Span;
}

const NEVER: Span = { at: Number.POSITIVE_INFINITY, duration: 0 };

const spanOf = (gesture: Gesture | undefined): Span | null =>
  gesture === undefined ? null : { at: gesture.at_ms, duration: gesture.dur_ms };

export function coupTimes(deal: Deal): CoupTimes {
  const find = (act: Gesture['act'], side?: Side, index?: number): Span | null =>
    spanOf(
      deal.timeline.find(
        (gesture) =>
          gesture.act === act && (side === undefined || (gesture.side === side && (gesture.index ?? 0) === index)),
      ),
    );
  const cards = (side: Side, codes: readonly string[]): CardTimes[] =>
    codes.flatMap((code, index) => {
      const draw = find('draw', side, index);
      return draw === null ? [] : [{ side, index, code, draw, turn: find('turn', side, index) }];
    });
  return {
    dealsUtcMs: deal.dealsUtcMs,
    outcome: deal.outcome,
    cards: [...cards('player', deal.playerCards), ...cards('banker', deal.bankerCards)],
    result: find('result') ?? NEVER,
    collect: find('collect') ?? NEVER,
    pay: find('pay') ?? NEVER,
    clear: find('clear') ?? NEVER,
  };
}

/** Share of a span that has passed; `still` (reduced motion) shows only its end. */
export function passed(span: Span, ms: number, still = false): number {
  if (still) return ms >= span.at + span.duration ? 1 : 0;
  return progress(ms, span.at, span.duration);
}

export const hasEnded = (span: Span, ms: number): boolean => ms >= span.at + span.duration;
