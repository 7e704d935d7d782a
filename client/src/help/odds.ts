/** The odds of a coup from a fresh shoe, counted exactly, and what the house keeps of each stake. */

import type { AreaTerms } from '../wire/generated';

/** How many of all ordered six-card beginnings of a fresh shoe end so. All are whole numbers below 2^53. */
export interface Counted {
  readonly player: number;
  readonly banker: number;
  readonly tie: number;
}

export const COUNTED: Readonly<Record<number, Counted>> = {
  6: { player: 392_220_492_728_832, banker: 403_095_751_234_560, tie: 83_552_962_932_288 },
  8: { player: 2_230_518_282_592_256, banker: 2_292_252_566_437_888, tie: 475_627_426_473_216 },
};

/** The decks for which there are figures. */
export const DECKS: readonly number[] = [8, 6];

/**
 * What the house keeps of a unit staked on an area, as a share (0.0106 is 1.06 %); pushes count as bets resolved at
 * nothing. null where there is no figure.
 */
export function houseEdge(terms: AreaTerms, decks: number): number | null {
  const counted = COUNTED[decks];
  const { area } = terms;
  if (counted === undefined || (area !== 'player' && area !== 'banker' && area !== 'tie')) return null;
  const all = counted.player + counted.banker + counted.tie;
  const pays = (terms.pays_numerator / terms.pays_denominator) * (1 - terms.commission_bps / 10_000);
  const lost = area === 'tie' ? counted.player + counted.banker : area === 'player' ? counted.banker : counted.player;
  return (lost - pays * counted[area]) / all;
}
