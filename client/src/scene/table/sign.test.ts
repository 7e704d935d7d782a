import { describe, expect, it } from 'vitest';
import { signLines } from './sign';

const limits = (minMinor: number, maxMinor: number): { minMinor: number; maxMinor: number } => ({ minMinor, maxMinor });

describe('the sign on the felt', () => {
  it('says one pair where all areas have the same', () => {
    const same = limits(2_000, 2_500_000);
    expect(signLines({ player: same, tie: { ...same }, banker: { ...same } })).toEqual([
      ['MIN', '20'],
      ['MAX', '25,000'],
    ]);
  });

  it('says all three where they differ', () => {
    expect(
      signLines({ player: limits(2_000, 2_500_000), tie: limits(500, 312_550), banker: limits(2_000, 1_000_000) }),
    ).toEqual([
      ['PLAYER', '20–25K'],
      ['TIE', '5–3,125.50'],
      ['BANKER', '20–10K'],
    ]);
  });

  it('says nothing of an area that the table does not have', () => {
    const same = limits(2_000, 2_500_000);
    expect(signLines({ player: same, banker: { ...same } })).toEqual([
      ['MIN', '20'],
      ['MAX', '25,000'],
    ]);
    expect(signLines({ tie: limits(500, 312_550), banker: limits(2_000, 1_000_000) })).toEqual([
      ['TIE', '5–3,125.50'],
      ['BANKER', '20–10K'],
    ]);
  });
});
