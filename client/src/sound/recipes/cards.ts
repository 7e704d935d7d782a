/** Cards, and the hands that move them: paper on felt. */

import { between, burst, finish, glide, hump, random, ring, rub, track } from '../dsp';
import type { Recipe } from './recipe';

/** A card comes out of the shoe and slides over the felt to a soft stop. */
export const slide: Recipe<{ seconds: number }> = (rate, seed, { seconds }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.14);
  // It leaves the lip of the shoe.
  burst(out, rate, 0.004, { from: 1_800, to: 7_000, attack: 0.002, decay: 0.006, gain: 0.8 }, next);
  rub(out, rate, 0.01, { seconds: seconds * 0.92, speed: glide, from: 750, to: 2_100, q: 0.7, ceiling: 3_400, grain: 0.55, gain: 1 }, next);
  // The edge against the felt, and the fingertip that stops it.
  burst(out, rate, seconds * 0.9, { from: 90, to: 650, attack: 0.004, decay: 0.016, gain: 1.5 }, next);
  burst(out, rate, seconds * 0.9 + 0.004, { from: 1_200, to: 4_000, attack: 0.002, decay: 0.008, gain: 0.22 }, next);
  return finish(out, rate, 0.13, 0.02);
};

/** A card is lifted at its edge, bends, and flaps down on its face. */
export const turn: Recipe<{ seconds: number }> = (rate, seed, { seconds }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.13);
  burst(out, rate, seconds * 0.06, { from: 2_200, to: 9_000, attack: 0.0006, decay: 0.0035, gain: 0.55 }, next);
  // Air under it, and the finger along the paper.
  rub(out, rate, seconds * 0.1, { seconds: seconds * 0.75, speed: hump, from: 800, to: 1_900, q: 0.9, ceiling: 3_600, grain: 0.6, gain: 0.3 }, next);
  const lands = seconds * between(next, 0.86, 0.9);
  burst(out, rate, lands, { from: 350, to: 4_200, attack: 0.0008, decay: 0.009, gain: 1 }, next);
  burst(out, rate, lands, { from: 70, to: 320, attack: 0.002, decay: 0.018, gain: 1.2 }, next);
  // The far edge comes down a moment later.
  burst(out, rate, lands + between(next, 0.012, 0.018), { from: 2_000, to: 8_000, attack: 0.0005, decay: 0.003, gain: 0.5 }, next);
  return finish(out, rate, 0.26, 0.02);
};

/** A flat hand sweeps over the felt: no more bets. */
export const sweep: Recipe<{ seconds: number }> = (rate, seed, { seconds }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.05);
  rub(out, rate, 0, { seconds, speed: hump, from: 240, to: 720, q: 0.6, ceiling: 1_700, grain: 0.3, gain: 1 }, next);
  rub(out, rate, seconds * 0.1, { seconds: seconds * 0.8, speed: hump, from: 1_300, to: 2_400, q: 0.8, ceiling: 4_000, grain: 0.7, gain: 0.13 }, next);
  return finish(out, rate, 0.15, 0.03);
};

/** The cards are swept together, squared and put away. */
export const clear: Recipe<{ seconds: number; cards: number }> = (rate, seed, { seconds, cards }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.2);
  rub(out, rate, 0, { seconds: seconds * 0.6, speed: hump, from: 650, to: 1_800, q: 0.7, ceiling: 3_600, grain: 0.6, gain: 0.7 }, next);
  for (let i = 1; i < cards; i++) {
    const at = seconds * (0.08 + (0.42 * i) / cards) * between(next, 0.95, 1.05);
    burst(out, rate, at, { from: 1_800, to: 7_000, attack: 0.0005, decay: 0.004, gain: between(next, 0.3, 0.55) }, next);
  }
  burst(out, rate, seconds * 0.96, { from: 150, to: 2_400, attack: 0.001, decay: 0.014, gain: 0.9 }, next);
  return finish(out, rate, 0.16, 0.03);
};

/** A full shoe is set on the table: it slides a little, and its lid falls shut. */
export const shoe: Recipe<object> = (rate, seed) => {
  const next = random(seed);
  const out = track(rate, 1.1);
  burst(out, rate, 0.01, { from: 50, to: 260, attack: 0.003, decay: 0.045, gain: 1.5 }, next);
  ring(out, rate, 0.01, [[118, 0.06, 1], [203, 0.045, 0.6], [327, 0.03, 0.3]], 0.8, 0.002);
  rub(out, rate, 0.1, { seconds: 0.4, speed: hump, from: 240, to: 800, q: 0.7, ceiling: 2_000, grain: 0.5, gain: 0.5 }, next);
  burst(out, rate, 0.72, { from: 500, to: 4_500, attack: 0.0006, decay: 0.006, gain: 0.8 }, next);
  ring(out, rate, 0.72, [[640, 0.022, 0.8], [1_080, 0.016, 0.5], [1_930, 0.009, 0.35]], 0.6);
  return finish(out, rate, 0.26, 0.05);
};
