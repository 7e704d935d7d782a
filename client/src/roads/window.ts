/** Which columns of a board are in view: the newest always, with a free one after it where there is room. */

import type { Mark } from '../wire/generated';

export interface Window {
  /** The first column in view. */
  readonly from: number;
  readonly columns: number;
}

/** How a board lies on its paper: `cell` in CSS pixels, and the columns that fit whole. */
export interface Fit {
  readonly cell: number;
  readonly columns: number;
}

export const ROWS = 6;
const SMALLEST_CELL = 6;

/** One past the last column in use. */
export const width = (marks: readonly Mark[]): number => marks.reduce((most, mark) => Math.max(most, mark[1] + 1), 0);

/** The mark of the latest coup; on boards whose marks have no coup (derived roads), the last one sent. */
export function newest(marks: readonly Mark[]): Mark | null {
  let best: Mark | null = null;
  for (const mark of marks) if (best === null || mark[4] >= best[4]) best = mark;
  return best;
}

/**
 * `spare`: empty columns wanted after the last one in use.
 * A dragon's tail may reach further right than the newest mark: then the newest decides, with what came before it.
 */
export function newestWindow(marks: readonly Mark[], columns: number, spare = 1): Window {
  const end = Math.max(0, width(marks) + spare - columns);
  const before = Math.floor(columns / 3);
  return { from: Math.min(end, Math.max(0, (newest(marks)?.[1] ?? 0) - before)), columns };
}

/** The first column of the window that shows the right end of the board: further it does not scroll. */
export const lastFrom = (marks: readonly Mark[], columns: number, spare = 1): number =>
  Math.max(0, width(marks) + spare - columns);

/**
 * Cells of about `wanted` CSS pixels that end on whole pixels of the screen, so that lines and circles are crisp and all
 * alike. `dpr`: pixels of the screen in a CSS pixel.
 */
export function fit(widthPx: number, wanted: number, dpr: number): Fit {
  const cell = Math.max(SMALLEST_CELL, Math.floor(wanted * dpr + 0.01) / dpr);
  return { cell, columns: Math.max(1, Math.floor(widthPx / cell + 0.01)) };
}
