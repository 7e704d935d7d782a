import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryCoup, HistoryPage } from '../wire/generated';
import { Book } from './book.svelte';
import { asked as askedFor, dayStart, EVERYTHING, isEverything } from './query';

describe('filters as questions', () => {
  it.each([
    [{}, {}],
    [{ table: 'emerald', result: 'won' }, { table: 'emerald', result: 'won' }],
    [{ outcome: 'tie' }, { outcome: 'tie' }],
    [{ from: 'yesterday', to: '2026' }, {}],
  ] as const)('%j', (change, question) => expect(askedFor({ ...EVERYTHING, ...change })).toEqual(question));

  it('one day is a whole day here: from its first moment to before the next one', () => {
    const { from_utc_ms, to_utc_ms } = askedFor({ ...EVERYTHING, from: '2026-11-30', to: '2026-11-30' });
    expect(new Date(from_utc_ms!).toLocaleString('sv')).toBe('2026-11-30 00:00:00');
    expect(new Date(to_utc_ms! - 1).toLocaleString('sv')).toBe('2026-11-30 23:59:59');
    expect(to_utc_ms).toBe(dayStart('2026-12-01', 0));
  });

  it('knows when it asks for everything', () => expect([isEverything(EVERYTHING), isEverything({ ...EVERYTHING, result: 'push' })]).toEqual([true, false]));
});

describe('the book', () => {
  let asked: string[];
  let answers: ((page: HistoryPage) => void)[];
  let refusals: ((error: unknown) => void)[];
  let book: Book;
  const coups = (...numbers: number[]): HistoryCoup[] => numbers.map((coup) => ({ coup }) as HistoryCoup);
  const numbers = (): number[] => book.coups.map((one) => one.coup);
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  beforeEach(() => {
    [asked, answers, refusals] = [[], [], []];
    book = new Book((filter, before) => {
      asked.push(JSON.stringify([filter, before]));
      return new Promise((resolve, reject) => {
        answers.push(resolve);
        refusals.push(reject);
      });
    });
    void book.fetch();
  });

  it('turns page after page until there is none', async () => {
    answers[0]!({ coups: coups(9, 8), next: 'x' });
    await settle();
    void book.more();
    void book.more();
    answers[1]!({ coups: coups(7), next: null });
    await settle();
    await book.more();
    expect([numbers(), asked, book.complete]).toEqual([[9, 8, 7], ['[{},null]', '[{},"x"]'], true]);
  });

  it('an answer to a former filter is not shown', async () => {
    book.choose({ result: 'won' });
    answers[1]!({ coups: coups(4), next: null });
    answers[0]!({ coups: coups(9), next: 'x' });
    await settle();
    expect([numbers(), book.busy]).toEqual([[4], false]);
  });

  it('says when the house does not answer, and asks again', async () => {
    refusals[0]!(new Error('away'));
    await settle();
    expect([book.failure, book.busy]).toEqual([new Error('away'), false]);
    await book.more();
    expect(asked).toHaveLength(1);
    void book.again();
    answers[1]!({ coups: coups(2), next: null });
    await settle();
    expect([numbers(), book.failure]).toEqual([[2], null]);
  });

  it('what is there stays when a later page fails', async () => {
    answers[0]!({ coups: coups(9), next: 'x' });
    await settle();
    void book.more();
    refusals[1]!(new Error('away'));
    await settle();
    expect(numbers()).toEqual([9]);
    void book.again();
    expect(asked.at(-1)).toBe('[{},"x"]');
  });
});
