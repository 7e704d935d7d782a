/** Cards drawn by us: vector suits, pips, indices, and a back of rings. Everything is right way up for the reader. */

import { circle, drawMark, type Pen, UI_FONT } from '../craft/pen';
import { drawCourt } from './court_art';
import { drawSuit, GOLD, PAPER } from './suits';

const WINE = '#6d1424';
const INK: Readonly<Record<string, string>> = { S: '#15161c', C: '#15161c', H: '#b40d1a', D: '#b40d1a' };

type Pip = readonly [column: number, row: number];
const CORNERS: readonly Pip[] = [
  [0, 0],
  [2, 0],
  [0, 6],
  [2, 6],
];
const SIX: readonly Pip[] = [...CORNERS, [0, 3], [2, 3]];
const FOUR_ROWS: readonly Pip[] = [...CORNERS, [0, 2], [2, 2], [0, 4], [2, 4]];

/** Places of the pips in a grid of 3 columns and 7 rows. */
const PIPS: Readonly<Record<string, readonly Pip[]>> = {
  A: [[1, 3]],
  '2': [
    [1, 0],
    [1, 6],
  ],
  '3': [
    [1, 0],
    [1, 3],
    [1, 6],
  ],
  '4': CORNERS,
  '5': [...CORNERS, [1, 3]],
  '6': SIX,
  '7': [...SIX, [1, 1.5]],
  '8': [...SIX, [1, 1.5], [1, 4.5]],
  '9': [...FOUR_ROWS, [1, 3]],
  T: [...FOUR_ROWS, [1, 1], [1, 5]],
};

/** A face such as "TS" in a box of width x height at the origin. `bold`: what matters only, for cards of few pixels. */
export function drawFace(pen: Pen, code: string, width: number, height: number, bold = false): void {
  const rank = code.slice(0, -1);
  const suit = code.slice(-1);
  const ink = INK[suit] ?? INK['S']!;
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, width, height);
  if (bold) {
    drawBold(pen, rank, suit, ink, width, height);
    return;
  }
  drawIndex(pen, rank, suit, ink, width);
  pen.save();
  pen.translate(width, height);
  pen.rotate(Math.PI);
  drawIndex(pen, rank, suit, ink, width);
  pen.restore();
  const pips = PIPS[rank];
  if (pips === undefined) drawCourt(pen, rank, suit, ink, width, height);
  else drawPips(pen, pips, suit, ink, rank === 'A', width, height);
}

/** One large rank above, one large suit below: legible at 30 pixels. */
function drawBold(pen: Pen, rank: string, suit: string, ink: string, width: number, height: number): void {
  const unit = width / 100;
  pen.fillStyle = ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'alphabetic';
  pen.save();
  pen.translate(width / 2, height * 0.475);
  if (rank === 'T') pen.scale(0.86, 1);
  pen.font = `800 ${78 * unit}px ${UI_FONT}, sans-serif`;
  pen.fillText(rank === 'T' ? '10' : rank, 0, 0);
  pen.restore();
  drawSuit(pen, suit, width / 2, height * 0.735, 58 * unit);
}

/** The jumbo index, 36 % of the width: legible at two metres. */
function drawIndex(pen: Pen, rank: string, suit: string, ink: string, width: number): void {
  const unit = width / 100;
  pen.fillStyle = ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'alphabetic';
  pen.save();
  pen.translate(15.5 * unit, 31 * unit);
  const ten = rank === 'T';
  if (ten) pen.scale(0.68, 1.15);
  pen.font = `800 ${(ten ? 31 : 36) * unit}px ${UI_FONT}, sans-serif`;
  pen.fillText(ten ? '10' : rank, 0, 0);
  pen.restore();
  drawSuit(pen, suit, 15.5 * unit, 46 * unit, 20 * unit);
}

/** The columns stand close together: the corners belong to the index. */
function drawPips(
  pen: Pen,
  pips: readonly Pip[],
  suit: string,
  ink: string,
  ace: boolean,
  width: number,
  height: number,
): void {
  const unit = width / 100;
  pen.fillStyle = ink;
  for (const [column, row] of pips) {
    drawSuit(pen, suit, (38 + column * 12.5) * unit, height * (0.155 + row * 0.115), (ace ? 48 : 20) * unit, row > 3);
  }
  if (!ace) return;
  pen.strokeStyle = GOLD;
  pen.lineWidth = 0.9 * unit;
  for (const radius of [31, 33.5]) {
    circle(pen, width / 2, height / 2, radius * unit);
    pen.stroke();
  }
}

/** A lattice of rings, wine red and gold, with the mark in the middle. */
export function drawBack(pen: Pen, width: number, height: number): void {
  const unit = width / 100;
  pen.fillStyle = '#fbf7ec';
  pen.fillRect(0, 0, width, height);
  pen.save();
  pen.fillStyle = WINE;
  pen.beginPath();
  pen.roundRect(6 * unit, 6 * unit, width - 12 * unit, height - 12 * unit, 4 * unit);
  pen.fill();
  pen.clip();
  pen.strokeStyle = 'rgba(240,205,140,.55)';
  pen.lineWidth = 1.1 * unit;
  for (let row = -1; row < 17; row++) {
    for (let column = -1; column < 12; column++) {
      circle(pen, (50 + (column - 5 + (row % 2) / 2) * 11) * unit, height / 2 + (row - 8) * 9.5 * unit, 4.6 * unit);
      pen.stroke();
    }
  }
  pen.restore();
  pen.fillStyle = WINE;
  circle(pen, width / 2, height / 2, 20 * unit);
  pen.fill();
  pen.strokeStyle = '#eac780';
  pen.lineWidth = 1.6 * unit;
  pen.stroke();
  drawMark(pen, width / 2, height / 2, 14 * unit, '#eac780');
  pen.lineWidth = unit;
  pen.beginPath();
  pen.roundRect(9.5 * unit, 9.5 * unit, width - 19 * unit, height - 19 * unit, 2.5 * unit);
  pen.stroke();
}
