/** Boards as the server sends them: put a coup's marks on. No rule of the roads is known here. */

import type { Boards, Mark, Roads } from '../wire/generated';

export type BoardName = keyof Boards;
export const BOARD_NAMES: readonly BoardName[] = [
  'big_road',
  'bead_plate',
  'big_eye_boy',
  'small_road',
  'cockroach_road',
];

const samePlace = (a: Mark, b: Mark): boolean => a[0] === b[0] && a[1] === b[1];

function each(change: (name: BoardName) => Mark[]): Boards {
  return {
    bead_plate: change('bead_plate'),
    big_road: change('big_road'),
    big_eye_boy: change('big_eye_boy'),
    small_road: change('small_road'),
    cockroach_road: change('cockroach_road'),
  };
}

/** Marks with the changed ones in the place of those they replace, and the new ones at the end. */
function plusMarks(marks: readonly Mark[], delta: readonly Mark[]): Mark[] {
  if (delta.length === 0) return marks as Mark[];
  const changed = marks.map((mark) => delta.find((next) => samePlace(next, mark)) ?? mark);
  const added = delta.filter((next) => !marks.some((mark) => samePlace(next, mark)));
  return [...changed, ...added];
}

/** The boards after a coup, from those before it and what the coup adds or changes; or all of them anew. */
export function plusCoup(before: Roads, delta: Roads): Roads {
  if (delta.anew) return delta;
  return { ...delta, boards: each((name) => plusMarks(before.boards[name], delta.boards[name])) };
}
