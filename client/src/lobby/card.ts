/** What a table's card says at a moment; pure. */

import type { MessageKey } from '../i18n';
import type { Mark, TableRow } from '../wire/generated';

export type Filter = 'all' | 'shared' | 'one';

export interface Card {
  readonly table: string;
  readonly name: string;
  readonly felt: string;
  readonly dealer: string;
  readonly line: MessageKey;
  /** The state in words, and its tone. */
  readonly state: MessageKey;
  readonly tone: 'open' | 'closing' | 'dealing' | 'free' | 'waits' | 'closed';
  /** null at tables without a clock, and while it stands still. */
  readonly ring: { readonly seconds: number; readonly share: number } | null;
  readonly shared: boolean;
  readonly minMinor: number;
  readonly maxMinor: number;
  readonly patrons: number;
  readonly counts: TableRow['counts'];
  readonly marks: readonly Mark[];
  readonly act: 'lobby.sit' | 'lobby.resume';
  readonly open: boolean;
}

const LINES: Readonly<Record<string, MessageKey>> = {
  'multiplayer-deluxe': 'lobby.line_shared',
  deluxe: 'lobby.line_deluxe',
  'three-d': 'lobby.line_three_d',
  tableau: 'lobby.line_tableau',
};

export const isShared = (row: TableRow): boolean => row.terms.seats !== 'one';

export function card(row: TableRow, nowUtcMs: number): Card {
  const { terms } = row;
  const shared = isShared(row);
  const main = terms.areas.filter((one) => ['player', 'banker', 'tie'].includes(one.area));
  const waits = row.own?.state === 'waits';
  return {
    table: terms.table,
    name: terms.name,
    felt: terms.felt,
    dealer: terms.dealer,
    line: LINES[terms.profile] ?? (shared ? 'lobby.line_shared' : 'lobby.line_one'),
    ...stateOf(row, shared, waits, nowUtcMs),
    shared,
    minMinor: Math.min(...main.map((one) => one.min_minor)),
    maxMinor: Math.max(...main.map((one) => one.max_minor)),
    patrons: row.patrons,
    counts: row.counts,
    marks: row.big_road,
    act: waits ? 'lobby.resume' : 'lobby.sit',
    open: row.phase !== 'closed',
  };
}

function stateOf(row: TableRow, shared: boolean, waits: boolean, nowUtcMs: number): Pick<Card, 'state' | 'tone' | 'ring'> {
  if (row.phase === 'closed') return { state: 'lobby.closed', tone: 'closed', ring: null };
  if (!shared) return waits ? { state: 'lobby.waits', tone: 'waits', ring: null } : { state: 'lobby.free', tone: 'free', ring: null };
  const { closing_ms, betting_ms } = row.terms;
  const closes = row.closes_utc_ms ?? 0;
  const deals = row.deals_utc_ms ?? 0;
  const seconds = Math.max(0, Math.ceil((deals - nowUtcMs) / 1000));
  const whole = Math.max(1, (betting_ms + closing_ms) / 1000);
  const ring = { seconds, share: Math.min(1, seconds / whole) };
  if (seconds === 0 || row.phase === 'dealing') return { state: 'lobby.dealing', tone: 'dealing', ring: { seconds: 0, share: 0 } };
  return nowUtcMs < closes
    ? { state: 'lobby.betting', tone: 'open', ring }
    : { state: 'lobby.closing', tone: 'closing', ring };
}

export const passes = (card: Card, filter: Filter): boolean =>
  filter === 'all' || (filter === 'shared') === card.shared;
