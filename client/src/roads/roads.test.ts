import { describe, expect, it } from 'vitest';
import type { Mark, ShoeRecord } from '../wire/generated';
import { ROADS } from '../testing/fixture';
import { doubleClicks } from './clicks';
import { cells } from './layout';
import { hasRoom, wheelStep } from './pan';
import { Shelf } from './shelf.svelte';
import { streak } from './streak';
import { fit, lastFrom, newest, newestWindow } from './window';
import { markWords, streakCall, streakWords } from './words';

const row = (columns: number): Mark[] => Array.from({ length: columns }, (_, col): Mark => [0, col, 'red', 0, col + 1, 0]);

describe('window', () => {
  it.each([
    [0, 18, 0],
    [17, 18, 0],
    [18, 18, 1],
    [40, 18, 23],
  ])('%d columns in a window of %d start at %d', (used, columns, from) => {
    expect(newestWindow(row(used), columns).from).toBe(from);
    expect(lastFrom(row(used), columns)).toBe(from);
  });

  it('keeps the newest in view, with what came before it, when a dragon reaches further', () => {
    const marks: Mark[] = [...row(10), ...Array.from({ length: 25 }, (_, i): Mark => [5, 9 + i, 'red', 0, 11 + i, 0]), [0, 10, 'blue', 0, 90, 0]];
    const { from, columns } = newestWindow(marks, 18);
    expect(newest(marks)).toEqual([0, 10, 'blue', 0, 90, 0]);
    expect(from).toBe(4);
    expect(from + columns).toBeGreaterThan(10);
    expect(lastFrom(marks, 18)).toBe(17);
  });

  it('shows the end of a dragon of thirty while it grows', () => {
    const marks = Array.from({ length: 30 }, (_, i): Mark => [Math.min(i, 5), Math.max(0, i - 5), 'blue', 0, i + 1, 0]);
    expect(newestWindow(marks, 18)).toEqual({ from: 8, columns: 18 });
  });

  it('on derived roads the last one sent is the newest', () => {
    expect(newest([[0, 0, 'red', 0, 0, 0], [0, 1, 'blue', 0, 0, 0]])).toEqual([0, 1, 'blue', 0, 0, 0]);
  });
});

describe('cells', () => {
  it.each([
    [330, 330 / 18, 1, 18, 18],
    [366, 366 / 28, 1, 13, 28],
    [366, 366 / 28, 2, 13, 28],
    [366, 366 / 28, 3, 13, 28],
    [724, 32, 1, 32, 22],
    [100, 12.6, 2, 12.5, 8],
    [0, 0, 1, 6, 1],
  ])('%d px with cells of %f at %f pixels each: %f, %d columns', (wide, wanted, dpr, cell, columns) => {
    const found = fit(wide, wanted, dpr);
    expect(found.cell).toBeCloseTo(cell, 6);
    expect(found.columns).toBe(columns);
    expect(found.cell * dpr).toBeCloseTo(Math.round(found.cell * dpr), 6);
  });

  it.each([
    [1280, 720, 16, 32, 20],
    [1920, 1080, 24, 48, 30],
    [390, 844, 16, 18.3, 13.07],
    [360, 640, 16, 16.8, 12],
    [844, 390, 16, 18, 12],
    [667, 375, 16, 17, 11],
    [700, 600, 16, 33.8, 24.14],
    [800, 600, 16, 26.4, 16.52],
  ])('%d x %d: large and small', (width, height, rem, large, small) => {
    const found = cells(width, height, rem);
    expect(found.large).toBeCloseTo(large, 1);
    expect(found.small).toBeCloseTo(small, 1);
  });

  it.each([[844, 390], [740, 360], [932, 430]])('on a lying phone of %d x %d three boards fit', (width, height) => {
    const { large, small } = cells(width, height, 16);
    expect(6 * large + 12 * small).toBeLessThanOrEqual(height - 130);
  });
});

describe('moving along', () => {
  it.each([
    ['sideways', { deltaX: 30, deltaY: 2, deltaMode: 0 }, false, 30],
    ['upright where the page does not scroll', { deltaX: 0, deltaY: -100, deltaMode: 0 }, true, -100],
    ['upright where it does', { deltaX: 0, deltaY: -100, deltaMode: 0 }, false, 0],
    ['lines', { deltaX: 0, deltaY: 3, deltaMode: 1 }, true, 48],
    ['pages', { deltaX: -1, deltaY: 0, deltaMode: 2 }, true, -300],
  ])('a wheel turned %s', (_, event, across, step) => expect(wheelStep(event, across, 300)).toBe(step));

  it.each([
    [0, -1, false],
    [0, 1, true],
    [50, -1, true],
    [100, 1, false],
    [99.4, 1, true],
    [100, 0, false],
  ])('at %f a step of %d has room: %s', (scrollLeft, step, room) => {
    expect(hasRoom({ scrollLeft, scrollWidth: 300, clientWidth: 200 }, step)).toBe(room);
  });
});

describe('double click', () => {
  const clicks = (...list: [string, number][]): boolean[] => {
    const second = doubleClicks();
    return list.map(([what, at]) => second(what, at));
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

describe('how the shoe stands', () => {
  const big = (...colours: (string | null)[]): Mark[] => colours.map((colour, i): Mark => [0, i, colour, 0, i + 1, 0]);
  it.each([
    ['', [], [], ''],
    ['T', [null], ['green'], '1 tie'],
    ['TT', [null], ['green', 'green'], '2 ties'],
    ['B', ['red'], ['red'], 'Banker, streak of 1'],
    ['BBTB', ['red', 'red', 'red'], ['red', 'red', 'green', 'red'], 'Banker, streak of 3'],
    ['BPP', ['red', 'blue', 'blue'], ['red', 'blue', 'blue'], 'Player, streak of 2'],
    ['PTT', ['blue'], ['blue', 'green', 'green'], 'Player, streak of 1, then 2 ties'],
  ])('%s', (_, circles, beads, words) => {
    expect(streakWords(streak({ big_road: big(...circles), bead_plate: big(...beads) }))).toBe(words);
  });
});

describe('what is said along with a result', () => {
  it.each([
    ['banker', 2, 0, ''],
    ['banker', 3, 0, 'Streak of 3.'],
    ['player', 12, 0, 'Streak of 12.'],
    ['player', 4, 1, ''],
    [null, 0, 0, ''],
  ] as const)('%s %d, ties %d: %s', (side, length, ties, words) => expect(streakCall({ side, length, ties })).toBe(words));
});

describe('shelf of shoes', () => {
  const record = (shoe: number): ShoeRecord => ({ table: 'emerald', shoe, current: 9, roads: ROADS, coups: [] });

  it('asks once while the answer is under way, and again when told to', async () => {
    const asked: number[] = [];
    const shelf = new Shelf((shoe) => (asked.push(shoe), Promise.resolve(record(shoe))));
    await Promise.all([shelf.fetch(3), shelf.fetch(3)]);
    expect(asked).toEqual([3]);
    expect(shelf.record(3)?.shoe).toBe(3);
    await shelf.fetch(3);
    expect(asked).toEqual([3, 3]);
    expect(shelf.record(2)).toBeNull();
  });

  it('keeps what went wrong until the next try', async () => {
    const answers: (() => Promise<ShoeRecord>)[] = [() => Promise.reject(new Error('away')), () => Promise.resolve(record(1))];
    const shelf = new Shelf(() => answers.shift()!());
    await shelf.fetch(1);
    expect(shelf.failure(1)).toEqual(new Error('away'));
    await shelf.fetch(1);
    expect([shelf.failure(1), shelf.record(1)?.shoe]).toEqual([null, 1]);
  });
});
