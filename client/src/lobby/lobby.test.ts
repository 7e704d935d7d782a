import { describe, expect, it } from 'vitest';
import { TERMS, TERMS_FOR_ONE } from '../testing/fixture';
import type { TableRow } from '../wire/generated';
import { card, passes } from './card';

const NOW = 1_700_000_000_000;
const row = (change: Partial<TableRow> = {}): TableRow => ({
  terms: TERMS,
  phase: 'betting',
  coup: 75,
  closes_utc_ms: NOW + 24_000,
  deals_utc_ms: NOW + 34_000,
  patrons: 14,
  counts: { coups: 74, banker: 35, player: 31, tie: 8, natural: 20, player_pair: 4, banker_pair: 5 },
  big_road: [[0, 0, 'red', 0, 1, 0]],
  own: null,
  ...change,
});
const alone = (state: string): TableRow =>
  row({ terms: TERMS_FOR_ONE, closes_utc_ms: null, deals_utc_ms: null, patrons: 0, own: { state, coup: 3 } });

describe('a card', () => {
  it('follows the clock of a shared table, not the moment it was told', () => {
    const told = row();
    const at = (ms: number) => {
      const { state, ring } = card(told, NOW + ms);
      return [state, ring?.seconds];
    };
    expect([at(0), at(23_999), at(24_000), at(33_001), at(34_000), at(50_000)]).toEqual([
      ['lobby.betting', 34],
      ['lobby.betting', 11],
      ['lobby.closing', 10],
      ['lobby.closing', 1],
      ['lobby.dealing', 0],
      ['lobby.dealing', 0],
    ]);
    expect(card(told, NOW).ring?.share).toBeCloseTo(34 / 60);
  });

  it.each([
    [alone('free'), 'lobby.free', 'lobby.sit', null],
    [alone('waits'), 'lobby.waits', 'lobby.resume', null],
    [row({ phase: 'closed' }), 'lobby.closed', 'lobby.sit', null],
    [row({ phase: 'dealing' }), 'lobby.dealing', 'lobby.sit', { seconds: 0, share: 0 }],
  ] as const)('%#: state, act and ring', (told, state, act, ring) => expect(card(told, NOW)).toMatchObject({ state, act, ring }));

  it('names the limits of the least and the most generous area', () => {
    const areas = TERMS.areas.map((one) => (one.area === 'tie' ? { ...one, min_minor: 500, max_minor: 10_000 } : one));
    expect(card(row({ terms: { ...TERMS, areas } }), NOW)).toMatchObject({ minMinor: 500, maxMinor: 2_500_000 });
  });

  it('filters are by seats', () => {
    const [shared, one] = [card(row(), NOW), card(alone('free'), NOW)];
    expect((['all', 'shared', 'one'] as const).map((filter) => [passes(shared, filter), passes(one, filter)])).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
  });

  it('an operator’s own profile has a line of words too', () => {
    expect(card(row({ terms: { ...TERMS, profile: 'mine' } }), NOW).line).toBe('lobby.line_shared');
    expect(card(row({ terms: { ...TERMS_FOR_ONE, profile: 'mine' } }), NOW).line).toBe('lobby.line_one');
  });
});
