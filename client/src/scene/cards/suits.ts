/** The four suits as paths, and the colours that faces and courts share. */

import type { Pen } from '../craft/paint';

export const GOLD = '#b58a3a';
export const PAPER = '#fdfbf5';

/** Suits as paths in a unit box (-.5 … .5). */
const SUIT_PATHS: Readonly<Record<string, string>> = {
  D: 'M0-.52Q.14-.22 .38 0Q.14 .22 0 .52Q-.14 .22-.38 0Q-.14-.22 0-.52Z',
  H: 'M0 .48C-.1 .28-.46 .12-.46-.16C-.46-.52-.08-.52 0-.22C.08-.52 .46-.52 .46-.16C.46 .12 .1 .28 0 .48Z',
  S: 'M0-.5C.1-.28 .45-.1 .45 .15C.45 .42 .12 .42 .045 .18Q.06 .4 .18 .48L-.18 .48Q-.06 .4-.045 .18C-.12 .42-.45 .42-.45 .15C-.45-.1-.1-.28 0-.5Z',
  C: 'M.205-.27A.205 .205 0 1 1-.205-.27A.205 .205 0 1 1 .205-.27ZM-.03 .06A.205 .205 0 1 1-.44 .06A.205 .205 0 1 1-.03 .06ZM.44 .06A.205 .205 0 1 1 .03 .06A.205 .205 0 1 1 .44 .06ZM-.09-.12H.09V.1H-.09ZM-.03 .02Q-.03 .38-.18 .47L.18 .47Q.03 .38 .03 .02Z',
};

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
