/** The tableau as it is printed in the help, and which of its cells a coup stands on. It explains; it decides nothing. */

import type { Say } from '../model';

/** Row: the Banker's points with two cards, 0 to 7. Column: points of the Player's third card, 0 to 9. D draws, S stands. */
export const TABLEAU: readonly string[] = [
  'DDDDDDDDDD',
  'DDDDDDDDDD',
  'DDDDDDDDDD',
  'DDDDDDDDSD',
  'SSDDDDDDSS',
  'SSSSDDDDSS',
  'SSSSSSDDSS',
  'SSSSSSSSSS',
];
/** The same where the Player stood: by the Banker's points alone. */
export const AFTER_STAND = 'DDDDDDSS';

export type Column = number | 'stood';

export interface Cell {
  readonly banker: number;
  readonly third: Column;
}

export interface Explained {
  readonly coup: number;
  readonly player: readonly Say[];
  readonly banker: readonly Say[];
  /** null while unknown, and after a natural. */
  readonly cell: Cell | null;
}

export const draws = ({ banker, third }: Cell): boolean =>
  (third === 'stood' ? AFTER_STAND[banker] : TABLEAU[banker]?.[third]) === 'D';

/** Points of one card, by its two characters. */
export const pointsOf = (code: string): number => {
  const rank = code.slice(0, -1);
  if (rank === 'A') return 1;
  return /^[2-9]$/.test(rank) ? Number(rank) : 0;
};

const total = (codes: readonly string[]): number => codes.reduce((sum, code) => sum + pointsOf(code), 0) % 10;

type Cards = readonly (string | null)[];

/** The first two cards of a hand, when both are seen. */
function two(cards: Cards): number | null {
  const [first, second] = cards;
  return typeof first === 'string' && typeof second === 'string' ? total([first, second]) : null;
}

const say = (key: Say['key'], facts: Say['facts'] = {}): Say => ({ key, facts });

/** Why the hands drew or stood, from the cards that lie open; null before both hands of two do. */
export function explain(coup: number, player: Cards, banker: Cards): Explained | null {
  const [mine, its] = [two(player), two(banker)];
  if (mine === null || its === null) return null;
  const natural = mine >= 8 ? say('explain.natural', { side: 'player', points: mine }) : its >= 8 ? say('explain.natural', { side: 'banker', points: its }) : null;
  if (natural !== null) return { coup, player: [natural], banker: [], cell: null };
  if (mine > 5) {
    const cell: Cell = { banker: its, third: 'stood' };
    return { coup, player: [say('explain.player_stands', { points: mine })], banker: [say('explain.player_stood', { points: its }), so(cell)], cell };
  }
  const drew = [say('explain.player_draws', { points: mine })];
  const third = player[2];
  if (typeof third !== 'string') return { coup, player: drew, banker: [], cell: null };
  const cell: Cell = { banker: its, third: pointsOf(third) };
  const row = `explain.row_${its}` as Say['key'];
  return { coup, player: drew, banker: [say('explain.third_counts', { points: its, third: pointsOf(third) }), say(row), so(cell)], cell };
}

const so = (cell: Cell): Say => say(draws(cell) ? 'explain.so_draws' : 'explain.so_stands');
