/** Sample coups and views for the lab and for tests. Timed as the server times them. */

import { type Area, type Deal, type Gesture, NOTHING_MORE, type SceneView, type Side } from '../view';

const DRAW_MS = 620;
const TURN_MS = 440;

export interface LabCoup {
  readonly player: string[];
  readonly banker: string[];
  readonly outcome: Area;
}

export const LAB_COUPS: Readonly<Record<Area, LabCoup>> = {
  banker: { player: ['QH', '2C', '2D'], banker: ['TS', '3H', '4C'], outcome: 'banker' },
  player: { player: ['AS', 'KD', '7C'], banker: ['5D', 'JC', 'TH'], outcome: 'player' },
  tie: { player: ['4H', '4D'], banker: ['QC', '8S'], outcome: 'tie' },
};

export function labTimeline({ player, banker }: LabCoup): Gesture[] {
  const gestures: Gesture[] = [];
  let now = 300;
  const add = (act: Gesture['act'], duration: number, next: number, side?: Side, index?: number): void => {
    const which = side === undefined || index === undefined ? {} : { side, index };
    gestures.push({ act, at_ms: now, dur_ms: duration, ...which });
    now += next;
  };
  for (const index of [0, 1]) for (const side of ['player', 'banker'] as const) add('draw', DRAW_MS, 780, side, index);
  for (const side of ['player', 'banker'] as const) for (const index of [0, 1]) add('turn', TURN_MS, 560, side, index);
  for (const side of ['player', 'banker'] as const) {
    if ((side === 'player' ? player : banker).length < 3) continue;
    now += 750;
    add('draw', DRAW_MS, 780, side, 2);
    add('turn', TURN_MS, 560, side, 2);
  }
  now += 580;
  add('result', 700, 700);
  add('collect', 1100, 1100);
  add('pay', 1100, 3700);
  add('clear', 700, 700);
  return gestures;
}

export const labDeal = (coup: LabCoup, dealsUtcMs: number): Deal => ({
  coup: 75,
  dealsUtcMs,
  playerCards: coup.player,
  bankerCards: coup.banker,
  outcome: coup.outcome,
  timeline: labTimeline(coup),
});

const STAKES: readonly (readonly [Area, number])[] = [
  ['banker', 750_000],
  ['tie', 20_000],
  ['player', 123_450],
];

/** What comes back: the lab's own arithmetic, for something to look at. */
function returned(area: Area, amountMinor: number, outcome: Area): number {
  if (area === outcome)
    return amountMinor + (area === 'tie' ? amountMinor * 8 : area === 'player' ? amountMinor : amountMinor * 0.95);
  return outcome === 'tie' ? amountMinor : 0;
}

const LIMITS = { minMinor: 2_000, maxMinor: 2_500_000 };

export function labView(phase: SceneView['phase'], deal: Deal | null, placed = true): SceneView {
  return {
    ...NOTHING_MORE,
    phase,
    deal,
    mine: STAKES.map(([area, amountMinor]) => ({
      area,
      amountMinor,
      placed,
      returnedMinor: deal === null ? null : returned(area, amountMinor, deal.outcome),
    })),
    others: { player: 1_480_000, tie: 72_000, banker: 4_160_000 },
    limits: { player: LIMITS, tie: LIMITS, banker: LIMITS },
    cardsLeft: 268,
    decks: 8,
    hover: null,
    focus: null,
  };
}
