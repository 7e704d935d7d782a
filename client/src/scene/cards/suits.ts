/** Draws suits, and names the colours that faces and courts share. */

import { SUIT_PATHS } from '../../art/suits';
import type { Pen } from '../craft/pen';

export const GOLD = '#b58a3a';
export const PAPER = '#fdfbf5';

const paths = new Map<string, Path2D>();

export function drawSuit(pen: Pen, suit: string, x: number, y: number, size: number, upsideDown = false): void {
  const path = paths.get(suit) ?? new Path2D(SUIT_PATHS[suit] ?? '');
  paths.set(suit, path);
  const scale = upsideDown ? -size : size;
  pen.save();
  pen.translate(x, y);
  pen.scale(scale, scale);
  pen.fill(path, 'nonzero');
  pen.restore();
}
