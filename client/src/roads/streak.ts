/** How the shoe stands, read off the marks that the server sent. */

import type { Boards, Mark } from '../wire/generated';

export interface Streak {
  /** null: nobody has won yet. */
  readonly side: 'banker' | 'player' | null;
  readonly length: number;
  /** Ties since the last win. */
  readonly ties: number;
}

/** The newest streak: circles of one colour at the end of the big road, ties at the end of the bead plate. */
export function streak(boards: Pick<Boards, 'big_road' | 'bead_plate'>): Streak {
  const circles = boards.big_road.filter((mark) => mark[2] !== null);
  const colour = circles.at(-1)?.[2];
  return {
    side: colour === 'red' ? 'banker' : colour === 'blue' ? 'player' : null,
    length: tail(circles, (mark) => mark[2] === colour),
    ties: tail(boards.bead_plate, (mark) => mark[2] === 'green'),
  };
}

function tail(marks: readonly Mark[], fits: (mark: Mark) => boolean): number {
  const breaks = marks.findLastIndex((mark) => !fits(mark));
  return marks.length - 1 - breaks;
}
