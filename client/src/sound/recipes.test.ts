import { describe, expect, it } from 'vitest';
import { type Effect, render } from './catalogue';
import { MURMUR_RATE, murmur } from './recipes/room';

const RATE = 44_100;

interface Heard {
  readonly peak: number;
  readonly seconds: number;
  /** Root of the mean square over the loudest 50 ms. */
  readonly loudest: number;
  /** The middle of the power's spectrum, Hz. */
  readonly centroid: number;
  readonly tail: number;
}

/** What an ear would measure: a plain Fourier transform over windows of 1024 samples. */
function measure(samples: Float32Array, rate: number): Heard {
  const SIZE = 1_024;
  let [peak, power, moment, loudest] = [0, 0, 0, 0];
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const window = Math.round(rate * 0.05);
  for (let from = 0; from < samples.length; from += window >> 1) {
    let sum = 0;
    for (const sample of samples.subarray(from, from + window)) sum += sample * sample;
    loudest = Math.max(loudest, Math.sqrt(sum / window));
  }
  for (let from = 0; from < samples.length; from += SIZE) {
    const [re, im] = [new Float64Array(SIZE), new Float64Array(SIZE)];
    for (let i = 0; i < SIZE; i++) re[i] = (samples[from + i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));
    transform(re, im);
    for (let k = 1; k < SIZE / 2; k++) {
      const energy = re[k]! ** 2 + im[k]! ** 2;
      power += energy;
      moment += (energy * k * rate) / SIZE;
    }
  }
  const tail = Math.max(...samples.slice(-8).map(Math.abs));
  return { peak, seconds: samples.length / rate, loudest, centroid: moment / power, tail };
}

/** In place, radix 2. */
function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j]] = [re[j]!, re[i]!];
  }
  for (let span = 2; span <= size; span *= 2) {
    for (let start = 0; start < size; start += span) {
      for (let k = 0; k < span / 2; k++) {
        const [cos, sin] = [Math.cos((-2 * Math.PI * k) / span), Math.sin((-2 * Math.PI * k) / span)];
        const [one, other] = [start + k, start + k + span / 2];
        const [x, y] = [re[other]! * cos - im[other]! * sin, re[other]! * sin + im[other]! * cos];
        [re[other], im[other]] = [re[one]! - x, im[one]! - y];
        [re[one], im[one]] = [re[one]! + x, im[one]! + y];
      }
    }
  }
}

/** Effect, at most this long (s), its centroid between (Hz), its loudest moment at least (of full scale). */
const EXPECTED: readonly (readonly [Effect, number, number, number, number])[] = [
  [{ name: 'bell' }, 2.5, 200, 500, 0.08],
  [{ name: 'button' }, 0.1, 900, 3_000, 0.01],
  [{ name: 'chip', pitch: 0 }, 0.25, 3_300, 5_500, 0.03],
  [{ name: 'chip', pitch: 1 }, 0.25, 2_900, 4_800, 0.03],
  [{ name: 'chip', pitch: 2 }, 0.25, 2_400, 4_300, 0.03],
  [{ name: 'clear', seconds: 1.4, cards: 6 }, 1.7, 1_200, 4_000, 0.015],
  [{ name: 'clink' }, 1, 2_500, 6_000, 0.01],
  [{ name: 'collect', seconds: 0.6 }, 0.9, 1_500, 5_000, 0.02],
  [{ name: 'lift' }, 0.15, 3_500, 7_500, 0.01],
  [{ name: 'pay', seconds: 1.25, pieces: 3 }, 1.4, 2_000, 5_500, 0.03],
  [{ name: 'pay', seconds: 0.3, pieces: 2 }, 1.2, 2_200, 5_500, 0.03],
  [{ name: 'refused' }, 0.4, 90, 300, 0.05],
  [{ name: 'shoe' }, 1.5, 150, 1_200, 0.03],
  [{ name: 'slide', seconds: 0.6, handed: false }, 0.8, 1_300, 3_200, 0.02],
  [{ name: 'slide', seconds: 0.88, handed: true }, 1, 1_300, 3_200, 0.02],
  [{ name: 'slide', seconds: 0.2, handed: false }, 0.4, 1_300, 3_600, 0.02],
  [{ name: 'sweep', seconds: 0.95 }, 1.05, 500, 1_500, 0.02],
  [{ name: 'tap' }, 0.25, 200, 600, 0.03],
  [{ name: 'turn', seconds: 0.52 }, 0.8, 1_200, 4_500, 0.02],
  [{ name: 'win' }, 2.1, 330, 600, 0.08],
];

describe('every effect', () => {
  it.each(EXPECTED)('%j', (effect, longest, from, to, loudest) => {
    for (const take of [0, 1, 2, 3]) {
      const heard = measure(render(effect, RATE, take), RATE);
      expect(heard.peak).toBeLessThan(0.6);
      expect(heard.seconds).toBeLessThanOrEqual(longest);
      expect(heard.centroid).toBeGreaterThan(from);
      expect(heard.centroid).toBeLessThan(to);
      expect(heard.loudest).toBeGreaterThan(loudest);
      expect(heard.tail).toBeLessThan(0.0005);
    }
  });

  it('larger chips sound lower', () => {
    const [small, middle, large] = ([0, 1, 2] as const).map((pitch) => measure(render({ name: 'chip', pitch }, RATE, 1), RATE).centroid);
    expect(small).toBeGreaterThan(middle! * 1.08);
    expect(middle).toBeGreaterThan(large! * 1.08);
  });

  it('two takes are alike and not the same; the same take is', () => {
    const [one, other] = [render({ name: 'chip', pitch: 1 }, RATE, 1), render({ name: 'chip', pitch: 1 }, RATE, 2)];
    expect(one).not.toEqual(other);
    expect(render({ name: 'chip', pitch: 1 }, RATE, 1)).toEqual(one);
  });

  it('paid chips are set one after another, the last when the hand has come', () => {
    const samples = render({ name: 'pay', seconds: 1.25, pieces: 3 }, RATE, 1);
    const onsets: number[] = [];
    for (let i = 0; i < samples.length; i++) {
      if (Math.abs(samples[i]!) > 0.24 && i / RATE - (onsets.at(-1) ?? -1) > 0.11) onsets.push(i / RATE);
    }
    expect(onsets).toHaveLength(3);
    expect(onsets.at(-1)).toBeCloseTo(1, 1);
  });

  it.each([
    [{ name: 'turn', seconds: 0.52 } as const, 0.48, 0.53],
    [{ name: 'slide', seconds: 0.6, handed: false } as const, 0.2, 0.4],
    [{ name: 'sweep', seconds: 0.95 } as const, 0.35, 0.6],
  ])('%j is loudest when the hand is there', (effect, from, to) => {
    const samples = render(effect, RATE, 2);
    const window = Math.round(RATE * 0.02);
    const powers = Array.from({ length: Math.floor(samples.length / window) }, (_, i) =>
      samples.subarray(i * window, (i + 1) * window).reduce((sum, sample) => sum + sample * sample, 0),
    );
    const at = (powers.indexOf(Math.max(...powers)) + 0.5) * 0.02;
    expect(at).toBeGreaterThan(from);
    expect(at).toBeLessThan(to);
  });
});

describe('the murmur of the room', () => {
  const work = murmur(3, 4);
  let pieces = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pieces++;
  const samples = step.value;

  it('comes in pieces, as long as asked for, below 1 kHz, and never as loud as full scale', () => {
    const heard = measure(samples, MURMUR_RATE);
    expect(pieces).toBeGreaterThan(20);
    expect(heard.seconds).toBe(4);
    expect(heard.peak).toBeLessThan(0.6);
    expect(heard.centroid).toBeGreaterThan(200);
    expect(heard.centroid).toBeLessThan(900);
  });

  it('has no gap and no seam', () => {
    const tenths = Array.from({ length: 40 }, (_, i) => {
      const part = samples.subarray((i * samples.length) / 40, ((i + 1) * samples.length) / 40);
      return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
    });
    expect(Math.min(...tenths)).toBeGreaterThan(0.01);
    const jump = Math.abs(samples[0]! - samples.at(-1)!);
    const largest = Math.max(...samples.slice(1).map((sample, i) => Math.abs(sample - samples[i]!)));
    expect(jump).toBeLessThanOrEqual(largest);
  });
});
