/** Curves of motion, named as the tokens name them. */

export const clamp01 = (u: number): number => Math.min(1, Math.max(0, u));
export const mix = (a: number, b: number, u: number): number => a + (b - a) * u;

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
export const easeCard = cubicBezier(0.22, 0.61, 0.2, 1);
export const easePop = cubicBezier(0.34, 1.56, 0.64, 1);

/** Minimum jerk: a hand's way from rest to rest. */
export function easeHand(u: number): number {
  const x = clamp01(u);
  return x * x * x * (x * (6 * x - 15) + 10);
}

/** Durations of the tokens that the scene needs itself, in ms; gestures bring their own. */
export const PUSH_MS = 420;
export const DROP_MS = 340;
export const GLOW_MS = 1400;
