import { describe, expect, it } from 'vitest';
import { FELTS, feltOf, feltsOf } from './felts';

describe('felts', () => {
  it.each([
    ['multiplayer-deluxe', 'emerald', null, 'emerald'],
    ['multiplayer-deluxe', 'emerald', 'burgundy', 'burgundy'],
    ['multiplayer-deluxe', 'teal', 'onyx', 'teal'],
    ['three-d', 'midnight', 'burgundy', 'midnight'],
    ['of-the-operator', 'emerald', 'onyx', 'onyx'],
    ['deluxe', 'tartan', 'plaid', 'tartan'],
  ])('a %s table in %s, with %s chosen, wears %s', (profile, own, chosen, worn) => expect(feltOf(profile, own, chosen)).toBe(worn));

  it('the own felt comes first, once', () => {
    expect(feltsOf('tableau', 'teal')).toEqual(['teal', 'emerald', 'burgundy']);
    expect(feltsOf('three-d', 'emerald')).toEqual(['emerald', 'midnight', 'onyx', 'teal']);
    expect(feltsOf('new', 'onyx')).toHaveLength(FELTS.length);
  });
});
