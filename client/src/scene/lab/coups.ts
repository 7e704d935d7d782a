/** Sample coups and views for the lab and for tests. Timed as the server times them. */

import { type Area, type Deal, type Gesture, NOTHING_MORE, type SceneView, type Side } from '../view';

const DRAW_MS: Readonly<Record<Side, number>> = { player: 860, banker: 600 };
const NEXT_DRAW_MS: Readonly<Record<Side, number>> = { player: 880, banker: 1000 };
const TURN_MS = 520;
const LIES_MS = 140;

export interface LabCoup {
  readonly player: string[];
  readonly banker: string[];
  readonly outcome: Area;
}

export type LabCoupName = Area | 'five' | 'stands';

export const LAB_COUPS: Readonly<Record<LabCoupName, LabCoup>> = {
  banker: { player: ['QH', '2C', '2D'], banker: ['TS', '3H', '4C'], outcome: 'banker' },
  player: { player: ['AS', 'KD', '7C'], banker: ['5D', 'JC', 'TH'], outcome: 'player' },
  tie: { player: ['4H', '4D'], banker: ['QC', '8S'], outcome: 'tie' },
  /** The Player draws, the Banker stands. */
  five: { player: ['2C', '3S', '4H'], banker: ['3H', '4D'], outcome: 'player' },
  /** The Player stands, the Banker draws. */
  stands: { player: ['3C', '3S'], banker: ['2H', '3D', '4C'], outcome: 'banker' },
};

/** The same as `timeline` of the server says: a test compares them. */
export function labTimeline({ player, banker }: LabCoup): Gesture[] {
  const gestures: Gesture[] = [];
  let now = 300;
  const add = (act: Gesture['act'], duration: number, next: number, side?: Side, index?: number): void => {
    const which = side === undefined || index === undefined ? {} : { side, index };
    gestures.push({ act, at_ms: now, dur_ms: duration, ...which });
    now += next;
  };
  const draw = (side: Side, index: number, next: number): void => add('draw', DRAW_MS[side], next, side, index);
  for (const index of [0, 1]) for (const side of ['player', 'banker'] as const) draw(side, index, NEXT_DRAW_MS[side]);
  now += DRAW_MS.banker - NEXT_DRAW_MS.banker + LIES_MS;
  add('turn', TURN_MS, 880, 'player', 0);
  add('turn', TURN_MS, 640, 'player', 1);
  add('turn', TURN_MS, 880, 'banker', 0);
  add('turn', TURN_MS, TURN_MS, 'banker', 1);
  let wait = 420;
  for (const side of ['player', 'banker'] as const) {
    if ((side === 'player' ? player : banker).length < 3) continue;
    now += wait;
    draw(side, 2, DRAW_MS[side] + LIES_MS);
    add('turn', TURN_MS, TURN_MS, side, 2);
    wait = 240;
  }
  now += 420;
  add('result', 700, 700);
  add('collect', 1100, 1100);
  add('pay', 1250, 1250 + 900);
  add('clear', 1400, 1400);
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
