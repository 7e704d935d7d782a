import { describe, expect, it } from 'vitest';
import { Chooser, FAST_FOR_MS, rememberedTiers, SETTLE_MS, SLOW_FOR_MS, type TierMemory } from './chooser';
import { guessTier, pixelRatio, TIERS, type TierName } from './quality';

interface Run {
  readonly changes: { ms: number; tier: TierName }[];
  readonly failed: TierName[];
  readonly chooser: Chooser;
}

/** Frames on a machine that takes `cost[tier]` ms for one, for so many ms. */
function run(
  guess: TierName,
  cost: Readonly<Record<TierName, number>>,
  forMs: number,
  { work = 3, failed = [] as TierName[], hitch = (_ms: number): number => 0 } = {},
): Run {
  const told: TierName[] = [];
  const memory: TierMemory = { failed: new Set(failed), fail: (tier) => told.push(tier), forget: () => undefined };
  const chooser = new Chooser(guess, memory);
  const changes: Run['changes'] = [];
  for (let ms = 0; ms < forMs; ms += Math.max(1000 / 60, cost[chooser.tier]) + hitch(ms)) {
    const tier = chooser.frame(ms, work);
    if (tier !== null) changes.push({ ms, tier });
  }
  return { changes, failed: told, chooser };
}

const FAST = { low: 2, medium: 4, high: 9 };
const WEAK = { low: 14, medium: 22, high: 45 };
const POOR = { low: 30, medium: 60, high: 120 };
const HOUR = 600_000;

describe('the tier that is chosen by measuring', () => {
  it('stays where frames are fluent', () => {
    expect(run('high', FAST, HOUR).changes).toEqual([]);
  });

  it('goes down after three slow seconds, and no earlier', () => {
    const { changes, failed } = run('high', WEAK, 20_000);
    expect(changes.map(({ tier }) => tier)).toEqual(['medium']);
    expect(changes[0]!.ms).toBeGreaterThanOrEqual(SETTLE_MS + SLOW_FOR_MS);
    expect(changes[0]!.ms).toBeLessThan(SETTLE_MS + SLOW_FOR_MS + 700);
    expect(failed).toEqual(['high']);
  });

  it('goes down tier by tier, and no further than there are tiers', () => {
    const { changes, chooser } = run('high', POOR, HOUR);
    expect(changes.map(({ tier }) => tier)).toEqual(['medium', 'low']);
    expect(chooser.tier).toBe('low');
  });

  it('goes up after a long time with room to spare', () => {
    const { changes } = run('medium', FAST, HOUR);
    expect(changes.map(({ tier }) => tier)).toEqual(['high']);
    expect(changes[0]!.ms).toBeGreaterThanOrEqual(FAST_FOR_MS);
  });

  it('does not go up while the script has no room', () => {
    expect(run('medium', FAST, HOUR, { work: 10 }).changes).toEqual([]);
  });

  it('never swings: a tier that failed is not tried again', () => {
    const { changes } = run('medium', { low: 4, medium: 8, high: 40 }, HOUR);
    expect(changes.map(({ tier }) => tier)).toEqual(['high', 'medium']);
  });

  it('starts below what failed in an earlier visit, and stays there', () => {
    const { changes, chooser } = run('high', { low: 4, medium: 8, high: 8 }, HOUR, { failed: ['high'] });
    expect(chooser.tier).toBe('medium');
    expect(changes).toEqual([]);
  });

  it.each([
    [['medium'], 'low'],
    [['medium', 'high'], 'low'],
    [['low'], 'low'],
  ] as const)('starts below all of %j', (failed, tier) => expect(run('high', FAST, 0, { failed: [...failed] }).chooser.tier).toBe(tier));

  it('takes neither a hidden page nor the first second for slow frames', () => {
    expect(run('high', FAST, 120_000, { hitch: (ms) => (ms % 2_000 < 20 ? 2_500 : 0) }).changes).toEqual([]);
    expect(run('high', FAST, 60_000, { hitch: (ms) => (ms < SETTLE_MS ? 300 : 0) }).changes).toEqual([]);
  });

  it('does not mind a hitch now and then', () => {
    expect(run('high', FAST, HOUR, { hitch: (ms) => (ms % 1_000 < 40 ? 180 : 0) }).changes).toEqual([]);
  });
});

describe('the memory of slow tiers', () => {
  const store = new Map<string, string>();
  const storage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, text: string) => void store.set(key, text) };
  const DAY = 24 * 3_600_000;

  it('lasts from visit to visit, for a month', () => {
    rememberedTiers(storage, () => 0).fail('high');
    expect([...rememberedTiers(storage, () => 29 * DAY).failed]).toEqual(['high']);
    expect([...rememberedTiers(storage, () => 31 * DAY).failed]).toEqual([]);
  });

  it.each(['nonsense', 'null', '[1]', '{"high":"x","ultra":1}'])('makes nothing of %s', (text) => {
    expect(rememberedTiers({ getItem: () => text, setItem: () => undefined }).failed.size).toBe(0);
  });

  it('is gone for the tier that is to be tried once more', () => {
    for (const tier of ['high', 'low'] as const) rememberedTiers(storage).fail(tier);
    rememberedTiers(storage).forget('low');
    expect([...rememberedTiers(storage).failed]).toEqual(['high']);
  });

  it('does without storage', () => {
    const memory = rememberedTiers(null);
    expect(() => (memory.fail('high'), memory.forget('high'))).not.toThrow();
  });
});

describe('a first guess', () => {
  it.each([
    [{ cores: 8, coarse: false, software: false }, 'high'],
    [{ cores: 8, coarse: true, software: false }, 'medium'],
    [{ cores: 2, coarse: false, software: false }, 'medium'],
    [{ cores: 32, coarse: false, software: true }, 'low'],
  ] as const)('%j: %s', (machine, tier) => expect(guessTier(machine)).toBe(tier));
});

describe('pixels', () => {
  it('are never more than a tier may spend', () => {
    for (const tier of Object.values(TIERS)) {
      for (const [width, height] of [[390, 844], [1280, 720], [3840, 2160]] as const) {
        for (const device of [0.5, 1, 1.5, 2, 3, 4]) {
          const ratio = pixelRatio(tier, device, width * height);
          expect(ratio).toBeLessThanOrEqual(Math.max(0.5, Math.min(device, tier.mostRatio)));
          if (ratio > 0.5) expect(ratio * ratio * width * height).toBeLessThanOrEqual(tier.mostPixels + 1);
        }
      }
    }
  });

  it('are few where a processor draws', () => {
    expect(pixelRatio(TIERS.low, 1, 1280 * 720, true)).toBe(0.5);
    expect(pixelRatio(TIERS.low, 3, 390 * 844, true)).toBeCloseTo(0.836, 2);
  });
});
