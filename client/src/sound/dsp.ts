/**
 * What the recipes are cooked with: noise, filters, ringing bodies. Plain arithmetic on samples, the same everywhere.
 *
 * A track is a `Float32Array` of samples, 1 being full scale; times are seconds, frequencies Hz, `rate` samples a second.
 */

export type Random = () => number;

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = (seed + 0x9e3779b9) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Between two numbers, evenly. */
export const between = (next: Random, low: number, high: number): number => low + (high - low) * next();

export const track = (rate: number, seconds: number): Float32Array<ArrayBuffer> => new Float32Array(Math.ceil(rate * seconds));

/** A state variable filter that may be tuned while it runs (topology-preserving, stable up to near half the rate). */
export class Filter {
  low = 0;
  band = 0;
  high = 0;
  private s1 = 0;
  private s2 = 0;
  private g = 0;
  private k = 1;
  private h = 1;

  constructor(
    private readonly rate: number,
    hz = 1000,
    q = 0.7,
  ) {
    this.tune(hz, q);
  }

  tune(hz: number, q: number): void {
    this.g = Math.tan((Math.PI * Math.min(hz, this.rate * 0.45)) / this.rate);
    this.k = 1 / q;
    this.h = 1 / (1 + this.g * (this.g + this.k));
  }

  /** One sample in; `low`, `band` (1 at its middle) and `high` out. */
  run(x: number): void {
    const band = this.h * (this.g * (x - this.s2) + this.s1);
    const low = this.s2 + this.g * band;
    this.s1 = 2 * band - this.s1;
    this.s2 = 2 * low - this.s2;
    this.low = low;
    this.band = band * this.k;
    this.high = x - this.k * band - low;
  }
}

export interface Burst {
  /** The band that is let through. */
  readonly from: number;
  readonly to: number;
  /** Seconds until it is full, and until it has fallen to a third. */
  readonly attack: number;
  readonly decay: number;
  readonly gain: number;
}

/** A short noise: two things meeting. */
export function burst(out: Float32Array, rate: number, at: number, { from, to, attack, decay, gain }: Burst, next: Random): void {
  const [floor, ceiling] = [new Filter(rate, from, 0.7), new Filter(rate, to, 0.7)];
  const first = Math.round(at * rate);
  const length = Math.min(out.length - first, Math.ceil((attack + decay * 7) * rate));
  const [rising, fall] = [attack * rate, Math.exp(-1 / (decay * rate))];
  for (let i = 0, level = gain; i < length; i++) {
    floor.run(next() * 2 - 1);
    ceiling.run(floor.high);
    out[first + i]! += ceiling.low * (i < rising ? (gain * i) / rising : level);
    if (i >= rising) level *= fall;
  }
}

/** Frequency, seconds until a third is left, gain. */
export type Mode = readonly [hz: number, decay: number, gain: number];

/** A body that rings: damped sines that start together within `attack` seconds. */
export function ring(out: Float32Array, rate: number, at: number, modes: readonly Mode[], gain: number, attack = 0.0004): void {
  const first = Math.round(at * rate);
  for (const [hz, decay, level] of modes) {
    if (hz > rate * 0.45) continue;
    const length = Math.min(out.length - first, Math.ceil(decay * 7 * rate));
    // A number that turns round and shrinks.
    const [step, fall, rising] = [(2 * Math.PI * hz) / rate, Math.exp(-1 / (decay * rate)), attack * rate];
    const [cos, sin] = [Math.cos(step) * fall, Math.sin(step) * fall];
    for (let i = 0, x = level * gain, y = 0; i < length; i++) {
      out[first + i]! += i < rising ? (y * i) / rising : y;
      [x, y] = [x * cos - y * sin, x * sin + y * cos];
    }
  }
}

export interface Rub {
  readonly seconds: number;
  /** Speed of the motion, 0 … 1, at a share of its time. */
  readonly speed: (u: number) => number;
  /** Middle of the band at rest and at full speed. */
  readonly from: number;
  readonly to: number;
  readonly q: number;
  /** Nothing above this. */
  readonly ceiling: number;
  /** How rough the ground is: 0 even … 1 grains only. */
  readonly grain: number;
  readonly gain: number;
}

/** One thing rubbing along another: noise that grows louder and brighter with the speed. */
export function rub(out: Float32Array, rate: number, at: number, { seconds, speed, from, to, q, ceiling, grain, gain }: Rub, next: Random): void {
  const [band, texture] = [new Filter(rate, from, q), new Filter(rate, 90, 0.5)];
  const [floor, top] = [new Filter(rate, from * 0.4, 0.7), new Filter(rate, ceiling, 0.6)];
  const first = Math.round(at * rate);
  const length = Math.min(out.length - first, Math.round(seconds * rate));
  for (let i = 0, level = 0; i < length; i++) {
    if (i % 16 === 0) {
      const moving = speed(i / length);
      band.tune(from + (to - from) * moving, q);
      level = Math.pow(moving, 1.4) * gain;
    }
    texture.run(next() * 2 - 1);
    band.run(next() * 2 - 1);
    floor.run(band.band);
    top.run(floor.high);
    const rough = 1 + grain * (Math.min(1, Math.abs(texture.low) * 14) - 1);
    out[first + i]! += top.low * rough * level;
  }
}

/** Rises and falls once, softly at both ends: the speed of a hand that moves from rest to rest. */
export const hump = (u: number): number => (u <= 0 || u >= 1 ? 0 : Math.sin(Math.PI * u) ** 2);

/** Two hands in a row: the second takes over before the first has come to rest. */
export const handover = (u: number): number => Math.min(1, hump(u / 0.66) + hump((u - 0.34) / 0.66));

/** Ends softly and at nothing; the loudest sample is then `peak`. */
export function finish(out: Float32Array<ArrayBuffer>, rate: number, peak: number, fade = 0.008): Float32Array<ArrayBuffer> {
  const length = Math.min(out.length, Math.round(fade * rate));
  for (let i = 0; i < length; i++) out[out.length - 1 - i]! *= i / length;
  let most = 0;
  for (const sample of out) most = Math.max(most, Math.abs(sample));
  if (most > 0) for (let i = 0; i < out.length; i++) out[i]! *= peak / most;
  return out;
}
