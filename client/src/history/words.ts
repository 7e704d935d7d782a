/** A coup of the history in words and figures. */

import { money, t } from '../i18n';
import { type Area, AREAS } from '../model';
import type { HistoryCoup } from '../wire/generated';

/** "+6,925", "−2,000", "0". */
export const signed = (minor: number): string => (minor > 0 ? `+${money(minor)}` : money(minor));

export const tone = (minor: number): 'up' | 'down' | '' => (minor > 0 ? 'up' : minor < 0 ? 'down' : '');

export const outcomeOf = ({ outcome }: HistoryCoup): Area | null => AREAS.find((area) => area === outcome) ?? null;

/** "Banker wins, 7 over 4."; how the coup stands when it has no outcome. */
export function sentence(coup: HistoryCoup): string {
  const outcome = outcomeOf(coup);
  const [player, banker] = [coup.player_points, coup.banker_points];
  if (outcome === null || player === null || banker === null) return t(coup.state === 'voided' ? 'history.voided' : 'history.running');
  if (outcome === 'tie') return t('call.tie', { points: player });
  return t('call.wins', { side: outcome, high: Math.max(player, banker), low: Math.min(player, banker) });
}

/** What was bet, area by area, in the order of the table. */
export const bets = (coup: HistoryCoup): { area: string; stakeMinor: number; returnedMinor: number; netMinor: number }[] =>
  Object.entries(coup.stakes)
    .filter(([, stake]) => stake > 0)
    .sort(([one], [other]) => AREAS.indexOf(one as Area) - AREAS.indexOf(other as Area))
    .map(([area, stakeMinor]) => {
      const returnedMinor = coup.returned[area] ?? 0;
      const over = outcomeOf(coup) !== null || coup.state === 'voided';
      return { area, stakeMinor, returnedMinor, netMinor: over ? returnedMinor - stakeMinor : 0 };
    });

/** "21:14", and the date where it is not today's. */
export function timeOf(utcMs: number, nowMs: number, tag: string): { time: string; day: string } {
  const at = new Date(utcMs);
  const time = at.toLocaleTimeString(tag, { hour: '2-digit', minute: '2-digit' });
  const sameDay = at.toDateString() === new Date(nowMs).toDateString();
  return { time, day: sameDay ? '' : at.toLocaleDateString(tag, { day: 'numeric', month: 'short' }) };
}
