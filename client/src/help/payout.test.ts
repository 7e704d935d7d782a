import { expect, it } from 'vitest';
import { TERMS } from '../testing/fixture';
import { payoutWords } from './payout';

it('says what the table pays, whatever that is', () => {
  expect(TERMS.areas.map(payoutWords)).toEqual(['1 to 1', '1 to 1 less 5 %', '8 to 1']);
  const other = { ...TERMS.areas[0]!, pays_numerator: 19, pays_denominator: 20, commission_bps: 250 };
  expect(payoutWords(other)).toBe('19 to 20 less 2.5 %');
});
