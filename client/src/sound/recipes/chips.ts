/** Chips: clay on clay, clay on felt. */

import { between, burst, finish, hump, type Mode, type Random, random, ring, rub, track } from '../dsp';
import type { Recipe } from './recipe';

/** Lowest way in which a disc of that weight rings: small, middle and large values. */
const BASES = [3_350, 2_820, 2_380] as const;
/** The ways of a free disc, as shares of the lowest; clay swallows the upper ones sooner. */
const DISC: readonly Mode[] = [
  [1, 0.0085, 1],
  [1.73, 0.007, 0.75],
  [2.33, 0.005, 0.5],
  [3.05, 0.003, 0.3],
];

export type Pitch = 0 | 1 | 2;

/** One contact of a chip. */
function knock(out: Float32Array, rate: number, at: number, base: number, gain: number, next: Random): void {
  const detune = between(next, 0.97, 1.03);
  ring(out, rate, at, DISC.map(([hz, decay, level]) => [base * hz * detune * between(next, 0.985, 1.015), decay * between(next, 0.85, 1.15), level]), gain * 0.5);
  burst(out, rate, at, { from: 1_500, to: 7_500, attack: 0.0003, decay: 0.0016, gain: gain * 0.9 }, next);
}

/** A chip is dropped on its spot: one knock, and the shorter and shorter ones with which it comes to rest. */
function drop(out: Float32Array, rate: number, at: number, base: number, gain: number, next: Random): void {
  burst(out, rate, at, { from: 60, to: 420, attack: 0.001, decay: 0.014, gain: gain * 1.1 }, next);
  knock(out, rate, at, base, gain, next);
  let [gap, level, when] = [between(next, 0.03, 0.042), gain * between(next, 0.28, 0.4), at];
  for (let i = 0; i < 3; i++) {
    when += gap;
    knock(out, rate, when, base * 1.04, level, next);
    gap *= 0.62;
    level *= 0.55;
  }
}

export const chip: Recipe<{ pitch: Pitch }> = (rate, seed, { pitch }) => {
  const out = track(rate, 0.2);
  drop(out, rate, 0.001, BASES[pitch], 1, random(seed));
  return finish(out, rate, 0.42);
};

/** A chip leaves the rail: two edges brush. */
export const lift: Recipe<object> = (rate, seed) => {
  const next = random(seed);
  const out = track(rate, 0.09);
  knock(out, rate, 0.001, BASES[0] * 1.15, 0.5, next);
  knock(out, rate, between(next, 0.018, 0.024), BASES[0] * 1.2, 0.28, next);
  return finish(out, rate, 0.14);
};

/** Stacks go to the house: they slide over the felt, and their chips clatter against each other. */
export const collect: Recipe<{ seconds: number }> = (rate, seed, { seconds }) => {
  const next = random(seed);
  const out = track(rate, seconds + 0.22);
  rub(out, rate, 0, { seconds, speed: hump, from: 350, to: 1_200, q: 0.6, ceiling: 2_600, grain: 0.6, gain: 0.45 }, next);
  for (let at = seconds * 0.14; at < seconds * 0.8; at += between(next, 0.022, 0.07)) {
    const base = BASES[Math.floor(next() * 3) as Pitch] * between(next, 0.94, 1.06);
    knock(out, rate, at + next() * 0.008, base, (0.15 + 0.6 * hump(at / seconds)) * between(next, 0.45, 1), next);
  }
  drop(out, rate, seconds * 0.93, BASES[2], 0.75, next);
  return finish(out, rate, 0.34, 0.03);
};

/** Winnings are cut out of the tray, slid over the felt, and set beside the stake, one after another. */
export const pay: Recipe<{ pieces: number; seconds: number }> = (rate, seed, { pieces, seconds }) => {
  const next = random(seed);
  const out = track(rate, seconds * 0.86 + 0.2);
  knock(out, rate, seconds * 0.06, BASES[1] * 1.06, 0.45, next);
  knock(out, rate, seconds * 0.06 + between(next, 0.02, 0.03), BASES[1] * 1.1, 0.3, next);
  rub(out, rate, seconds * 0.14, { seconds: seconds * 0.6, speed: hump, from: 380, to: 1_200, q: 0.6, ceiling: 2_400, grain: 0.55, gain: 0.3 }, next);
  const gap = Math.min(0.16, seconds * 0.13);
  for (let i = 0; i < pieces; i++) {
    const at = seconds * 0.8 - gap * (pieces - 1 - i) * between(next, 0.94, 1.04);
    drop(out, rate, at, BASES[1] * (1 + 0.035 * i), between(next, 0.8, 1), next);
  }
  return finish(out, rate, 0.45, 0.03);
};
