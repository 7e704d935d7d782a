import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiProblem, openSession } from './api';

/** The browser's own queue, as far as it is used: one callback at a time. */
class Locks {
  private last: Promise<unknown> = Promise.resolve();

  request<T>(_: string, __: object, act: () => Promise<T>): Promise<T> {
    const turn = this.last.then(act);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** A house that sees the cookie when it is asked, and sets one with its answer. */
function house(): { guests: number; down: boolean } {
  const seen = { guests: 0, down: false };
  let cookie = 0;
  vi.stubGlobal('fetch', async () => {
    const shown = cookie;
    await Promise.resolve();
    if (seen.down) return { ok: false, status: 503, json: async () => ({ code: 'STORE_UNAVAILABLE', message: '', facts: {} }) };
    cookie = shown || ++seen.guests;
    return { ok: true, json: async () => ({ patron: { patron_id: cookie } }) };
  });
  return seen;
}

describe('who am I', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('two tabs of a new browser become one guest', async () => {
    vi.stubGlobal('navigator', { locks: new Locks() });
    const seen = house();
    const sessions = await Promise.all([openSession(), openSession(), openSession()]);
    expect(sessions.map((session) => session.patron.patron_id)).toEqual([1, 1, 1]);
    expect(seen.guests).toBe(1);
  });

  it('a tab that is told no keeps nobody from asking', async () => {
    vi.stubGlobal('navigator', { locks: new Locks() });
    const seen = house();
    seen.down = true;
    await expect(openSession()).rejects.toBeInstanceOf(ApiProblem);
    seen.down = false;
    expect((await openSession()).patron.patron_id).toBe(1);
  });

  it('asks at once where a browser has no such queue', async () => {
    vi.stubGlobal('navigator', {});
    house();
    expect((await openSession()).patron.patron_id).toBe(1);
  });
});
