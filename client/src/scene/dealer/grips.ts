/** How a hand is held. */

import { mix } from '../craft/ease';

/**
 * Finger curl 0 = straight, 1 = closed; spread 0 = parallel, 1 = fanned; thumb angles in radians;
 * pinch 1 = the working point lies between thumb and fingertips.
 */
export interface Grip {
  readonly index: number;
  readonly middle: number;
  readonly ring: number;
  readonly pinky: number;
  readonly spread: number;
  readonly thumbRoll: number;
  readonly thumbSide: number;
  readonly thumbBend: number;
  readonly thumbFlex: number;
  readonly pinch: number;
}

const grip = (
  [index, middle, ring, pinky, spread]: readonly [number, number, number, number, number],
  [thumbRoll, thumbSide, thumbBend, thumbFlex]: readonly [number, number, number, number],
  pinch = 0,
): Grip => ({ index, middle, ring, pinky, spread, thumbRoll, thumbSide, thumbBend, thumbFlex, pinch });

/** The thumbs of `card` and `chips` were solved so that the pads meet at 13 mm (a card) and 52 mm (a chip between two pads). */
export const GRIPS = {
  relaxed: grip([0.22, 0.29, 0.35, 0.38, 0.1], [-0.1, 0.1, 0.08, 0.16]),
  flat: grip([0.1, 0.1, 0.12, 0.14, 0.1], [0, 0.15, 0, 0.05]),
  card: grip([0.67, 0.7, 0.86, 0.94, 0], [-0.285, 0.09, 0.254, 0.287], 1),
  chips: grip([0.33, 0.34, 0.42, 0.52, 0], [-0.235, 0.035, 0.235, 0.249], 1),
  open: grip([0.06, 0.12, 0.2, 0.26, 0.35], [0.1, -0.05, 0, 0.1]),
} as const satisfies Record<string, Grip>;

export type GripName = keyof typeof GRIPS;

export const mixGrip = (a: Grip, b: Grip, u: number): Grip => ({
  index: mix(a.index, b.index, u),
  middle: mix(a.middle, b.middle, u),
  ring: mix(a.ring, b.ring, u),
  pinky: mix(a.pinky, b.pinky, u),
  spread: mix(a.spread, b.spread, u),
  thumbRoll: mix(a.thumbRoll, b.thumbRoll, u),
  thumbSide: mix(a.thumbSide, b.thumbSide, u),
  thumbBend: mix(a.thumbBend, b.thumbBend, u),
  thumbFlex: mix(a.thumbFlex, b.thumbFlex, u),
  pinch: mix(a.pinch, b.pinch, u),
});
