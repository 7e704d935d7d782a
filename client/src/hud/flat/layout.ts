/** The flat table: where hands and areas lie between the rows that the HUD leaves free. Pure geometry. */

import { type Area, AREAS } from '../../model';
import { MIN_WIDTH, type Places, type Point } from '../places';

/** The score pill hangs inside its hand, this far below the upper border. */
const SCORE_BELOW_PX = 38;

/** Lower rows would be worse than narrow columns. */
const LEAST_ROW = 44;

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface FlatLayout {
  readonly felt: Rect;
  readonly hands: { readonly player: Rect; readonly banker: Rect };
  /** First, second and third card of a hand; the third lies across, on the outer side, as on the 3D table. */
  readonly cards: { readonly player: readonly Rect[]; readonly banker: readonly Rect[] };
  /** What is left in the shoe; empty where there is no room for it. */
  readonly shoe: Rect;
  /** Those that the table has, side by side in its order. */
  readonly areas: Readonly<Partial<Record<Area, Rect>>>;
  /** The areas lie below each other, where they would be too narrow side by side. */
  readonly stacked: boolean;
}

export interface Page {
  readonly width: number;
  readonly height: number;
  /** Pixels of one rem. */
  readonly rem: number;
}

export function flatLayout(page: Page, free: { top: number; bottom: number }, laid: readonly Area[] = AREAS): FlatLayout {
  const upright = page.width / page.height < 0.8;
  const lying = !upright && page.height <= 520;
  const top = upright ? free.top + 0.5 * page.rem : lying ? 3.25 * page.rem : 12.75 * page.rem;
  const aside = upright ? 0.5 * page.rem : lying ? 14.5 * page.rem : 1.5 * page.rem;
  const widest = upright ? 36 * page.rem : 60 * page.rem;
  const words = upright ? 1.25 : lying ? 1.125 : 1.5; // what it is and why, below it; the board stands higher than the chips
  const bottom = free.bottom - words * page.rem;
  const width = Math.min(page.width - 2 * aside, widest);
  const felt: Rect = { x: (page.width - width) / 2, y: top, width, height: Math.max(120, bottom - top) };
  const pad = 0.75 * page.rem;
  const gap = 0.5 * page.rem;
  const handsHeight = lying ? 0 : felt.height * (upright ? 0.36 : 0.44);
  const between = upright ? gap : 9.5 * page.rem;
  const half = (felt.width - 2 * pad - between) / 2;
  const hand = (x: number): Rect => ({ x, y: felt.y + pad, width: half, height: Math.max(0, handsHeight - pad) });
  const hands = { player: hand(felt.x + pad), banker: hand(felt.x + pad + half + between) };
  const strip = upright ? 1.375 * page.rem : 0;
  const shoe: Rect = upright
    ? { x: felt.x + pad, y: felt.y + handsHeight + 0.125 * page.rem, width: felt.width - 2 * pad, height: strip }
    : { x: hands.player.x + half + gap, y: felt.y + pad, width: between - 2 * gap, height: hands.player.height };
  const areasTop = felt.y + handsHeight + strip + 1.25 * page.rem;
  const areasHeight = Math.max(72, felt.y + felt.height - areasTop - 1.25 * page.rem);
  const gaps = (laid.length - 1) * gap;
  const column = (felt.width - 2 * pad - gaps) / laid.length;
  const row = (areasHeight - gaps) / laid.length;
  const stacked = column < MIN_WIDTH && row >= LEAST_ROW;
  const area = (place: number): Rect =>
    stacked
      ? { x: felt.x + pad, y: areasTop + place * (row + gap), width: felt.width - 2 * pad, height: row }
      : { x: felt.x + pad + place * (column + gap), y: areasTop, width: column, height: areasHeight };
  return {
    felt,
    hands,
    cards: { player: cardPlaces(hands.player, 'player', page.rem), banker: cardPlaces(hands.banker, 'banker', page.rem) },
    shoe,
    areas: Object.fromEntries(laid.map((one, place) => [one, area(place)])),
    stacked,
  };
}

/** Height of a card by its width. */
const CARD_SHAPE = 1.4;
/** Rows of a hand that its score needs. */
const SCORE_REM = 2.5;

function cardPlaces(hand: Rect, side: 'player' | 'banker', rem: number): Rect[] {
  const gap = Math.min(0.5 * rem, hand.width * 0.03);
  const across = hand.width - 4 * gap;
  const height = Math.max(0, Math.min(hand.height - (SCORE_REM + 0.5) * rem, across / (1 + 2 / CARD_SHAPE), 9 * rem));
  const width = height / CARD_SHAPE;
  const row = height + 2 * width + 2 * gap;
  const left = hand.x + (hand.width - row) / 2;
  const top = hand.y + SCORE_REM * rem + (hand.height - SCORE_REM * rem - height) / 2 - 0.125 * rem;
  const upright = (x: number): Rect => ({ x, y: top, width, height });
  const lies = (x: number): Rect => ({ x, y: top + (height - width) / 2, width: height, height: width });
  if (side === 'banker') {
    return [upright(left), upright(left + width + gap), lies(left + 2 * (width + gap))];
  }
  const first = left + height + gap;
  return [upright(first), upright(first + width + gap), lies(left)];
}

/** The anchors of a flat table, named as the scene names them. `laid`: the areas that it has at the moment. */
export function flatPlaces(laid: () => readonly Area[], changed: (layout: FlatLayout) => void): Places {
  let layout: FlatLayout | null = null;
  return {
    resize(free) {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      layout = flatLayout({ width: window.innerWidth, height: window.innerHeight, rem }, free, laid());
      changed(layout);
    },
    project: (anchor) => (layout === null ? { x: 0, y: 0 } : flatAnchor(layout, anchor)),
    areaOutline: (area) => corners(layout?.areas[area]),
  };
}

export function flatAnchor(layout: FlatLayout, anchor: string): Point {
  const [kind, of] = anchor.split('-');
  if (of === 'player' || of === 'banker' || of === 'tie') {
    if (kind === 'score' && of !== 'tie') {
      const hand = layout.hands[of];
      return { x: hand.x + hand.width / 2, y: hand.y + SCORE_BELOW_PX };
    }
    const area = layout.areas[of] ?? layout.felt;
    const x = area.x + area.width / 2;
    if (layout.stacked && kind === 'total') return { x: area.x + area.width * 0.25, y: area.y };
    if (layout.stacked && kind === 'mine') return { x: area.x + area.width * 0.75, y: area.y + area.height };
    if (kind === 'total') return { x, y: area.y };
    if (kind === 'mine') return { x, y: area.y + area.height };
    return { x, y: area.y + area.height / 2 };
  }
  return { x: layout.felt.x + layout.felt.width / 2, y: layout.felt.y };
}

function corners(rect: Rect | undefined): Point[] {
  if (rect === undefined) return [];
  const { x, y, width, height } = rect;
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
}
