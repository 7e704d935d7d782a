/** How the chips are printed: base, edge spots and number differ in lightness as well as in hue. */

import { type ChipColours, chipColours, SMALL_CHANGE_COLOURS } from '../../art/chips';
import { canvas, circle, type Pen, UI_FONT } from '../craft/paint';
import { CHIP_VALUES, type ChipValue, SMALL_CHANGE } from './values';

interface Print extends ChipColours {
  readonly text: string;
}

const TEXTS: Readonly<Record<ChipValue, string>> = {
  2000: '20',
  10000: '100',
  50000: '500',
  100000: '1K',
  500000: '5K',
  2500000: '25K',
  [SMALL_CHANGE]: '',
};

function printOf(value: ChipValue): Print {
  const colours = value === SMALL_CHANGE ? SMALL_CHANGE_COLOURS : chipColours(value);
  return { ...colours, text: TEXTS[value] };
}

const VALUES: readonly ChipValue[] = [...CHIP_VALUES, SMALL_CHANGE];

/** Which cell of the texture a value has. */
export const CHIP_CELL = Object.fromEntries(VALUES.map((value, cell) => [value, cell])) as Record<ChipValue, number>;

const TOP = 256;
const EDGE = 64;
/** Share of a cell's height that the round top takes; the edge strip is below it. */
export const TOP_SHARE = TOP / (TOP + EDGE);

export function chipPicture(columns: number, rows: number): HTMLCanvasElement {
  return canvas(columns * TOP, rows * (TOP + EDGE), (pen) => {
    VALUES.forEach((value, cell) => {
      pen.save();
      pen.translate((cell % columns) * TOP, Math.floor(cell / columns) * (TOP + EDGE));
      pen.beginPath();
      pen.rect(0, 0, TOP, TOP + EDGE);
      pen.clip();
      const print = printOf(value);
      pen.fillStyle = print.base;
      pen.fillRect(0, 0, TOP, TOP + EDGE);
      drawTop(pen, print, TOP / 2);
      pen.translate(0, TOP);
      drawEdge(pen, print);
      pen.restore();
    });
  });
}

/** Six edge spots, each in two bars; angles from the top. */
const BARS: readonly number[] = Array.from({ length: 6 }, (_, i) => (i * Math.PI) / 3).flatMap((angle) => [
  angle - 0.105,
  angle + 0.105,
]);
const BAR_HALF = 0.085;

function drawTop(pen: Pen, print: Print, radius: number): void {
  pen.save();
  pen.translate(radius, radius);
  pen.fillStyle = print.spot;
  for (const angle of BARS) {
    const from = angle - BAR_HALF - Math.PI / 2;
    const to = angle + BAR_HALF - Math.PI / 2;
    pen.beginPath();
    pen.arc(0, 0, radius, from, to);
    pen.arc(0, 0, radius * 0.8, to, from, true);
    pen.fill();
  }
  for (let i = 0; i < 6; i++) {
    const angle = ((i + 0.5) * Math.PI) / 3;
    circle(pen, Math.sin(angle) * radius * 0.9, -Math.cos(angle) * radius * 0.9, radius * 0.035);
    pen.fill();
  }
  drawRings(pen, print, radius);
  pen.fillStyle = print.ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const size = print.text.length > 2 ? 0.54 : 0.66;
  pen.font = `800 ${radius * size}px ${UI_FONT}, sans-serif`;
  pen.fillText(print.text, 0, radius * 0.03);
  pen.restore();
}

function drawRings(pen: Pen, print: Print, radius: number): void {
  pen.strokeStyle = 'rgba(0,0,0,.28)';
  pen.lineWidth = radius * 0.03;
  circle(pen, 0, 0, radius * 0.79);
  pen.stroke();
  pen.strokeStyle = print.spot;
  pen.lineWidth = radius * 0.035;
  circle(pen, 0, 0, radius * 0.72);
  pen.stroke();
  pen.lineWidth = radius * 0.012;
  pen.globalAlpha = 0.55;
  for (let i = 0; i < 48; i++) {
    const angle = (i * Math.PI) / 24;
    pen.beginPath();
    pen.moveTo(Math.cos(angle) * radius * 0.64, Math.sin(angle) * radius * 0.64);
    pen.lineTo(Math.cos(angle) * radius * 0.7, Math.sin(angle) * radius * 0.7);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.fillStyle = 'rgba(255,255,255,.07)';
  circle(pen, 0, 0, radius * 0.61);
  pen.fill();
}

function drawEdge(pen: Pen, print: Print): void {
  const turn = 2 * Math.PI;
  const width = ((2 * BAR_HALF) / turn) * TOP;
  pen.fillStyle = print.spot;
  for (const angle of BARS) {
    const middle = ((((angle / turn) % 1) + 1) % 1) * TOP;
    for (const wrapped of [middle - TOP, middle, middle + TOP]) pen.fillRect(wrapped - width / 2, 6, width, EDGE - 12);
  }
  pen.fillStyle = 'rgba(0,0,0,.35)';
  pen.fillRect(0, 0, TOP, 6);
  pen.fillRect(0, EDGE - 6, TOP, 6);
}
