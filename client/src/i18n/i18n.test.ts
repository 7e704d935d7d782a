import { describe, expect, it } from 'vitest';
import { WORDS } from '../wire/generated';
import { cardName, chipFace, clock, money, percent, plain, refusal, t } from './index';

describe('money', () => {
  it.each([
    [0, '0'],
    [5, '0.05'],
    [2_000, '20'],
    [750_000, '7,500'],
    [475_050, '4,750.50'],
    [100_000_000, '1,000,000'],
    [-20_000, '−200'],
    [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91'],
  ])('%d reads %s', (minor, words) => expect(money(minor)).toBe(words));

  it.each([
    [2_500_000, '25000', '25K'],
    [2_000, '20', '20'],
    [50, '0.50', '0.50'],
    [250_000, '2500', '2.5K'],
    [100_000_000, '1000000', '1M'],
    [123_400, '1234', '1234'],
  ])('a chip of %d is called %s and shows %s', (minor, name, face) => {
    expect([plain(minor), chipFace(minor)]).toEqual([name, face]);
  });
});

describe('words', () => {
  it.each([
    [60, '01:00'],
    [34, '00:34'],
    [0, '00:00'],
    [-3, '00:00'],
    [3_601, '60:01'],
  ])('%d s read %s', (seconds, words) => expect(clock(seconds)).toBe(words));

  it.each([
    ['TS', 'ten of spades'],
    ['AH', 'ace of hearts'],
    [null, 'card face down'],
    ['??', '??'],
  ])('%s is the %s', (code, words) => expect(cardName(code)).toBe(words));

  it('facts are put into words by their names', () => {
    expect(refusal('ABOVE_MAX', { area: 'banker', max_minor: 2_500_000 })).toBe('Banker: that would pass the maximum of 25,000.');
    expect(refusal('BALANCE_TOO_LOW', { balance_minor: 1_550, total_minor: 2_000 })).toBe('Your balance of 15.50 does not cover 20.');
    expect(t('call.closes_at', { seconds: 10 })).toBe('Bets close at 00:10.');
    expect(t('others.on', { area: 'tie' })).toBe('Others on Tie');
  });

  it('every code has words, an unknown one stands for itself', () => {
    for (const code of Object.keys(WORDS)) expect(refusal(code, {})).not.toBe(code);
    expect(refusal('NEW_CODE', {})).toBe('NEW_CODE');
  });

  it('shares', () => expect([percent(35, 74), percent(0, 0)]).toEqual(['47.3 %', '–']));
});
