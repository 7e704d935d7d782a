import { describe, expect, it } from 'vitest';
import { feltOf, feltsOf } from './felts';

const DELUXE = ['burgundy', 'emerald', 'onyx'];

describe('felts', () => {
  it.each([
    [DELUXE, 'burgundy', null, 'burgundy'],
    [DELUXE, 'burgundy', 'onyx', 'onyx'],
    [DELUXE, 'burgundy', 'teal', 'burgundy'],
    [DELUXE, 'teal', 'teal', 'teal'],
    [[], 'emerald', 'onyx', 'emerald'],
    [['plaid'], 'tartan', 'plaid', 'tartan'],
  ])('of %j a table in %s, with %s chosen, wears %s', (felts, own, chosen, worn) => expect(feltOf(felts, own, chosen)).toBe(worn));

  it('the own felt comes first, once', () => {
    expect(feltsOf(DELUXE, 'onyx')).toEqual(['onyx', 'emerald', 'burgundy']);
    expect(feltsOf(['teal'], 'midnight')).toEqual(['midnight', 'teal']);
  });
});
