/** Jack, queen and king: half figures of layered vector shapes, drawn twice, the second one upside down. */

import type { Pen } from '../craft/pen';
import { drawSuit, GOLD, PAPER } from './suits';

/** Half of the frame's width and height, in hundredths of the card's width. */
const HALF_WIDTH = 22;
const INK = '#1b1512';
const SKIN = '#f4dcc0';
const STEEL = '#c9d2da';
const LIP_RED = '#b8343c';
const BRIGHT = '#e3b75a';

/** `a` and `b` are the colours of the robe, `hair` of the figure. */
type Paint = 'a' | 'b' | 'hair' | 'skin' | 'gold' | 'steel' | 'paper' | 'lips' | 'ink' | null;

/** A path in hundredths of the card's width around its middle, y upwards negative; `both`: with its mirror image. */
interface Shape {
  readonly d: string;
  readonly fill: Paint;
  /** Width of the ink's outline; none where it is left out. */
  readonly line?: number;
  readonly both?: true;
}

const round = (x: number, y: number, rx: number, ry = rx): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;

const FACE: readonly Shape[] = [
  { d: 'M-3.4-25L-3.2-19L0-17.4L3.2-19L3.4-25Z', fill: 'skin', line: 0.6 },
  { d: 'M-7.3-36C-7.8-29-5-22.4 0-21.6C5-22.4 7.8-29 7.3-36C6-41-6-41-7.3-36Z', fill: 'skin', line: 0.8 },
  { d: 'M-5.2-34.6Q-3.2-36 -1.4-34.7', fill: null, line: 0.8, both: true },
  { d: round(-3.2, -32.7, 1.15, 0.85), fill: 'ink', both: true },
  { d: 'M.5-33.5L1.2-29.6Q0-28.8-.9-29.5', fill: null, line: 0.6 },
];
const LIPS: Shape = { d: 'M-2.2-26.6Q0-27.6 2.2-26.6Q0-25-2.2-26.6Z', fill: 'lips' };

const KING: readonly Shape[] = [
  { d: 'M-22 4L-22-9C-18-15-12-19-7-21L7-21C12-19 18-15 22-9L22 4Z', fill: 'a', line: 0.9 },
  { d: 'M-22 4L-22-9C-20-12-17-15-14-16.8L-8.5 4Z', fill: 'b', line: 0.7, both: true },
  { d: 'M-19.6-8.6L-13.4 4M-17-12.6L-11 4', fill: null, line: 0.5, both: true },
  { d: 'M-5 4L-4-20L4-20L5 4Z', fill: 'gold', line: 0.7 },
  { d: 'M0-5.4L2-2.4L0 .6L-2-2.4ZM0-11.6L1.9-8.8L0-6L-1.9-8.8ZM0-17.4L1.7-14.9L0-12.4L-1.7-14.9Z', fill: 'a' },
  { d: 'M-7-36C-13-36-13.4-27-10.6-22.6C-9.2-23-8-25-7-28Z', fill: 'hair', line: 0.7, both: true },
  ...FACE,
  { d: 'M-7.2-31C-8.4-23-4.6-15.6 0-14.2C4.6-15.6 8.4-23 7.2-31C5-27.6-5-27.6-7.2-31Z', fill: 'hair', line: 0.7 },
  { d: 'M-3.4-22L-2-16.6M0-22.6L0-15.4M3.4-22L2-16.6', fill: null, line: 0.4 },
  { d: 'M0-27.8C-2-29.4-5.4-28.8-6.6-26C-4-26.6-1.6-26.2 0-25.2C1.6-26.2 4-26.6 6.6-26C5.4-28.8 2-29.4 0-27.8Z', fill: 'hair', line: 0.5 },
  { d: 'M-12-19C-7-11.6 7-11.6 12-19L9.4-22.6C6-17.4-6-17.4-9.4-22.6Z', fill: 'paper', line: 0.7 },
  { d: 'M-7.4-17.6l.5 1.8M-3.6-15.8l.3 1.9M0-15.2v1.9', fill: null, line: 0.7, both: true },
  { d: 'M-9-42.6L-12.4-51.4L-5.8-46.6L0-54.6L5.8-46.6L12.4-51.4L9-42.6Z', fill: 'gold', line: 0.8 },
  { d: 'M-9.2-39C-4-41.2 4-41.2 9.2-39L9.2-43C4-45-4-45-9.2-43Z', fill: 'gold', line: 0.8 },
  { d: round(-5, -41.6, 1), fill: 'a', both: true },
  { d: round(0, -42.2, 1.2), fill: 'b' },
  { d: round(-12.4, -52, 1.4), fill: 'b', line: 0.5, both: true },
  { d: round(0, -55, 1.6), fill: 'a', line: 0.5 },
  { d: 'M15.6-2L14.9-44L16.4-49L17.9-44L17.2-2Z', fill: 'steel', line: 0.6 },
  { d: 'M11.6-13h9.6v2.2h-9.6Z', fill: 'gold', line: 0.6 },
  { d: round(16.4, -7.6, 2.9, 2.4), fill: 'skin', line: 0.6 },
];

const QUEEN: readonly Shape[] = [
  { d: 'M-22 4L-22-7C-19-14-12-18-6-21L6-21C12-18 19-14 22-7L22 4Z', fill: 'a', line: 0.9 },
  { d: 'M-22-6C-20-13-14-17-10-18C-8.6-12-11-4-14 4L-22 4Z', fill: 'b', line: 0.7, both: true },
  { d: 'M-19.6-9.6C-17-8.4-13.6-9-11-11M-20.6-4C-18-2.6-14.6-3.4-12-5', fill: null, line: 0.5, both: true },
  { d: 'M-4.4 4L-3-9L0-12L3-9L4.4 4Z', fill: 'gold', line: 0.6 },
  { d: 'M0-8.6L1.5-6L0-3.4L-1.5-6ZM0-2.6L1.5 0L0 2.6L-1.5 0Z', fill: 'b' },
  { d: 'M-7-39C-14.4-35-13.6-22-11.6-16.6C-9.4-17-7-19-5.8-21C-7-26-7.4-31-6.8-36Z', fill: 'hair', line: 0.7, both: true },
  { d: 'M-10.6-34C-11.6-28-11-22.6-9.6-19M-8.6-33C-9.2-28-8.6-24-7.6-21', fill: null, line: 0.4, both: true },
  { d: 'M-6.4-20.6C-4-14-2-11.6 0-10.2C2-11.6 4-14 6.4-20.6L3-23.6H-3Z', fill: 'skin', line: 0.6 },
  ...FACE,
  LIPS,
  { d: 'M-7.2-21.4C-5-13.6-2.4-10.6 0-9C2.4-10.6 5-13.6 7.2-21.4', fill: null, line: 1.5 },
  { d: `${round(-4.3, -17.4, 0.75)}${round(-2.6, -15.6, 0.75)}`, fill: 'paper', line: 0.35, both: true },
  { d: round(0, -14.8, 1), fill: 'a', line: 0.4 },
  { d: 'M-8.8-38.6C-5-41.6 5-41.6 8.8-38.6L11.4-47.4C9.6-46.8 7.8-45.4 6.6-44C5.8-46.6 4.6-48.6 2.8-49.6C2.2-52 1-54 0-55C-1-54-2.2-52-2.8-49.6C-4.6-48.6-5.8-46.6-6.6-44C-7.8-45.4-9.6-46.8-11.4-47.4Z', fill: 'gold', line: 0.8 },
  { d: `${round(-4.6, -42.6, 0.95)}${round(-11.2, -48, 1.1)}`, fill: 'b', both: true },
  { d: 'M0-50L1.6-46.6L0-43.2L-1.6-46.6Z', fill: 'a' },
  { d: 'M16-2C15-10 15.4-16 16.4-21', fill: null, line: 0.9 },
  { d: 'M15.4-14C12.6-14.6 11.6-17 11.4-18.8C13.8-18.6 15.2-16.6 15.4-14Z', fill: 'b', line: 0.4 },
  { d: `${round(16.4, -27, 2.1)}${round(13.6, -25, 2.1)}${round(14.6, -21.8, 2.1)}${round(18.2, -21.8, 2.1)}${round(19.2, -25, 2.1)}`, fill: 'a', line: 0.5 },
  { d: round(16.4, -24.2, 1.7), fill: 'gold', line: 0.5 },
  { d: round(15.8, -7, 2.7, 2.2), fill: 'skin', line: 0.6 },
];

const JACK: readonly Shape[] = [
  { d: 'M-22 4L-22-8C-18-14-12-18-7-20.6L0-18L0 4Z', fill: 'a', line: 0.8 },
  { d: 'M22 4L22-8C18-14 12-18 7-20.6L0-18L0 4Z', fill: 'b', line: 0.8 },
  { d: 'M-22-2L-13-8L-4-2L-4-6L-13-12L-22-6Z', fill: 'gold', line: 0.5 },
  { d: 'M22-2L13-8L4-2L4-6L13-12L22-6Z', fill: 'gold', line: 0.5 },
  { d: 'M-1.4 4L-1.4-17L1.4-17L1.4 4Z', fill: 'paper', line: 0.5 },
  { d: `${round(0, -13.4, 0.8)}${round(0, -9, 0.8)}${round(0, -4.6, 0.8)}`, fill: 'ink' },
  { d: 'M-7-38C-12.6-36.6-12.4-28-11-22.4C-9.4-21.6-7.6-22.6-6-24.6C-7-28-7.4-32-7-35Z', fill: 'hair', line: 0.7, both: true },
  { d: 'M-9.8-33C-10.4-29-10-26-9-23.6', fill: null, line: 0.4, both: true },
  ...FACE,
  LIPS,
  { d: 'M-8.6-19.4C-5-16-2-15.2 0-15.2C2-15.2 5-16 8.6-19.4L6.4-22.6C4-20 2-19.4 0-19.4C-2-19.4-4-20-6.4-22.6Z', fill: 'paper', line: 0.7 },
  { d: 'M-5-20.2l-1 2.6M-2-19.2l-.4 3', fill: null, line: 0.5, both: true },
  { d: 'M-10.6-40.4C-13.4-47-5-53.4 4.6-51.6C13-50.2 14.6-44.4 10.4-40.2C4-42.6-4-42.6-10.6-40.4Z', fill: 'a', line: 0.8 },
  { d: 'M-9.4-38.4C-4-40.8 4-40.8 9.4-38.4L9.8-41.2C4-43.4-4-43.4-9.8-41.2Z', fill: 'gold', line: 0.7 },
  { d: 'M5.4-44C8-54 15-57 20-52.6C17-53 14.6-50.6 13-48.4C10.6-45.4 8-43.4 5.4-44Z', fill: 'paper', line: 0.6 },
  { d: 'M6.4-44.6C9.6-49.6 13.6-52 17-52.6', fill: null, line: 0.4 },
  { d: 'M16.6 0L16.2-39', fill: null, line: 1.5 },
  { d: 'M16.2-44L14.8-38.6L17.6-38.6ZM15.4-38C11.8-37 11-33.6 11.6-30.4C13-32 14-32.6 15.4-32.6Z', fill: 'steel', line: 0.6 },
  { d: round(16.4, -13, 2.6, 2.2), fill: 'skin', line: 0.6 },
];

const FIGURES: Readonly<Record<string, readonly Shape[]>> = { K: KING, Q: QUEEN, J: JACK };
const HAIR: Readonly<Record<string, string>> = { K: '#6b4a2c', Q: '#8c4a20', J: '#c1903f' };
const ROBES: Readonly<Record<string, readonly [string, string]>> = {
  H: ['#b4222c', '#20427f'],
  D: ['#c2421f', '#2a5f6e'],
  S: ['#223a7a', '#b4222c'],
  C: ['#1f5d4b', '#8e1f3a'],
};

/** How far the frame of a court card stands from the card's upper and lower end. */
const MARGIN = 12;

export function drawCourt(pen: Pen, rank: string, suit: string, ink: string, width: number, height: number): void {
  const unit = width / 100;
  const halfHeight = height / 2 / unit - MARGIN;
  const [a, b] = ROBES[suit] ?? ['#b4222c', '#20427f'];
  const colours = { a, b, hair: HAIR[rank] ?? INK, skin: SKIN, gold: BRIGHT, steel: STEEL, paper: PAPER, lips: LIP_RED, ink: INK };
  const frame = (): void => {
    pen.beginPath();
    pen.roundRect(-HALF_WIDTH, -halfHeight, 2 * HALF_WIDTH, 2 * halfHeight, 2.4);
  };
  pen.save();
  pen.translate(width / 2, height / 2);
  pen.scale(unit, unit);
  pen.lineJoin = pen.lineCap = 'round';
  pen.save();
  frame();
  pen.clip();
  pen.fillStyle = '#f8f0dc';
  pen.fillRect(-HALF_WIDTH, -halfHeight, 2 * HALF_WIDTH, 2 * halfHeight);
  for (const turn of [0, Math.PI]) {
    pen.save();
    pen.rotate(turn);
    pen.beginPath();
    pen.rect(-HALF_WIDTH, -halfHeight, 2 * HALF_WIDTH, halfHeight);
    pen.clip();
    drawRays(pen, halfHeight);
    for (const shape of FIGURES[rank] ?? KING) drawShape(pen, shape, colours);
    pen.fillStyle = ink;
    drawSuit(pen, suit, -16, -halfHeight + 8, 9.5);
    pen.restore();
  }
  drawSash(pen, a);
  pen.restore();
  frame();
  pen.strokeStyle = GOLD;
  pen.lineWidth = 1.1;
  pen.stroke();
  pen.restore();
}

function drawRays(pen: Pen, length: number): void {
  pen.fillStyle = 'rgba(181,138,58,.16)';
  for (let ray = -5; ray <= 5; ray += 2) {
    pen.beginPath();
    pen.moveTo(0, -18);
    pen.lineTo(Math.tan((ray - 0.5) * 0.2) * length, -18 - length);
    pen.lineTo(Math.tan((ray + 0.5) * 0.2) * length, -18 - length);
    pen.fill();
  }
}

function drawShape(pen: Pen, { d, fill, line, both }: Shape, colours: Readonly<Record<string, string>>): void {
  const path = pathOf(d);
  for (const mirror of both === true ? [1, -1] : [1]) {
    pen.save();
    pen.scale(mirror, 1);
    if (fill !== null) {
      pen.fillStyle = colours[fill] ?? INK;
      pen.fill(path);
    }
    if (line !== undefined) {
      pen.strokeStyle = INK;
      pen.lineWidth = line;
      pen.stroke(path);
    }
    pen.restore();
  }
}

/** The band where the two halves meet. */
function drawSash(pen: Pen, colour: string): void {
  pen.fillStyle = BRIGHT;
  pen.strokeStyle = INK;
  pen.lineWidth = 0.7;
  pen.beginPath();
  pen.rect(-HALF_WIDTH - 2, -2.6, 2 * HALF_WIDTH + 4, 5.2);
  pen.fill();
  pen.stroke();
  pen.fillStyle = colour;
  for (let x = -18; x <= 18; x += 6) {
    pen.beginPath();
    pen.moveTo(x, -1.7);
    pen.lineTo(x + 2, 0);
    pen.lineTo(x, 1.7);
    pen.lineTo(x - 2, 0);
    pen.fill();
  }
}

const paths = new Map<string, Path2D>();

function pathOf(d: string): Path2D {
  const path = paths.get(d) ?? new Path2D(d);
  paths.set(d, path);
  return path;
}
