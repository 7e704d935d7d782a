/** Cards, and the hands that move them: paper on felt. */

import { between, burst, finish, handover, hump, random, ring, rub, track } from '../dsp';
import type { Recipe } from './recipe';

/** A card comes out of the shoe and slides over the felt to a soft stop; `handed` on from one hand to the other. */
export const slide: Recipe<{ seconds: number; handed: boolean }> = (rate, seed, { seconds, handed }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.1);
  const speed = handed ? handover : hump;
  // It leaves the lip of the shoe.
  burst(out, rate, seconds * 0.06, { from: 1_800, to: 7_000, attack: 0.002, decay: 0.006, gain: 0.8 }, next);
  rub(out, rate, 0, { seconds, speed, from: 750, to: 2_100, q: 0.7, ceiling: 3_400, grain: 0.55, gain: 1 }, next);
  // The edge against the felt, and the fingertip that stops it.
  burst(out, rate, seconds * 0.93, { from: 90, to: 650, attack: 0.004, decay: 0.016, gain: 1.3 }, next);
  burst(out, rate, seconds * 0.93 + 0.004, { from: 1_200, to: 4_000, attack: 0.002, decay: 0.008, gain: 0.2 }, next);
  return finish(out, rate, 0.13, 0.02);
};

/** A card is lifted at its edge, bends as it is rolled over, and falls flat on its back. */
export const turn: Recipe<{ seconds: number }> = (rate, seed, { seconds }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.12);
  burst(out, rate, seconds * 0.08, { from: 2_200, to: 9_000, attack: 0.0006, decay: 0.0035, gain: 0.55 }, next);
  // Air under it, and the finger along the paper.
  rub(out, rate, seconds * 0.1, { seconds: seconds * 0.75, speed: hump, from: 800, to: 1_900, q: 0.9, ceiling: 3_600, grain: 0.6, gain: 0.3 }, next);
  const lands = seconds * between(next, 0.965, 0.985);
  burst(out, rate, lands, { from: 350, to: 4_200, attack: 0.0008, decay: 0.009, gain: 1 }, next);
  burst(out, rate, lands, { from: 70, to: 320, attack: 0.002, decay: 0.018, gain: 1.2 }, next);
  // The far edge came down a moment before.
  burst(out, rate, lands - between(next, 0.012, 0.018), { from: 2_000, to: 8_000, attack: 0.0005, decay: 0.003, gain: 0.5 }, next);
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

/** The cards are swept together by one hand and taken by the other, then put away. */
export const clear: Recipe<{ seconds: number; cards: number }> = (rate, seed, { seconds, cards }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.15);
  for (const [from, to] of [[0.04, 0.34], [0.33, 0.64]] as const) {
    rub(out, rate, seconds * from, { seconds: seconds * (to - from), speed: hump, from: 650, to: 1_800, q: 0.7, ceiling: 3_600, grain: 0.6, gain: 0.7 }, next);
  }
  for (let i = 1; i < cards; i++) {
    const at = seconds * (0.1 + (0.46 * i) / cards) * between(next, 0.95, 1.05);
    burst(out, rate, at, { from: 1_800, to: 7_000, attack: 0.0005, decay: 0.004, gain: between(next, 0.3, 0.55) }, next);
  }
  burst(out, rate, seconds * 0.96, { from: 150, to: 2_400, attack: 0.001, decay: 0.014, gain: 0.9 }, next);
  return finish(out, rate, 0.16, 0.03);
};

/** When a fresh pack lies in the shoe, and when a hand pats its lid; seconds. */
const PACK_LIES = 0.56;
const LID = 1.06;
/** A fresh pack slides down into the shoe and settles; then a hand lies down on the lid. */
export const shoe: Recipe<object> = (rate, seed) => {
  const next = random(seed);
  const out = track(rate, 1.4);
  rub(out, rate, 0.04, { seconds: PACK_LIES - 0.04, speed: (u) => hump(u ** 1.3), from: 420, to: 1_500, q: 0.7, ceiling: 3_000, grain: 0.5, gain: 0.7 }, next);
  burst(out, rate, PACK_LIES, { from: 60, to: 420, attack: 0.002, decay: 0.03, gain: 1.5 }, next);
  burst(out, rate, PACK_LIES + 0.004, { from: 900, to: 4_200, attack: 0.001, decay: 0.009, gain: 0.45 }, next);
  ring(out, rate, PACK_LIES, [[137, 0.05, 1], [231, 0.035, 0.6], [388, 0.02, 0.3]], 0.5, 0.002);
  burst(out, rate, LID, { from: 180, to: 1_500, attack: 0.0015, decay: 0.008, gain: 0.7 }, next);
  ring(out, rate, LID, [[212, 0.028, 0.7], [430, 0.018, 0.4], [860, 0.01, 0.2]], 0.35, 0.0015);
  return finish(out, rate, 0.24, 0.05);
};
