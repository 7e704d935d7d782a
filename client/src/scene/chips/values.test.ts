import { describe, expect, it } from 'vitest';
import { chipsFor, majorText, SMALL_CHANGE } from './values';

describe('an amount as chips', () => {
  it('takes the fewest, largest first', () => {
    expect(chipsFor(750_000)).toEqual([500_000, 100_000, 100_000, 50_000]);
    expect(chipsFor(2_000)).toEqual([2_000]);
    expect(chipsFor(0)).toEqual([]);
  });

  it('adds up whenever the amount is a multiple of the smallest chip', () => {
    for (let amount = 2_000; amount <= 2_500_000; amount += 26_000) {
      const sum = chipsFor(amount).reduce((total: number, chip) => total + chip, 0);
      expect(amount - sum).toBeLessThan(2_000);
    }
  });

  it('shows a remainder as one small chip', () => {
    expect(chipsFor(1)).toEqual([SMALL_CHANGE]);
    expect(chipsFor(12_345)).toEqual([10_000, 2_000, SMALL_CHANGE]);
  });

  it('never shows more chips than asked for', () => {
    expect(chipsFor(1_000_000_000, 15)).toHaveLength(15);
  });
});

describe('an amount in words', () => {
  it('has decimals only when there are any', () => {
    expect(majorText(2_000)).toBe('20');
    expect(majorText(2_500_000)).toBe('25,000');
    expect(majorText(1_050)).toBe('10.50');
  });
});
