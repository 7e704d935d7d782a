import { describe, expect, it } from 'vitest';
import type { Mark } from '../wire/generated';
import { doubleClicks } from './clicks';
import { newest, newestWindow } from './window';
import { markWords } from './words';

const row = (columns: number): Mark[] => Array.from({ length: columns }, (_, col): Mark => [0, col, 'red', 0, col + 1, 0]);

describe('window', () => {
  it.each([
    [0, 18, 0],
    [17, 18, 0],
    [18, 18, 1],
    [40, 18, 23],
  ])('%d columns in a window of %d start at %d', (used, columns, from) => {
    expect(newestWindow(row(used), columns).from).toBe(from);
  });

  it('keeps the newest in view when a dragon reaches further', () => {
    const marks: Mark[] = [...row(10), ...Array.from({ length: 25 }, (_, i): Mark => [5, 9 + i, 'red', 0, 11 + i, 0]), [0, 10, 'blue', 0, 90, 0]];
    const { from, columns } = newestWindow(marks, 18);
    expect(newest(marks)).toEqual([0, 10, 'blue', 0, 90, 0]);
    expect(from).toBeLessThanOrEqual(10);
    expect(from + columns).toBeGreaterThan(10);
  });

  it('on derived roads the last one sent is the newest', () => {
    expect(newest([[0, 0, 'red', 0, 0, 0], [0, 1, 'blue', 0, 0, 0]])).toEqual([0, 1, 'blue', 0, 0, 0]);
  });
});

describe('double click', () => {
  const clicks = (...list: [string, number][]): boolean[] => {
    let now = 0;
    const second = doubleClicks(() => now);
    return list.map(([what, at]) => ((now = at), second(what)));
  };
  it.each([
    ['within 350 ms', [['a', 0], ['a', 350]], [false, true]],
    ['later', [['a', 0], ['a', 351]], [false, false]],
    ['on another board', [['a', 0], ['b', 100]], [false, false]],
    ['a third starts anew', [['a', 0], ['a', 100], ['a', 200]], [false, true, false]],
    ['slow, then quick', [['a', 0], ['a', 400], ['a', 600]], [false, false, true]],
  ])('%s', (_, list, expected) => expect(clicks(...(list as [string, number][]))).toEqual(expected));
});

describe('marks in words', () => {
  it.each<['bead_plate' | 'big_road' | 'small_road', Mark, string]>([
    ['bead_plate', [0, 0, 'green', 0, 1, 2], 'Tie, Banker pair'],
    ['bead_plate', [0, 0, 'red', 0, 1, 3], 'Banker, Player pair, Banker pair'],
    ['big_road', [0, 0, 'blue', 2, 1, 0], 'Player, 2 ties'],
    ['big_road', [0, 0, null, 1, 1, 0], '1 tie'],
    ['small_road', [0, 0, 'red', 0, 0, 0], 'Red'],
  ])('%s %j', (name, mark, words) => expect(markWords(name, mark)).toBe(words));
});
