/** The print on the felt, white on black, crisp at twice the pixels: what is white is covered with ink. */

import { canvas, circle, DISPLAY_FONT, drawMark, type Pen } from '../craft/paint';
import { ARC_CENTRE, AREAS, BAND_INNER, BAND_OUTER, CARD, CARD_PLACES, HAND_BOX, polar } from '../layout';
import type { Area } from '../view';

/** The sheet covers these metres. */
export const SHEET = { left: -1.4, right: 1.4, far: -0.46, near: 0.56 } as const;
const QUARTER = Math.PI / 2;

const INK = '#fff';

export function feltPrint(width: number, areas: readonly Area[]): HTMLCanvasElement {
  const scale = width / (SHEET.right - SHEET.left);
  return canvas(width, Math.round((SHEET.near - SHEET.far) * scale), (pen) => {
    pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height);
    pen.scale(scale, scale);
    pen.translate(-SHEET.left, -SHEET.far);
    const sheet = new Sheet(pen, scale);
    drawLongLines(sheet);
    for (const area of areas) drawArea(sheet, area);
    for (const side of [-1, 1] as const) drawHand(sheet, side);
    pen.globalAlpha = 0.9;
    drawMark(pen, 0, -0.03, 0.03, INK);
    for (const side of [-1, 1] as const) drawFlank(sheet, side);
  });
}

/** A pen that works in metres. */
class Sheet {
  constructor(
    readonly pen: Pen,
    private readonly pixelsPerMetre: number,
  ) {}

  line(width: number, opacity: number): void {
    this.pen.strokeStyle = INK;
    this.pen.lineWidth = width;
    this.pen.globalAlpha = opacity;
  }

  arc(radius: number, from: number, to: number): void {
    this.pen.beginPath();
    this.pen.arc(ARC_CENTRE.x, ARC_CENTRE.z, radius, QUARTER - to, QUARTER - from);
    this.pen.stroke();
  }

  box(left: number, far: number, width: number, height: number, corner: number): void {
    this.pen.beginPath();
    this.pen.roundRect(left, far, width, height, corner);
    this.pen.stroke();
  }

  /** Text of `size` metres, upright for the patron. Canvas fonts want whole pixels: drawn unscaled. */
  text(text: string, x: number, z: number, size: number, turn = 0): void {
    this.pen.save();
    this.pen.translate(x, z);
    this.pen.rotate(turn);
    this.pen.scale(1 / this.pixelsPerMetre, 1 / this.pixelsPerMetre);
    this.setFont(size);
    this.pen.fillStyle = this.pen.strokeStyle = INK;
    this.pen.lineWidth = size * this.pixelsPerMetre * 0.018;
    this.pen.fillText(text, 0, 0);
    this.pen.strokeText(text, 0, 0);
    this.pen.restore();
  }

  /** Letter by letter along an arc around its middle. `track` is in letter sizes. */
  arcText(text: string, middle: number, radius: number, size: number, track: number): void {
    for (const [letter, along] of this.spaced(text, size, track)) {
      const angle = middle + along / radius;
      const { x, z } = polar(angle, radius);
      this.text(letter, x, z, size, -angle);
    }
  }

  straightText(text: string, x: number, z: number, size: number, track: number): void {
    for (const [letter, along] of this.spaced(text, size, track)) this.text(letter, x + along, z, size);
  }

  /** Letters and the distances of their middles from the middle of the word. */
  private spaced(text: string, size: number, track: number): [letter: string, along: number][] {
    this.pen.save();
    this.setFont(size);
    const letters = [...text].map((letter) => ({
      letter,
      width: this.pen.measureText(letter).width / this.pixelsPerMetre,
    }));
    this.pen.restore();
    let at = -(letters.reduce((sum, { width }) => sum + width, 0) + size * track * (letters.length - 1)) / 2;
    return letters.map(({ letter, width }) => {
      const middle = at + width / 2;
      at += width + size * track;
      return [letter, middle];
    });
  }

  private setFont(size: number): void {
    this.pen.font = `400 ${size * this.pixelsPerMetre}px ${DISPLAY_FONT}, serif`;
    this.pen.textAlign = 'center';
    this.pen.textBaseline = 'middle';
  }
}

function drawLongLines(sheet: Sheet): void {
  sheet.line(0.0022, 0.75);
  sheet.arc(1.575, -0.8, 0.8);
  sheet.line(0.0011, 0.6);
  sheet.arc(1.565, -0.8, 0.8);
}

/** The path of a sector with round corners. */
function sector(pen: Pen, from: number, to: number, inner: number, outer: number, corner: number): void {
  const point = (angle: number, radius: number): [number, number] => {
    const { x, z } = polar(angle, radius);
    return [x, z];
  };
  const insideTurn = corner / inner;
  const outsideTurn = corner / outer;
  const { x, z } = ARC_CENTRE;
  pen.beginPath();
  pen.moveTo(...point(from + insideTurn, inner));
  pen.arc(x, z, inner, QUARTER - from - insideTurn, QUARTER - to + insideTurn, true);
  pen.quadraticCurveTo(...point(to, inner), ...point(to, inner + corner));
  pen.lineTo(...point(to, outer - corner));
  pen.quadraticCurveTo(...point(to, outer), ...point(to - outsideTurn, outer));
  pen.arc(x, z, outer, QUARTER - to + outsideTurn, QUARTER - from - outsideTurn, false);
  pen.quadraticCurveTo(...point(from, outer), ...point(from, outer - corner));
  pen.lineTo(...point(from, inner + corner));
  pen.quadraticCurveTo(...point(from, inner), ...point(from + insideTurn, inner));
  pen.closePath();
}

function drawArea(sheet: Sheet, area: Area): void {
  const { from, to, label, odds } = AREAS[area];
  const { pen } = sheet;
  const middle = (from + to) / 2;
  const narrow = area === 'tie';
  sector(pen, from, to, BAND_INNER, BAND_OUTER, 0.016);
  sheet.line(0.0032, 0.95);
  pen.stroke();
  sector(pen, from + 0.0065, to - 0.0065, BAND_INNER + 0.009, BAND_OUTER - 0.009, 0.011);
  sheet.line(0.0011, 0.6);
  pen.stroke();
  pen.globalAlpha = 0.97;
  sheet.arcText(label, middle, BAND_INNER + 0.068, narrow ? 0.04 : 0.046, narrow ? 0.14 : 0.1);
  pen.globalAlpha = 0.85;
  sheet.arcText(odds, middle, BAND_INNER + 0.107, 0.019, 0.16);
}

/** side -1 is the Player's hand, on the patron's left. */
function drawHand(sheet: Sheet, side: -1 | 1): void {
  const { pen } = sheet;
  const { left, right, far, near } = HAND_BOX;
  const x = side < 0 ? -right : left;
  sheet.line(0.0026, 0.9);
  sheet.box(x, far, right - left, near - far, 0.018);
  sheet.line(0.0009, 0.5);
  sheet.box(x + 0.007, far + 0.007, right - left - 0.014, near - far - 0.014, 0.013);
  sheet.line(0.0012, 0.34);
  pen.setLineDash([0.008, 0.006]);
  for (const place of CARD_PLACES[side < 0 ? 'player' : 'banker']) {
    const [width, height] = place.yaw === 0 ? [CARD.width, CARD.height] : [CARD.height, CARD.width];
    sheet.box(place.x - width / 2, place.z - height / 2, width, height, 0.008);
  }
  pen.setLineDash([]);
  pen.globalAlpha = 0.95;
  sheet.straightText(side < 0 ? 'PLAYER' : 'BANKER', side * 0.242, -0.142, 0.032, 0.22);
}

/** The name, and rings that run out like a road. */
function drawFlank(sheet: Sheet, side: -1 | 1): void {
  const { pen } = sheet;
  pen.globalAlpha = 0.85;
  sheet.arcText('BIGROAD', side * 0.545, 1.372, 0.046, 0.34);
  for (let ring = 0; ring < 9; ring++) {
    const { x, z } = polar(side * (0.425 + ring * 0.03), 1.3);
    sheet.line(0.002, 0.62 - Math.abs(ring - 4) * 0.07);
    circle(pen, x, z, 0.0115);
    pen.stroke();
  }
  sheet.line(0.0012, 0.6);
  const ends = [side * 0.41, side * 0.68];
  sheet.arc(1.425, Math.min(...ends), Math.max(...ends));
}
