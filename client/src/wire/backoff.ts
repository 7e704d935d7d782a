/** How long to wait before the n-th try to reconnect (0 is the first): at once, then doubling, always a little apart. */

const FIRST_MS = 250;
const BASE_MS = 500;
const LIMIT_MS = 10_000;

/** `random` in [0, 1). The first retry comes within 300 ms; later ones between half and the whole of a doubling wait. */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  if (attempt <= 0) return 50 + random() * FIRST_MS;
  const whole = Math.min(LIMIT_MS, BASE_MS * 2 ** Math.min(attempt, 16));
  return whole / 2 + (random() * whole) / 2;
}
