/** The few things that are asked over HTTP. A problem is thrown as `ApiProblem`, a dead network as it comes. */

import type { Problem, Session, ShoeRecord, TableRow } from './generated';

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

async function call<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
  const abort = new AbortController();
  const tooLong = setTimeout(() => abort.abort(), ANSWER_MS);
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal: abort.signal,
  }).finally(() => clearTimeout(tooLong));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiProblem(response.status, problemOf(body, response.status));
  return body as Answer;
}

function problemOf(body: unknown, status: number): Problem {
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
    return body as Problem;
  }
  return { code: 'INTERNAL', message: `HTTP ${status}`, facts: {} };
}

/** Who am I? Makes a guest, and its cookie, where there is none. */
export const openSession = (): Promise<Session> => call<Session>('POST', '/api/session');

/** All tables, in the order of the house. */
export const listTables = (): Promise<TableRow[]> => call<TableRow[]>('GET', '/api/tables');

/** One shoe of a table, present or past: its boards and its coups with their cards. */
export const getShoe = (table: string, shoe: number): Promise<ShoeRecord> =>
  call<ShoeRecord>('GET', `/api/tables/${encodeURIComponent(table)}/shoes/${shoe}`);

/** `Get chips`: back to the first balance, once a day. */
export const refill = (): Promise<Session> => call<Session>('POST', '/api/refill');
