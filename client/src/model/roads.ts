/** Boards as the server sends them: put a coup's marks on, or take them off again. No rule of the roads is known here. */

import type { Boards, CoupDealt, Mark, Roads } from '../wire/generated';
import { NO_ROADS } from './state';

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

/** The boards after a coup, from those before it and what the coup adds or changes. */
export function plusCoup(before: Roads, delta: Roads): Roads {
  return { ...delta, boards: each((name) => plusMarks(before.boards[name], delta.boards[name])) };
}

/**
 * The boards before a coup, from those after it: its new marks go; of a changed mark, the tie it counted goes.
 * The counts lose it too; what was asked before it is not known any more.
 */
export function minusCoup(after: Roads, dealt: CoupDealt): Roads {
  const isNew = (mark: Mark): boolean => mark[4] === dealt.coup || mark[4] === 0;
  const boards = each((name) => {
    const delta = dealt.roads.boards[name];
    return after.boards[name].flatMap((mark): Mark[] => {
      const change = delta.find((next) => samePlace(next, mark));
      if (change === undefined) return [mark];
      const [row, col, colour, ties, coup, pairs] = mark;
      if (name === 'big_road' && dealt.outcome === 'tie') return ties > 1 || colour !== null ? [[row, col, colour, ties - 1, coup, pairs]] : [];
      if (name === 'big_road' && ties > 0) return [[row, col, null, ties, coup, 0]];
      return isNew(mark) ? [] : [mark];
    });
  });
  const counts = { ...after.counts, coups: after.counts.coups - 1 };
  if (dealt.outcome === 'banker' || dealt.outcome === 'player' || dealt.outcome === 'tie') counts[dealt.outcome] -= 1;
  counts.natural -= Number(dealt.natural);
  counts.player_pair -= Number(dealt.player_pair);
  counts.banker_pair -= Number(dealt.banker_pair);
  return { boards, counts, if_banker: NO_ROADS.if_banker, if_player: NO_ROADS.if_player };
}

/** Boards before and after the dealt coup, whichever of the two a snapshot holds. */
export function roadsAround(held: Roads, dealt: CoupDealt | null): { before: Roads; after: Roads } {
  if (dealt === null) return { before: held, after: held };
  if (held.counts.coups >= dealt.roads.counts.coups) return { before: minusCoup(held, dealt), after: held };
  return { before: held, after: plusCoup(held, dealt.roads) };
}
