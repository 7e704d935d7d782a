/** Who plays in this browser, as the house tells it, and what can be done about it. One for the life of the page. */

import type { MessageKey } from '../i18n';
import { ApiProblem } from '../wire/api';
import type { Account, Credentials, PasswordChange, Session } from '../wire/generated';

export interface AccountPorts {
  account(): Promise<Account>;
  register(credentials: Credentials): Promise<Session>;
  signIn(credentials: Credentials): Promise<Session>;
  signOut(): Promise<unknown>;
  signOutEverywhere(): Promise<unknown>;
  changePassword(change: PasswordChange): Promise<Session>;
  endSession(id: string): Promise<unknown>;
  /** Who is it now? Makes a guest where there is nobody. */
  visit(): Promise<Session>;
}

export interface Words {
  readonly key: MessageKey;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Why something was not done: a problem of the house, or null when it did not answer. */
export type Trouble = { readonly code: string; readonly facts: Readonly<Record<string, string | number>> } | null;

/** 'busy': something else is under way, and this was not tried. */
export type Outcome = Trouble | 'done' | 'busy';

export class Accounts {
  session: Session | null = $state.raw(null);
  account: Account | null = $state.raw(null);
  /** Something is under way: one thing at a time. */
  busy: boolean = $state(false);
  /** What the lobby says of a session that has ended. */
  farewell: readonly Words[] = $state.raw([]);

  private turn = 0;

  /** `left`: the patron is another one now, so no table may stay open. */
  constructor(
    private readonly ports: AccountPorts,
    private readonly left: () => void,
  ) {}

  /** Ask who it is. An answer that was under way while something was done here is of yesterday, and no news. */
  async visiting(ask: () => Promise<Session>): Promise<Session> {
    const { turn } = this;
    const session = await ask();
    if (turn !== this.turn || this.busy) return this.session ?? session;
    this.met(session);
    return session;
  }

  /** The house said who it is. If that is somebody else than before, and nobody here asked for it, a session has ended. */
  met(session: Session): void {
    const before = this.session;
    this.session = session;
    if (before === null || before.patron.patron_id === session.patron.patron_id) return;
    this.farewell = [{ key: 'account.session_ended', facts: {} }, who(session)];
    this.account = null;
    this.left();
  }

  /** A table was told that its session has ended. */
  async ended(): Promise<void> {
    if (this.busy) return;
    this.farewell = [{ key: 'account.session_ended', facts: {} }];
    this.account = null;
    this.left();
    await this.askWho();
  }

  async look(): Promise<Outcome> {
    return this.doing(async () => void (this.account = await this.ports.account()));
  }

  register(credentials: Credentials): Promise<Outcome> {
    return this.doing(async () => this.entered(await this.ports.register(credentials)));
  }

  signIn(credentials: Credentials): Promise<Outcome> {
    return this.doing(async () => {
      await this.entered(await this.ports.signIn(credentials));
      this.left();
    });
  }

  signOut(everywhere: boolean): Promise<Outcome> {
    return this.doing(async () => {
      await (everywhere ? this.ports.signOutEverywhere() : this.ports.signOut());
      this.account = null;
      this.farewell = [{ key: 'account.signed_out', facts: {} }];
      this.left();
      await this.askWho();
    });
  }

  changePassword(change: PasswordChange): Promise<Outcome> {
    return this.doing(async () => this.entered(await this.ports.changePassword(change)));
  }

  endSession(id: string): Promise<Outcome> {
    return this.doing(async () => {
      await this.ports.endSession(id);
      this.account = await this.ports.account();
    });
  }

  heard(): void {
    this.farewell = [];
  }

  private async entered(session: Session): Promise<void> {
    [this.session, this.farewell] = [session, []];
    this.account = await this.ports.account();
  }

  private async askWho(): Promise<void> {
    try {
      this.session = await this.ports.visit();
      if (this.farewell.length > 0) this.farewell = [this.farewell[0]!, who(this.session)];
    } catch {
      // The lobby asks again, and says so as long as there is no answer.
    }
  }

  private async doing(act: () => Promise<void>): Promise<Outcome> {
    if (this.busy) return 'busy';
    this.busy = true;
    this.turn += 1;
    try {
      await act();
      return 'done';
    } catch (error) {
      return error instanceof ApiProblem ? { code: error.problem.code, facts: error.problem.facts } : null;
    } finally {
      this.busy = false;
    }
  }
}

const who = ({ patron, registered }: Session): Words =>
  registered === true ? { key: 'account.now_named', facts: { name: patron.nickname } } : { key: 'account.now_guest', facts: {} };
