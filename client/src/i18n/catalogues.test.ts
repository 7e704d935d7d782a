import { afterEach, describe, expect, it, vi } from 'vitest';
import { WORDS } from '../wire/generated';
import { current } from './current.svelte';
import { en } from './en';
import { language, languageOf, money, percent, plain, t, useLanguage } from './index';
import { ENGLISH, LANGUAGES } from './languages';
import { fill, type Filling, gapsOf } from './message';

afterEach(() => useLanguage('en'));

const filling = (facts: Record<string, string | number>, tag = 'en'): Filling => ({
  plain: (name) => (name in facts ? String(facts[name]) : null),
  raw: (name) => facts[name],
  plural: (count) => new Intl.PluralRules(tag).select(count),
});

describe('messages with gaps', () => {
  const COUPS = '{coups, plural, one {# coup} other {# coups}} of {side, select, player {the Player} other {somebody}}';
  it.each([
    ['Shoe {shoe} · {other}', { shoe: 3 }, 'Shoe 3 · {other}'],
    [COUPS, { coups: 1, side: 'player' }, '1 coup of the Player'],
    [COUPS, { coups: 0, side: 'banker' }, '0 coups of somebody'],
    ['no gap', {}, 'no gap'],
  ])('%s', (message, facts, words) => expect(fill(message, filling(facts as Record<string, string | number>))).toBe(words));

  it('plural cases are those of the language', () => {
    const message = '{n, plural, one {# pli} many {# de plis} other {# plis}}';
    expect([0, 1, 2, 1_000_000].map((n) => fill(message, filling({ n }, 'fr')))).toEqual(['0 pli', '1 pli', '2 plis', '1000000 de plis']);
  });
});

describe('the language of the page', () => {
  it.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['DE', 'de'],
    ['fr-CA', 'fr'],
    ['zh-CN', 'zh-Hans'],
    ['xx', 'en'],
    ['', 'en'],
  ])('%s is spoken as %s', (tag, spoken) => expect(languageOf(tag).tag).toBe(spoken));

  it('amounts are written as the language writes them, names of chips are not', async () => {
    const written: Record<string, string[]> = {};
    for (const tag of ['en', 'de', 'es', 'fr', 'zh-Hans']) {
      await useLanguage(tag);
      written[tag] = [money(123_456_750), money(750_000), percent(35, 74), plain(2_500_000), t('help.less', { percent: 2.5 }).replace(/\D+$|^\D+/g, '')];
    }
    expect(written).toEqual({
      en: ['1,234,567.50', '7,500', '47.3 %', '25000', '2.5'],
      de: ['1.234.567,50', '7.500', '47,3 %', '25000', '2,5'],
      es: ['1.234.567,50', '7.500', '47,3 %', '25000', '2,5'],
      fr: ['1\u202f234\u202f567,50', '7\u202f500', '47,3 %', '25000', '2,5'],
      'zh-Hans': ['1,234,567.50', '7,500', '47.3 %', '25000', '2.5'],
    });
  });

  it('of two wishes the last one counts', async () => {
    await Promise.all([useLanguage('de'), useLanguage('fr')]);
    expect([language().tag, language().speech]).toEqual(['fr', 'fr-FR']);
  });

  it('what cannot be fetched changes nothing', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    await useLanguage('zh', (tag) => ({ ...languageOf(tag), load: () => Promise.reject(new Error('offline')) }));
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
    expect(current().language).toBe(ENGLISH);
    expect(t('call.closing')).toBe('No more bets.');
  });
});

describe.each(LANGUAGES.filter((one) => one !== ENGLISH))('$name', ({ tag, load }) => {
  const english: Readonly<Record<string, string>> = {
    ...en,
    ...Object.fromEntries(Object.entries(WORDS).map(([code, words]) => [`refusal.${code}`, words])),
  };
  const gaps = (message: string): string[] => [...new Set(gapsOf(message).map(({ name }) => name))].sort();
  it('has no word that English has not, and the same gaps', async () => {
    const words = await load();
    for (const [key, message] of Object.entries(words)) {
      expect(english, key).toHaveProperty([key]);
      expect(gaps(message), key).toEqual(gaps(english[key]!));
      expect(message.trim(), key).toBe(message);
      expect(message, key).not.toBe('');
      for (const { kind, cases } of gapsOf(message)) if (kind !== 'plain') expect(Object.keys(cases), key).toContain('other');
    }
  });

  it('says everything that English says', async () => {
    const words = await load();
    expect(Object.keys(english).filter((key) => !(key in words))).toEqual([]);
  });

  it('names its plural cases as its numbers need them', async () => {
    const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(await load())) {
      for (const { kind, cases } of gapsOf(message)) {
        if (kind === 'plural') for (const word of Object.keys(cases)) expect(needed, `${key}: ${word}`).toContain(word);
      }
    }
  });
});
