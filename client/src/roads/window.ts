/** Which columns of a board are in view: the newest always, with a free one after it where there is room. */

import type { Mark } from '../wire/generated';

export interface Window {
  /** The first column in view. */
  readonly from: number;
  readonly columns: number;
}

export const ROWS = 6;

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
 * A dragon's tail may reach further right than the newest mark: then the newest decides.
 */
export function newestWindow(marks: readonly Mark[], columns: number, spare = 1): Window {
  const last = Math.max(0, width(marks) + spare - columns);
  return { from: Math.min(last, newest(marks)?.[1] ?? 0), columns };
}
