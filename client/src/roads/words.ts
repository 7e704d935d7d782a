/** A mark in words, for those who do not see it. */

import { t } from '../i18n';
import type { BoardName } from '../model';
import type { Mark } from '../wire/generated';
import type { Streak } from './streak';

const CALLED_FROM = 3;
const WINNER = { red: 'banker', blue: 'player', green: 'tie' } as const;

export const letter = (colour: string | null): string =>
  colour === 'red' || colour === 'blue' || colour === 'green' ? t(`letter.${WINNER[colour]}`) : '';

/** "Banker", "Player, 2 ties", "Tie, Banker pair"; on the derived roads "Red" and "Blue". */
export function markWords(name: BoardName, mark: Mark): string {
  const [, , colour, ties, , pairs] = mark;
  if (name !== 'bead_plate' && name !== 'big_road') return colour === 'red' ? t('mark.red') : t('mark.blue');
  const words: string[] = [];
  if (colour === 'red' || colour === 'blue' || colour === 'green') words.push(t(`area.${WINNER[colour]}`));
  if (ties > 0) words.push(t('mark.ties', { ties }));
  if (pairs % 2 === 1) words.push(t('mark.player_pair'));
  if (pairs >= 2) words.push(t('mark.banker_pair'));
  return words.join(', ');
}

/** What is said along with a result: "Streak of 4."; nothing of short ones, which are no news. */
export const streakCall = ({ length, ties }: Streak): string =>
  ties > 0 || length < CALLED_FROM ? '' : t('call.streak', { length });

/** "Banker, streak of 4, then 2 ties"; "" before the first coup. */
export function streakWords({ side, length, ties }: Streak): string {
  const tied = ties === 0 ? '' : t('mark.ties', { ties });
  if (side === null) return tied;
  const won = t('roads.streak', { side, length });
  return tied === '' ? won : t('roads.then', { first: won, next: tied });
}
