/** Jack, queen and king: an Art Deco half figure, drawn twice. */

import type { Pen } from '../craft/paint';
import { drawSuit, GOLD, PAPER } from './suits';

interface Figure {
  readonly pen: Pen;
  readonly rank: string;
  readonly suit: string;
  readonly ink: string;
  /** One per cent of the card's width. */
  readonly unit: number;
  /** Middle of the card, and the frame's left, right and top. */
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

export function drawCourt(pen: Pen, rank: string, suit: string, ink: string, width: number, height: number): void {
  const unit = width / 100;
  const frame = { left: 29 * unit, right: 71 * unit, top: 13 * unit, bottom: height - 13 * unit };
  const figure: Figure = { pen, rank, suit, ink, unit, x: width / 2, y: height / 2, ...frame };
  const outline = (): void => {
    pen.beginPath();
    pen.roundRect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top, 3 * unit);
  };
  pen.save();
  outline();
  pen.clip();
  pen.fillStyle = '#f5ecd6';
  pen.fillRect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  drawHalf(figure);
  pen.translate(width, height);
  pen.rotate(Math.PI);
  drawHalf(figure);
  pen.restore();
  pen.strokeStyle = GOLD;
  pen.lineWidth = 1.1 * unit;
  outline();
  pen.stroke();
  pen.strokeStyle = ink;
  pen.lineWidth = 1.2 * unit;
  pen.beginPath();
  pen.moveTo(frame.left, height / 2);
  pen.lineTo(frame.right, height / 2);
  pen.stroke();
}

function drawHalf(figure: Figure): void {
  drawSunburst(figure);
  drawRobe(figure);
  drawHead(figure);
  drawCrown(figure);
  const { pen, suit, unit, left, top, ink } = figure;
  pen.fillStyle = ink;
  drawSuit(pen, suit, left + 8 * unit, top + 9 * unit, 11 * unit);
}

function drawSunburst({ pen, unit, x, y }: Figure): void {
  const length = 90 * unit;
  for (let ray = -7; ray <= 7; ray++) {
    const from = (ray - 0.5) * 0.2;
    const to = (ray + 0.5) * 0.2;
    pen.fillStyle = ray % 2 === 0 ? 'rgba(181,138,58,.05)' : 'rgba(181,138,58,.20)';
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + Math.sin(from) * length, y - Math.cos(from) * length);
    pen.lineTo(x + Math.sin(to) * length, y - Math.cos(to) * length);
    pen.fill();
  }
}

function drawRobe({ pen, unit, x, y, left, right, ink }: Figure): void {
  pen.fillStyle = ink;
  pen.beginPath();
  pen.moveTo(left, y);
  pen.lineTo(left, y - 5 * unit);
  pen.quadraticCurveTo(x - 12 * unit, y - 10 * unit, x - 8 * unit, y - 19 * unit);
  pen.lineTo(x + 8 * unit, y - 19 * unit);
  pen.quadraticCurveTo(x + 12 * unit, y - 10 * unit, right, y - 5 * unit);
  pen.lineTo(right, y);
  pen.fill();
  pen.fillStyle = GOLD;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - 7 * unit, y - 19 * unit);
  pen.lineTo(x + 7 * unit, y - 19 * unit);
  pen.fill();
}

function drawHead({ pen, rank, unit, x, y, ink }: Figure): void {
  pen.fillStyle = PAPER;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.3 * unit;
  pen.beginPath();
  pen.ellipse(x, y - 26 * unit, 8.2 * unit, 10 * unit, 0, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.fillStyle = ink;
  if (rank === 'Q') {
    for (const side of [-1, 1]) {
      pen.beginPath();
      pen.ellipse(x + side * 10 * unit, y - 24 * unit, 2.6 * unit, 9 * unit, side * -0.15, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  if (rank === 'K') {
    pen.beginPath();
    pen.moveTo(x - 7 * unit, y - 21 * unit);
    pen.quadraticCurveTo(x, y - 6 * unit, x + 7 * unit, y - 21 * unit);
    pen.quadraticCurveTo(x, y - 17 * unit, x - 7 * unit, y - 21 * unit);
    pen.fill();
  }
}

function drawCrown({ pen, rank, unit, x, y, ink }: Figure): void {
  const base = y - 33 * unit;
  const line = (dx: number, dy: number): void => pen.lineTo(x + dx * unit, base + dy * unit);
  const curve = (cx: number, cy: number, dx: number, dy: number): void =>
    pen.quadraticCurveTo(x + cx * unit, base + cy * unit, x + dx * unit, base + dy * unit);
  pen.fillStyle = GOLD;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.1 * unit;
  pen.beginPath();
  pen.moveTo(x - (rank === 'K' ? 11 : 10) * unit, base);
  if (rank === 'K') {
    line(-13, -12);
    line(-6, -6);
    line(0, -15);
    line(6, -6);
    line(13, -12);
    line(11, 0);
  } else if (rank === 'Q') {
    curve(-14, -6, -9, -9);
    curve(-5, -3, 0, -12);
    curve(5, -3, 9, -9);
    curve(14, -6, 10, 0);
  } else {
    line(-8, -6);
    line(6, -7);
    curve(12, -16, 16, -13);
    curve(14, -5, 10, 0);
  }
  pen.closePath();
  pen.fill();
  pen.stroke();
}
