/** What the house says without words: bell, wood, refusal, a win. */

import { burst, finish, type Mode, random, ring, track } from '../dsp';
import type { Recipe } from './recipe';

/** A low bell, struck softly: bets are open. Partials of a small bronze bowl. */
const BOWL: readonly Mode[] = [
  [1, 0.62, 1],
  [1.003, 0.58, 0.35],
  [2.0, 0.4, 0.42],
  [2.74, 0.26, 0.34],
  [4.11, 0.14, 0.16],
  [5.42, 0.08, 0.1],
];
export const bell: Recipe<object> = (rate, seed) => {
  const out = track(rate, 2.4);
  ring(out, rate, 0.002, BOWL.map(([share, decay, gain]) => [233.1 * share, decay, gain]), 0.6, 0.006);
  burst(out, rate, 0, { from: 300, to: 1_600, attack: 0.002, decay: 0.008, gain: 0.25 }, random(seed));
  return finish(out, rate, 0.26, 0.4);
};

/** A knuckle on muffled wood, for the last seconds of betting. */
export const tap: Recipe<object> = (rate, seed) => {
  const out = track(rate, 0.2);
  ring(out, rate, 0.001, [[236, 0.03, 1], [471, 0.02, 0.55], [783, 0.012, 0.3], [1_270, 0.006, 0.16]], 0.8, 0.0012);
  burst(out, rate, 0, { from: 200, to: 1_800, attack: 0.0008, decay: 0.004, gain: 0.5 }, random(seed));
  return finish(out, rate, 0.22);
};

/** A warm bar: a fundamental and the soft upper tones of a vibraphone. */
const BAR: readonly Mode[] = [
  [1, 0.5, 1],
  [2, 0.22, 0.18],
  [3.98, 0.1, 0.14],
  [9.1, 0.02, 0.03],
];
const [LOWER, UPPER] = [329.63, 440] as const;
/** Two warm notes, a fourth upwards: the patron has won. */
export const win: Recipe<object> = (rate) => {
  const out = track(rate, 2);
  for (const [at, hz, gain] of [[0, LOWER, 0.8], [0.19, UPPER, 1]] as const) {
    // A little off, beside it: it shimmers instead of standing still.
    for (const [detune, share] of [[1, 0.8], [1.004, 0.2]] as const) {
      ring(out, rate, at, BAR.map(([partial, decay, level]) => [hz * detune * partial, decay, level]), gain * share, 0.006);
    }
  }
  return finish(out, rate, 0.24, 0.3);
};

/** Two dull taps: no. */
export const refused: Recipe<object> = (rate, seed) => {
  const next = random(seed);
  const out = track(rate, 0.34);
  for (const [at, gain] of [[0.002, 1], [0.125, 0.8]] as const) {
    ring(out, rate, at, [[128, 0.035, 1], [197, 0.024, 0.5], [342, 0.012, 0.25]], 0.9 * gain, 0.002);
    burst(out, rate, at, { from: 90, to: 620, attack: 0.001, decay: 0.009, gain: 0.9 * gain }, next);
  }
  return finish(out, rate, 0.36);
};

/** A button gives way. */
export const button: Recipe<object> = (rate, seed) => {
  const out = track(rate, 0.06);
  ring(out, rate, 0.0005, [[1_450, 0.005, 0.7], [2_350, 0.003, 0.4]], 0.5);
  burst(out, rate, 0, { from: 350, to: 2_600, attack: 0.0004, decay: 0.0035, gain: 0.8 }, random(seed));
  return finish(out, rate, 0.16);
};
