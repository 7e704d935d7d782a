/** How a hand is held. */

/**
 * Curl of index, middle, ring, little finger (0 straight, 1 closed), spread (0 parallel, 1 fanned), thumb roll, side,
 * bend and flex in radians, and pinch (0: the working point lies under the first two fingertips; 2: between index
 * finger and thumb).
 */
export type Grip = readonly number[];

export const GRIP_PARTS = 10;
export const SPREAD = 4;
export const THUMB = 5;
export const PINCH = 9;

const grip = (fingers: readonly number[], thumb: readonly number[], pinch = 0): Grip => [...fingers, ...thumb, pinch];

export const GRIPS = {
  relaxed: grip([0.22, 0.29, 0.35, 0.38, 0.1], [-0.1, 0.1, 0.08, 0.16]),
  flat: grip([0.05, 0.05, 0.06, 0.08, 0.12], [0, 0.12, 0, 0.05]),
  /** Fingertips on a card; the longer fingers' curl is fitted to each hand. */
  press: grip([0.22, 0.46, 0.3, 0.4, 0.05], [-0.12, 0.16, 0.06, 0.12]),
  /** A card's edge between pads. */
  card: grip([0.67, 0.7, 0.86, 0.94, 0], [-0.285, 0.09, 0.254, 0.287], 2),
  /** The sides of a stack of chips between pads; how far it opens is fitted to each hand. */
  chips: grip([0.72, 0.74, 0.82, 0.9, 0], [-0.3, -0.3, 0.5, 0.1], 2),
  open: grip([0.06, 0.12, 0.2, 0.26, 0.35], [0.1, -0.05, 0, 0.1]),
} as const satisfies Record<string, Grip>;

export type GripName = keyof typeof GRIPS;
/** Grips fitted to one hand. */
export interface Grips extends Readonly<Record<GripName, Grip>> {
  /** The rolls at which chips are held level, at the tray and far out. */
  readonly chipRolls: readonly [near: number, far: number];
}

/** How far fingers point down when they press on a card, and when they hold chips at the tray and far out. */
export const PRESS_PITCH = 0.5;
export const PRESS_ROLL = 0.04;
export const CHIP_PITCHES = [0.86, 0.73] as const;


export const mixGrip = (a: Grip, b: Grip, u: number): Grip => a.map((part, i) => part + (b[i]! - part) * u);
