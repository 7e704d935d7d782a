/** The tables as the house tells them, asked for again and again while the lobby is seen. */

import { ServerClock } from '../wire/clock';
import { retryDelayMs } from '../wire/backoff';
import { ApiProblem } from '../wire/api';
import type { Session, TableRow } from '../wire/generated';

export interface TablesPorts {
  visit(): Promise<Session>;
  list(): Promise<TableRow[]>;
  refill(): Promise<Session>;
}

const EVERY_MS = 2_000;
const TICK_MS = 250;

export class Tables {
  rows: readonly TableRow[] | null = $state.raw(null);
  session: Session | null = $state.raw(null);
  /** Why the last question failed; null when it did not. */
  failure: unknown = $state.raw(null);
  nowUtcMs: number = $state(0);
  private readonly clock = new ServerClock();
  private timers: ReturnType<typeof setTimeout>[] = [];
  private ticking: ReturnType<typeof setInterval> | null = null;
  private attempt = 0;
  private running = false;
  private readonly seen = (): void => {
    if (!document.hidden) this.soon(0);
  };

  constructor(private readonly ports: TablesPorts) {}

  start(): void {
    this.running = true;
    this.nowUtcMs = this.clock.nowUtcMs();
    this.ticking = setInterval(() => (this.nowUtcMs = this.clock.nowUtcMs()), TICK_MS);
    document.addEventListener('visibilitychange', this.seen);
    void this.ask();
  }

  stop(): void {
    this.running = false;
    for (const timer of this.timers) clearTimeout(timer);
    if (this.ticking !== null) clearInterval(this.ticking);
    document.removeEventListener('visibilitychange', this.seen);
  }

  async refill(): Promise<void> {
    try {
      this.session = await this.ports.refill();
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
  }

  private async ask(): Promise<void> {
    try {
      const sentMs = performance.now();
      const session = await this.ports.visit();
      this.clock.sample(sentMs, session.server_utc_ms);
      const rows = await this.ports.list();
      [this.session, this.rows, this.failure, this.attempt] = [session, rows, null, 0];
      this.soon(EVERY_MS);
    } catch (error) {
      // The cookie is just being turned over: the next question has the new one.
      if (!(error instanceof ApiProblem && error.problem.code === 'NO_SESSION')) this.failure = error;
      this.soon(retryDelayMs(++this.attempt));
    }
  }

  private soon(ms: number): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    if (!this.running || (document.hidden && ms > 0)) return;
    this.timers.push(setTimeout(() => void this.ask(), ms));
  }
}
