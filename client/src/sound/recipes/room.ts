/** The room behind the table: people talking farther off, and now and then a glass. */

import { between, finish, Filter, type Mode, type Random, random, ring, track } from '../dsp';
import type { Recipe } from './recipe';

/** Where a mouth lets sound through, for some vowels: first and second formant. */
const VOWELS = [
  [730, 1_090],
  [570, 840],
  [300, 870],
  [440, 1_020],
  [270, 2_290],
  [390, 1_990],
  [530, 1_840],
  [660, 1_720],
  [490, 1_350],
] as const;
const TALKERS = 9;
/** The end is laid over the beginning, so that the loop has no seam. */
const SEAM = 1.5;
/** Samples between two pauses for breath: some milliseconds of work. */
const PIECE = 8_192;
/** Enough for what comes through a room: nothing above 2 kHz does. */
export const MURMUR_RATE = 12_000;

interface Talker {
  readonly pitch: number;
  readonly pace: number;
  readonly gain: number;
}

/**
 * A loop of `seconds` of people talking, wordless and a room away. The work is done in pieces of some milliseconds, so
 * that a page stays responsive meanwhile; the last value is the loop.
 */
export function* murmur(seed: number, seconds: number, rate = MURMUR_RATE): Generator<void, Float32Array<ArrayBuffer>> {
  const next = random(seed);
  const out = track(rate, seconds + SEAM);
  for (let i = 0; i < TALKERS; i++) {
    const pitch = i % 2 === 0 ? between(next, 88, 135) : between(next, 165, 235);
    yield* talk(out, rate, { pitch, pace: between(next, 3.6, 5.6), gain: between(next, 0.35, 1) }, next);
  }
  yield* distance(out, rate, next);
  const loop = out.slice(0, Math.round(seconds * rate));
  const seam = out.length - loop.length;
  for (let i = 0; i < seam; i++) {
    const u = (i / seam) * (Math.PI / 2);
    loop[i] = loop[i]! * Math.sin(u) + out[loop.length + i]! * Math.cos(u);
  }
  return finish(loop, rate, 0.5, 0);
}

/** One voice: syllables in phrases, with the pauses in which somebody else speaks. */
function* talk(out: Float32Array, rate: number, { pitch, pace, gain }: Talker, next: Random): Generator<void> {
  const [first, second, glottis] = [new Filter(rate, 500, 6), new Filter(rate, 1_200, 8), new Filter(rate, 700, 0.6)];
  let phase = next();
  let at = Math.round(next() * 2 * rate);
  let breath = PIECE;
  while (at < out.length) {
    const syllables = 3 + Math.floor(next() * 12);
    const melody = between(next, 0.9, 1.12);
    for (let s = 0; s < syllables && at < out.length; s++) {
      const length = Math.round((rate / pace) * between(next, 0.55, 1.35));
      const vowel = VOWELS[Math.floor(next() * VOWELS.length)]!;
      const size = between(next, 0.95, 1.1);
      first.tune(vowel[0] * size, 6);
      second.tune(vowel[1] * size, 8);
      const stress = gain * between(next, 0.4, 1) * (1 - (0.35 * s) / syllables);
      const step = (pitch * melody * between(next, 0.94, 1.08) * (1 - (0.12 * s) / syllables)) / rate;
      const voiced = length * 0.87;
      for (let i = 0; i < length && at < out.length; i++, at++) {
        phase += step * (1 - (0.05 * i) / length);
        if (phase >= 1) phase -= 1;
        glottis.run((2 * phase - 1) * 0.8 + (next() * 2 - 1) * 0.22);
        first.run(glottis.low);
        second.run(glottis.low);
        const u = i / voiced;
        if (u < 1) out[at]! += (first.band + second.band * 0.45) * 4 * u * (1 - u) * stress;
      }
      breath -= length;
      if (breath < 0) {
        breath = PIECE;
        yield;
      }
    }
    at += Math.round(rate * between(next, 0.35, 2.6));
  }
}

/** Walls and air: the high tones get lost, and everything arrives many times. */
function* distance(out: Float32Array, rate: number, next: Random): Generator<void> {
  const [air, rumble, hum] = [new Filter(rate, 950, 0.6), new Filter(rate, 130, 0.7), new Filter(rate, 170, 0.6)];
  const combs = [0.0297, 0.0371, 0.0411, 0.0437, 0.0533].map((seconds) => ({ line: new Float32Array(Math.round(seconds * rate)), at: 0, last: 0 }));
  for (let i = 0; i < out.length; i++) {
    if (i % PIECE === 0) yield;
    air.run(out[i]!);
    rumble.run(air.low);
    let hall = 0;
    for (const comb of combs) {
      const back = comb.line[comb.at]!;
      comb.last += (back - comb.last) * 0.6;
      comb.line[comb.at] = rumble.high + comb.last * 0.84;
      comb.at = comb.at + 1 === comb.line.length ? 0 : comb.at + 1;
      hall += back;
    }
    hum.run(next() * 2 - 1);
    out[i] = rumble.high * 0.35 + hall * 0.3 + hum.low * 0.05;
  }
}

const GLASS: readonly Mode[] = [
  [1, 0.16, 1],
  [1.52, 0.12, 0.5],
  [2.31, 0.08, 0.45],
  [3.27, 0.05, 0.25],
];
/** Two glasses touch, far off. */
export const clink: Recipe<object> = (rate, seed) => {
  const next = random(seed);
  const out = track(rate, 0.9);
  const base = between(next, 1_900, 2_900);
  const modes = (by: number): Mode[] => GLASS.map(([share, decay, gain]) => [base * by * share, decay, gain]);
  ring(out, rate, 0.002, modes(1), 0.6, 0.001);
  ring(out, rate, 0.004, modes(1.19), 0.4, 0.001);
  if (next() < 0.5) ring(out, rate, between(next, 0.09, 0.17), modes(1.01), 0.25, 0.001);
  return finish(out, rate, 0.1, 0.2);
};
