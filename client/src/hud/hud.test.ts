import { describe, expect, it } from 'vitest';
import type { Area } from '../model';
import { type FlatLayout, flatLayout } from './flat/layout';
import { keyAct, type KeyPress } from './keys';
import { noticeWords } from './notice';
import { target } from './places';

const press = (key: string, extra: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  onControl: false,
  ...extra,
});

describe('keys', () => {
  it.each([
    ['1', { act: 'chip', place: 0 }],
    ['6', { act: 'chip', place: 5 }],
    ['p', { act: 'area', area: 'player' }],
    ['T', { act: 'area', area: 'tie' }],
    ['b', { act: 'area', area: 'banker' }],
    ['Enter', { act: 'bet' }],
    ['Backspace', { act: 'undo' }],
    ['x', { act: 'clear' }],
    ['d', { act: 'double' }],
    ['r', { act: 'rebet' }],
    ['s', { act: 'roads' }],
    ['q', null],
    ['0', null],
  ])('%s', (key, act) => expect(keyAct(press(key))).toEqual(act));

  it.each([
    ['with Control', press('r', { ctrlKey: true })],
    ['with Alt', press('d', { altKey: true })],
    ['with Meta', press('x', { metaKey: true })],
    ['held down', press('b', { repeat: true })],
    ['Enter on a control', press('Enter', { onControl: true })],
  ])('nothing %s', (_, key) => expect(keyAct(key)).toBeNull());
});

describe('hit targets', () => {
  const square = (size: number) => [
    { x: 100, y: 100 },
    { x: 100 + size, y: 100 },
    { x: 100 + size, y: 100 + size },
    { x: 100, y: 100 + size },
  ];
  it('are as large as the outline', () => expect(target(square(200))).toMatchObject({ left: 100, top: 100, width: 200, height: 200 }));
  it('never smaller than a finger needs, around the same middle', () =>
    expect(target(square(60))).toMatchObject({ left: 82, top: 94, width: 96, height: 72 }));
  it('are not there without an outline', () => expect(target([])).toBeNull());
});

describe('notices', () => {
  it('say what, why, and what became of the chips', () => {
    const about = { type: 'stage', request_id: 'a', coup: 1, area: 'banker', amount_minor: 2_500_000 } as const;
    const words = noticeWords({ id: 1, code: 'ABOVE_MAX', facts: { area: 'banker', max_minor: 2_500_000 }, automatic: false, about }, 750_000);
    expect(words).toEqual({ title: 'Banker: that would pass the maximum of 25,000.', more: 'The chip was not added. Your 7,500 stand.' });
  });
  it('tell of chips that came back at the close', () => {
    const words = noticeWords({ id: 1, code: 'BELOW_MIN', facts: { area: 'tie', min_minor: 2_000 }, automatic: true, about: null }, 0);
    expect(words.more).toBe('Your staged chips were not placed. They are back with you.');
  });
});

describe('flat table', () => {
  it.each([
    [1280, 720, 10, 585],
    [390, 844, 110, 558],
    [844, 390, 4, 316],
    [360, 640, 108, 420],
    [667, 375, 4, 312],
  ])('%d x %d: areas are large enough, inside the felt, and do not overlap, however many there are', (width, height, top, bottom) => {
    const lay = (...laid: Area[]): FlatLayout => flatLayout({ width, height, rem: 16 }, { top, bottom }, laid);
    for (const laid of [['player', 'tie', 'banker'], ['player', 'banker'], ['tie']] as const) {
      const { felt, areas } = lay(...laid);
      expect(Object.keys(areas)).toEqual(laid);
      const list = Object.values(areas);
      for (const [place, area] of list.entries()) {
        expect(area.width).toBeGreaterThanOrEqual(96);
        expect(area.height).toBeGreaterThanOrEqual(width === 667 ? 60 : 72);
        expect(area.x).toBeGreaterThanOrEqual(felt.x);
        expect(area.x + area.width).toBeLessThanOrEqual(felt.x + felt.width);
        const next = list[place + 1];
        if (next !== undefined) expect(area.x + area.width < next.x || area.y + area.height < next.y).toBe(true);
      }
    }
    const { felt } = lay('player', 'tie', 'banker');
    expect(felt.x).toBeGreaterThanOrEqual(0);
  });
});
