import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../wire/api';
import type { Account, Session } from '../wire/generated';
import { type AccountPorts, Accounts } from './accounts.svelte';
import { fieldOf } from './field';

const session = (patron_id: number, registered: boolean, nickname = registered ? 'Annabel' : 'Calm Fox 123'): Session => ({
  patron: { patron_id, nickname },
  balance_minor: 5,
  can_refill: false,
  created: false,
  server_utc_ms: 1,
  registered,
});
const ACCOUNT: Account = { registered: true, name: 'Annabel', registered_utc_ms: 1, one_time: false, sessions: [], idle_s: 1, absolute_s: 2 };

function house(ports: Partial<AccountPorts> = {}): { accounts: Accounts; left: () => number } {
  let left = 0;
  const all: AccountPorts = {
    account: async () => ACCOUNT,
    register: async () => session(1, true),
    signIn: async () => session(2, true),
    signOut: async () => null,
    signOutEverywhere: async () => null,
    changePassword: async () => session(1, true),
    endSession: async () => null,
    visit: async () => session(9, false),
    ...ports,
  };
  return { accounts: new Accounts(all, () => (left += 1)), left: () => left };
}
const words = (accounts: Accounts): string[] => accounts.farewell.map(({ key }) => key);

describe('who plays in this browser', () => {
  it('registering leaves every table where it is', async () => {
    const { accounts, left } = house();
    accounts.met(session(1, false));
    expect(await accounts.register({ name: 'Annabel', password: 'x' })).toBe('done');
    accounts.met(session(1, true));
    expect([left(), accounts.session?.registered, accounts.account, words(accounts)]).toEqual([0, true, ACCOUNT, []]);
  });

  it('signing in goes to the lobby, as somebody else plays now', async () => {
    const { accounts, left } = house();
    accounts.met(session(1, false));
    expect(await accounts.signIn({ name: 'Annabel', password: 'x' })).toBe('done');
    expect([left(), accounts.session?.patron.patron_id, words(accounts)]).toEqual([1, 2, []]);
  });

  it('signing out goes to the lobby and says who plays now', async () => {
    for (const everywhere of [false, true]) {
      const { accounts, left } = house();
      accounts.met(session(1, true));
      expect(await accounts.signOut(everywhere)).toBe('done');
      expect([left(), accounts.account, words(accounts)]).toEqual([1, null, ['account.signed_out', 'account.now_guest']]);
      accounts.heard();
      expect(words(accounts)).toEqual([]);
    }
  });

  it('a session that ended elsewhere is said, whoever hears of it first', async () => {
    const table = house();
    table.accounts.met(session(1, true));
    await table.accounts.ended();
    expect([table.left(), words(table.accounts)]).toEqual([1, ['account.session_ended', 'account.now_guest']]);

    const lobby = house();
    lobby.accounts.met(session(1, true));
    lobby.accounts.met(session(7, true, 'Berta'));
    expect([lobby.left(), words(lobby.accounts)]).toEqual([1, ['account.session_ended', 'account.now_named']]);
    expect(lobby.accounts.farewell[1]?.facts).toEqual({ name: 'Berta' });
  });

  it('the first visit and every one that changes nothing are no news', () => {
    const { accounts, left } = house();
    for (let times = 0; times < 3; times++) accounts.met(session(1, false));
    expect([left(), words(accounts)]).toEqual([0, []]);
  });

  it('what is refused changes nothing and has its code; what is not answered has none', async () => {
    const refused = new ApiProblem(429, { code: 'TOO_MANY_TRIES', message: '', facts: { wait_s: 8 } });
    const { accounts, left } = house({ signIn: () => Promise.reject(refused), register: () => Promise.reject(new TypeError('offline')) });
    accounts.met(session(1, false));
    expect(await accounts.signIn({ name: 'a', password: 'b' })).toEqual({ code: 'TOO_MANY_TRIES', facts: { wait_s: 8 } });
    expect(await accounts.register({ name: 'a', password: 'b' })).toBe(null);
    expect([left(), accounts.busy, accounts.session?.patron.patron_id]).toEqual([0, false, 1]);
  });

  it('an answer of before is no news', async () => {
    const { accounts, left } = house();
    let answer: (session: Session) => void = () => undefined;
    accounts.met(session(1, false));
    const late = accounts.visiting(() => new Promise((resolve) => (answer = resolve)));
    await accounts.signIn({ name: 'Annabel', password: 'x' });
    answer(session(1, false));
    expect((await late).patron.patron_id).toBe(2);
    expect([left(), accounts.session?.patron.patron_id, words(accounts)]).toEqual([1, 2, []]);
    await accounts.visiting(async () => session(1, false));
    expect([left(), words(accounts)]).toEqual([2, ['account.session_ended', 'account.now_guest']]);
  });

  it('a second press while the first is under way does nothing', async () => {
    let asked = 0;
    const { accounts } = house({ signOut: () => ((asked += 1), Promise.resolve()) });
    accounts.met(session(1, true));
    await Promise.all([accounts.signOut(false), accounts.signOut(false)]);
    expect(asked).toBe(1);
  });
});

it.each([
  ['NAME_TAKEN', 'register', 'name'],
  ['PASSWORD_TOO_EASY', 'register', 'password'],
  ['PASSWORD_LENGTH', 'change', 'password'],
  ['SIGN_IN_REFUSED', 'sign_in', 'password'],
  ['SIGN_IN_REFUSED', 'change', 'old'],
  ['TOO_MANY_TRIES', 'sign_in', null],
] as const)('%s of %s is about %s', (code, form, field) => expect(fieldOf(code, form)).toBe(field));
