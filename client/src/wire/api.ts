/** The few things that are asked over HTTP. A problem is thrown as `ApiProblem`, a dead network as it comes. */

import { type CoupRecord, unpackedRecord } from './events';
import type {
  Account,
  CoupRecord as WireCoupRecord,
  Credentials,
  HistoryPage,
  PasswordChange,
  Preferences,
  Problem,
  Protection,
  Session,
  ShoeRecord,
  Sitting,
  TableRow,
  Ticket,
} from './generated';

export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
    this.name = 'ApiProblem';
  }
}

const ANSWER_MS = 8_000;

/** `cache`: 'no-cache' asks whether what the browser has is still true, which costs next to nothing when it is. */
async function call<Answer>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  cache: RequestCache = 'no-store',
): Promise<Answer> {
  const abort = new AbortController();
  const tooLong = setTimeout(() => abort.abort(), ANSWER_MS);
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache,
    signal: abort.signal,
  }).finally(() => clearTimeout(tooLong));
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiProblem(response.status, problemOf(answer, response.status));
  return answer as Answer;
}

function problemOf(body: unknown, status: number): Problem {
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
    return body as Problem;
  }
  return { code: 'INTERNAL', message: `HTTP ${status}`, facts: {} };
}

/** One tab of this browser at a time, where the browser can: two that find no cookie would become two guests. */
async function oneTabAtATime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks === undefined) return ask();
  const abort = new AbortController();
  const tooLong = setTimeout(() => abort.abort(), ANSWER_MS);
  return locks.request('bigroad.visit', { signal: abort.signal }, () => {
    clearTimeout(tooLong);
    return ask();
  });
}

/** Who am I? Makes a guest, and its cookie, where there is none. */
export const openSession = (): Promise<Session> => oneTabAtATime(() => call<Session>('POST', '/api/session'));

/** A ticket to open one socket with, good once and for a moment. */
export const askTicket = (): Promise<Ticket> => call<Ticket>('POST', '/api/ticket');

/** All tables, in the order of the house. Cheap to ask again and again. */
export const listTables = (): Promise<TableRow[]> => call<TableRow[]>('GET', '/api/tables', undefined, 'no-cache');

/** One shoe of a table, present or past: its boards and its coups with their cards. */
export const getShoe = (table: string, shoe: number): Promise<ShoeRecord> =>
  call<ShoeRecord>('GET', `/api/tables/${encodeURIComponent(table)}/shoes/${shoe}`);

/** `Get chips`: back to the first balance, once a day. */
export const refill = (): Promise<Session> => call<Session>('POST', '/api/refill');

/** The caller's account; a guest's is empty. */
export const getAccount = (): Promise<Account> => call<Account>('GET', '/api/account');

/** Make an account of the guest who plays here: same patron, same money. */
export const register = (credentials: Credentials): Promise<Session> => call<Session>('POST', '/api/account/register', credentials);

/** Play here as that account. Whoever played here before is left behind. */
export const signIn = (credentials: Credentials): Promise<Session> => call<Session>('POST', '/api/account/sign-in', credentials);

export const signOut = (): Promise<unknown> => call('POST', '/api/account/sign-out');
export const signOutEverywhere = (): Promise<unknown> => call('POST', '/api/account/sign-out-everywhere');

/** Another password; every other session ends. */
export const changePassword = (change: PasswordChange): Promise<Session> => call<Session>('POST', '/api/account/password', change);

/** End one of the own sessions. */
export const endSession = (id: string): Promise<unknown> => call('POST', `/api/account/sessions/${encodeURIComponent(id)}/end`);

/** Which of the patron's coups are wanted; everything that is left out is not asked about. */
export interface HistoryFilter {
  readonly table?: string;
  readonly profile?: string;
  readonly outcome?: 'player' | 'banker' | 'tie';
  readonly result?: 'won' | 'lost' | 'push';
  /** From this moment on, and before that one; UTC milliseconds. */
  readonly from_utc_ms?: number;
  readonly to_utc_ms?: number;
}

const HISTORY_AT_ONCE = 50;

/** The patron's coups, newest first. before: `next` of the page before; null starts at the newest. */
export const getHistory = (filter: HistoryFilter, before: string | null, limit = HISTORY_AT_ONCE): Promise<HistoryPage> =>
  call<HistoryPage>('GET', `/api/history?${query({ ...filter, limit, ...(before === null ? {} : { before }) })}`);

/** Where the same coups, all of them, are to be had as a table for other programs. */
export const historyCsvUrl = (filter: HistoryFilter): string => {
  const asked = query({ ...filter });
  return `/api/history.csv${asked === '' ? '' : `?${asked}`}`;
};

/** A dealt coup with its cards and gestures, to be shown again. */
export const getCoup = async (table: string, coup: number): Promise<CoupRecord> =>
  unpackedRecord(await call<WireCoupRecord>('GET', `/api/coups/${encodeURIComponent(table)}/${coup}`));

/** What the patron has chosen, as the server keeps it. */
export const getPreferences = (): Promise<Preferences> => call<Preferences>('GET', '/api/preferences');

/** Keep what the patron has chosen. */
export const putPreferences = (preferences: Preferences): Promise<Preferences> =>
  call<Preferences>('PUT', '/api/preferences', preferences);

const PROTECTION = '/api/protection';

/** The patron is here: how long already, and what came of it. */
export const sit = (): Promise<Sitting> => call<Sitting>('POST', `${PROTECTION}/sitting`);

/** What the patron has asked to be protected from; each wish answers how things are after it. */
export const protection = {
  get: (): Promise<Protection> => call<Protection>('GET', PROTECTION),
  limit: (rule: string, amountMinor: number | null): Promise<Protection> =>
    call<Protection>('PUT', `${PROTECTION}/limits/${rule}`, { amount_minor: amountMinor }),
  confirm: (rule: string): Promise<Protection> => call<Protection>('POST', `${PROTECTION}/limits/${rule}/confirm`),
  takeBack: (rule: string): Promise<Protection> => call<Protection>('POST', `${PROTECTION}/limits/${rule}/take-back`),
  timeOut: (hours: number): Promise<Protection> => call<Protection>('POST', `${PROTECTION}/time-out`, { hours }),
  exclude: (months: number | null): Promise<Protection> =>
    call<Protection>('POST', `${PROTECTION}/exclusion`, { months, confirmed: true }),
};

function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) asked.set(name, String(value));
  return asked.toString();
}
