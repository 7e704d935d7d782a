/** One table from this page's side: the state, the connection that feeds it, and the patron's commands. */

import type { Accounts } from '../account/accounts.svelte';
import * as api from '../wire/api';
import { ServerClock } from '../wire/clock';
import { Connection } from '../wire/connection';
import type { ServerEvent, TableCommand } from '../wire/events';
import { requestId } from '../wire/ids';
import type { SettingsStore } from '../settings/settings';
import type { Actions } from '../hud/hud.svelte';
import { isOutdated, keptByTab, ownScript } from './version';
import { apply, type Area, belowMinimum, type LocalEvent, START, type State, unanswered } from '../model';

type Wish = TableCommand extends infer One ? (One extends TableCommand ? Omit<One, 'request_id' | 'coup'> : never) : never;

export class Table {
  readonly clock = new ServerClock();
  state: State = START;
  private connection: Connection | null = null;

  /** `changed` is called after every change of the state. */
  constructor(
    private readonly changed: () => void,
    private readonly settings: Pick<SettingsStore, 'value'>,
    private readonly accounts: Pick<Accounts, 'visiting' | 'ended'>,
  ) {}

  /** Sit down: from here on the connection keeps itself alive. */
  open(table: string): void {
    const url = new URL(`/ws/${encodeURIComponent(table)}`, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.connection = new Connection(
      {
        url: url.href,
        session: () => this.visit(),
        ticket: () => this.ticket(),
        resumePoint: () => (this.state.gap ? null : this.state.at),
        event: (event) => this.dispatch(event),
        status: (status, latencyMs) => this.dispatch({ type: 'link', status, latencyMs, atUtcMs: this.clock.nowUtcMs() }),
      },
      this.clock,
    );
    this.connection.start();
  }

  /** Also where this page's version is found out: right before it would be told things in another one's words. */
  private async ticket(): Promise<string> {
    const { ticket, page } = await api.askTicket();
    if (isOutdated(page, ownScript(), keptByTab())) {
      location.reload();
      return new Promise(() => undefined);
    }
    return ticket;
  }

  /** Leave: what lies staged stays with the house. */
  close(): void {
    this.connection?.stop();
    this.connection = null;
  }

  dispatch(event: ServerEvent | LocalEvent): void {
    const before = this.state;
    this.state = apply(before, event);
    if (this.state.gap && !before.gap && before.at !== null) this.connection?.resync();
    this.changed();
    if (event.type === 'session' && event.reason === 'session_ended') void this.accounts.ended();
    if (event.type === 'you') this.sendAgain();
    if (event.type === 'settled' && belowMinimum(this.state)) void this.visit().catch(() => undefined);
  }

  /** Who we are and whether chips can be had; makes the session cookie where there is none. */
  async visit(): Promise<void> {
    const sentMs = performance.now();
    try {
      const session = await this.accounts.visiting(api.openSession);
      this.clock.sample(sentMs, session.server_utc_ms);
      this.dispatch({ type: 'visit', session });
    } catch (error) {
      this.complain(error);
      throw error;
    }
  }

  /** Put a failure of the API into words. */
  complain(error: unknown): void {
    if (error instanceof api.ApiProblem) this.say(error.problem.code, error.problem.facts);
    else this.say('network');
  }

  readonly actions: Actions = {
    stage: (area: Area, amount_minor: number) => this.ask({ type: 'stage', area, amount_minor }),
    undo: () => this.ask({ type: 'unstage' }),
    clear: () => this.ask({ type: 'clear' }),
    double: () => this.ask({ type: 'double' }),
    rebet: (times) => this.ask({ type: 'rebet', times, ...this.atOnce('rebet') }),
    submit: () => this.ask({ type: 'submit', ...this.atOnce('submit') }),
    skip: () => this.dispatch({ type: 'skip', atUtcMs: this.clock.nowUtcMs() }),
    refill: () => void this.refill(),
    shoe: (number) => api.getShoe(this.state.terms?.table ?? '', number),
    refuse: (code, facts) => this.say(code, facts),
    heard: () => this.dispatch({ type: 'heard' }),
  };

  /** What the patron's settings add to a bet, where this game knows them. */
  private atOnce(what: 'rebet' | 'submit'): { submit?: true; fast?: true } {
    const options = this.state.terms?.options ?? [];
    const { fastPlay, rebetAndDeal } = this.settings.value;
    return {
      ...(what === 'rebet' && rebetAndDeal && options.includes('rebet_and_deal') ? { submit: true } : {}),
      ...(fastPlay && options.includes('fast_play') ? { fast: true } : {}),
    };
  }

  private say(code: string, facts: Record<string, number | string> = {}): void {
    this.dispatch({ type: 'said', code, facts });
  }

  private ask(wish: Wish): void {
    const coup = this.state.opened?.coup;
    if (coup === undefined) return;
    const command = { ...wish, request_id: requestId(), coup } as TableCommand;
    this.dispatch({ type: 'asked', command, atUtcMs: this.clock.nowUtcMs() });
    this.connection?.send(command);
  }

  /** Back after a break: what was not answered is asked again, word for word, while its coup is open. */
  private sendAgain(): void {
    const { again, dropped } = unanswered(this.state, this.clock.nowUtcMs());
    if (dropped.length > 0) this.dispatch({ type: 'dropped', request_ids: dropped });
    for (const command of again) this.connection?.send(command);
  }

  private async refill(): Promise<void> {
    try {
      const session = await api.refill();
      this.dispatch({ type: 'balance', balance_minor: session.balance_minor, reason: 'refill' });
    } catch (error) {
      this.complain(error);
    }
  }
}
