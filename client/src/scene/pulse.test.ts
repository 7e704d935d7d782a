import { describe, expect, it } from 'vitest';
import { CALM_MS, HELD_UP_MS, Pulse, WATCH_MS } from './pulse';

/** When the page is found held up, on a machine whose frames come so far apart; null: never within so long. */
function heldUpAfter(interval: (ms: number) => number, forMs = 120_000): number | null {
  const pulse = new Pulse();
  for (let ms = 0; ms < forMs; ms += interval(ms)) if (pulse.beat(ms)) return ms;
  return null;
}

describe('a page that its 3D table holds up', () => {
  it.each([400, 700, 1_000, 2_000])('is felt within seconds at a frame each %i ms', (interval) => {
    const after = heldUpAfter(() => interval);
    expect(after).toBeGreaterThanOrEqual(CALM_MS + WATCH_MS);
    expect(after).toBeLessThan(CALM_MS + WATCH_MS + 2 * interval);
  });

  it.each([16, 100, 200, HELD_UP_MS])('is none at a frame each %i ms', (interval) => {
    expect(heldUpAfter(() => interval)).toBeNull();
  });

  it('is none for a hitch each second, nor for a slow start', () => {
    expect(heldUpAfter((ms) => (ms % 1_000 < 20 ? 500 : 16))).toBeNull();
    expect(heldUpAfter((ms) => (ms < CALM_MS ? 900 : 16))).toBeNull();
  });

  it('is none where the page sleeps now and then', () => {
    expect(heldUpAfter((ms) => (ms % 10_000 < 100 ? 8_000 : 16))).toBeNull();
  });

  it('is forgotten with every rest', () => {
    const pulse = new Pulse();
    for (let ms = 0; ms < 60_000; ms += 1_000) {
      if (ms % 5_000 === 0) pulse.rest();
      expect(pulse.beat(ms)).toBe(false);
    }
  });
});
