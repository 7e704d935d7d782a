/** Curves of motion, named as the tokens name them. */

export const clamp01 = (u: number): number => Math.min(1, Math.max(0, u));
export const mix = (a: number, b: number, u: number): number => a + (b - a) * u;

/** The length of (x, z). `Math.hypot` makes a list of what it is given, in every frame. */
export const span = (x: number, z: number): number => Math.sqrt(x * x + z * z);

/** How much of a span has passed: 0 before it, 1 after it. */
export const progress = (now: number, from: number, duration: number): number =>
  duration <= 0 ? (now >= from ? 1 : 0) : clamp01((now - from) / duration);

/** CSS's cubic-bezier() as a function of 0..1. */
export function cubicBezier(x1: number, y1: number, x2: number, y2: number): (u: number) => number {
  const at = (a: number, b: number, t: number): number =>
    ((1 - t) * 3 * a * (1 - t) + 3 * b * t * (1 - t)) * t + t * t * t;
  return (u) => {
    if (u <= 0) return 0;
    if (u >= 1) return 1;
    let low = 0;
    let high = 1;
    for (let i = 0; i < 22; i++) {
      const middle = (low + high) / 2;
      if (at(x1, x2, middle) < u) low = middle;
      else high = middle;
    }
    return at(y1, y2, (low + high) / 2);
  };
}

export const easeInOut = cubicBezier(0.65, 0, 0.35, 1);
export const easeChip = cubicBezier(0.3, 0.7, 0.2, 1);
export const easePop = cubicBezier(0.34, 1.56, 0.64, 1);

/** Minimum jerk: a hand's way from rest to rest. */
export function easeHand(u: number): number {
  const x = clamp01(u);
  return x * x * x * (x * (6 * x - 15) + 10);
}

/** How far something goes on in `x` ms that stops smoothly within `all`: its speed is 1 at first; ends at half of `all`. */
export function runOut(x: number, all: number): number {
  if (x >= all) return all / 2;
  const s = x / all;
  return x - all * s * s * s * s * (s * s - 3 * s + 2.5);
}

/** Two hands in a row: it slows down half-way, where the one takes over from the other, and does not stop. */
export function easeHandover(u: number): number {
  return (easeHand(u / HANDOVER_PART) + easeHand((u - 1 + HANDOVER_PART) / HANDOVER_PART)) / 2;
}
const HANDOVER_PART = 0.66;

/** Like max(0, x), but smooth: `soft` is how far the bend reaches to both sides. */
export function softPlus(x: number, soft: number): number {
  if (x > soft * 20) return x;
  return soft * Math.log1p(Math.exp(x / soft));
}

/** Like min(a, b), but smooth. */
export const softMin = (a: number, b: number, soft: number): number => a - softPlus(a - b, soft);

/** 0 … 1, the same for the same whole number and channel. */
export function scatter(n: number, channel = 0): number {
  let hash = Math.imul((n | 0) ^ Math.imul(channel + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** Durations of the tokens that the scene needs itself, in ms; gestures bring their own. */
export const PUSH_MS = 420;
export const DROP_MS = 340;
export const GLOW_MS = 1400;
