/** What of the history is asked for: the patron's filter as the house wants to be asked. */

import type { HistoryFilter } from '../wire/api';

export interface Filter {
  /** A table's id; '' is any. */
  readonly table: string;
  readonly outcome: '' | 'player' | 'banker' | 'tie';
  readonly result: '' | 'won' | 'lost' | 'push';
  /** Days as a date field gives them, `2026-11-30`; '' is open. Both ends belong to it, in this browser's time zone. */
  readonly from: string;
  readonly to: string;
}

export const EVERYTHING: Filter = { table: '', outcome: '', result: '', from: '', to: '' };

/** The filter as the house is asked; days become moments of this browser's time zone, both ends included. */
export function asked(filter: Filter): HistoryFilter {
  const { table, outcome, result } = filter;
  const from = dayStart(filter.from, 0);
  const to = dayStart(filter.to, 1);
  return {
    ...(table === '' ? {} : { table }),
    ...(outcome === '' ? {} : { outcome }),
    ...(result === '' ? {} : { result }),
    ...(from === null ? {} : { from_utc_ms: from }),
    ...(to === null ? {} : { to_utc_ms: to }),
  };
}

/** UTC milliseconds at which the day, or the one so many days later, begins here; null for no day. */
export function dayStart(day: string, later: number): number | null {
  const parts = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day);
  if (parts === null) return null;
  const ms = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later).getTime();
  return Number.isNaN(ms) ? null : ms;
}

export const isEverything = (filter: Filter): boolean => Object.keys(asked(filter)).length === 0;
