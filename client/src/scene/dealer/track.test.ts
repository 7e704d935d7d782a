import { describe, expect, it } from 'vitest';
import { handTarget, setPlace } from './hand';
import { type Beat, Track, WAY_MS } from './track';

const standing = (from: number, to: number, x: number, holds = false): Beat => ({
  from,
  to,
  lift: 0,
  pose: (_ms, out) => setPlace(out, x, 0, 0),
  ...(holds ? { holds: { what: 'pack' } as const } : {}),
});
const rest = (_ms: number, out: Float64Array): void => setPlace(out as never, 0, 0, 0);
const xs = (track: Track, from: number, to: number): number[] => {
  const out = handTarget();
  const found: number[] = [];
  for (let ms = from; ms <= to; ms += 16) {
    track.pose(ms, out);
    found.push(out[0]!);
  }
  return found;
};

describe('a track', () => {
  it('rests before, after, and where there is time between', () => {
    const track = new Track([standing(1_000, 1_500, 1), standing(9_000, 9_500, 2)], rest);
    const out = handTarget();
    for (const [ms, x] of [[0, 0], [1_200, 1], [5_000, 0], [9_200, 2], [9_500 + WAY_MS, 0]] as const) {
      track.pose(ms, out);
      expect(out[0]).toBeCloseTo(x, 9);
    }
  });

  it('goes straight on where there is none, and never jumps', () => {
    const track = new Track([standing(1_000, 1_500, 1), standing(2_200, 2_400, 2)], rest);
    const found = xs(track, 1_500, 2_200);
    found.forEach((x, i) => expect(x).toBeGreaterThanOrEqual(found[Math.max(0, i - 1)]!));
    found.slice(1).forEach((x, i) => expect(x - found[i]!).toBeLessThan(0.06));
  });

  it('lets what holds nothing give way to what comes too soon, and stays smooth', () => {
    const track = new Track([standing(1_000, 3_000, 1, true), standing(1_050, 1_300, 5), standing(2_000, 2_500, 2, true)], rest);
    const found = xs(track, 0, 4_000);
    expect(Math.max(...found)).toBeLessThan(2.01);
    found.slice(1).forEach((x, i) => expect(Math.abs(x - found[i]!)).toBeLessThan(0.25));
  });

  it('tells the same of a moment, wherever it was asked before', () => {
    const track = new Track([standing(1_000, 1_500, 1), standing(2_200, 2_400, 2)], rest);
    const out = handTarget();
    track.pose(2_300, out);
    track.pose(1_100, out);
    expect(out[0]).toBe(1);
  });
});
