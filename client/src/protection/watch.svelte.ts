/** What protects the patron, and how long this sitting lasts: asked of the house, followed in between. Shared by all places. */

import type { Protection, Sitting } from '../wire/generated';
import { ServerClock } from '../wire/clock';
import { dueUtcMs } from './reality';
import { type Ended, Tally } from './tally';

export type Rule = Protection['limits'][number]['rule'];

export interface WatchPorts {
  sit(): Promise<Sitting>;
  get(): Promise<Protection>;
  limit(rule: Rule, amountMinor: number | null): Promise<Protection>;
  confirm(rule: Rule): Promise<Protection>;
  takeBack(rule: Rule): Promise<Protection>;
  timeOut(hours: number): Promise<Protection>;
  exclude(months: number | null): Promise<Protection>;
}

export const EVERY_MS = 120_000;
const AGAIN_MS = 15_000;
const TICK_MS = 1_000;
const HEARD_KEY = 'bigroad.reality';

export class Watch {
  sitting: Sitting | null = $state.raw(null);
  protection: Protection | null = $state.raw(null);
  netMinor: number = $state(0);
  nowUtcMs: number = $state(0);
  /** Why the last wish was not granted; null when it was. */
  failure: unknown = $state.raw(null);
  /** A wish is on its way. */
  asking: boolean = $state(false);
  /** The check that the patron has answered last. */
  private heardUtcMs: number | null = $state(null);
  private readonly clock = new ServerClock();
  private tally = new Tally();
  /** Whose answers count: each change of the patron begins anew. */
  private patron = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private met = false;

  constructor(
    private readonly ports: WatchPorts,
    private readonly keeper: Pick<Storage, 'getItem' | 'setItem'> | null,
  ) {
    this.heardUtcMs = Number(this.kept()) || null;
  }

  /** There is a session: from now on the house is asked every few minutes. Later calls do nothing. */
  meet(): void {
    if (this.met) return;
    this.met = true;
    setInterval(() => this.tick(), TICK_MS);
    document.addEventListener('visibilitychange', () => document.hidden || this.soon(0));
    void this.ask();
  }

  /** Somebody else plays on this page now. */
  meetAnew(): void {
    this.patron++;
    this.tally = new Tally();
    [this.sitting, this.protection, this.failure, this.netMinor] = [null, null, null, 0];
    if (this.met) void this.ask();
  }

  /** How long this sitting lasts, in ms. */
  get lastsMs(): number {
    return this.sitting === null ? 0 : Math.max(0, this.nowUtcMs - this.sitting.started_utc_ms);
  }

  /** Is it time to say so? */
  isDue(everyMinutes: number): boolean {
    if (this.sitting === null) return false;
    const due = dueUtcMs(this.sitting.started_utc_ms, this.heardUtcMs, everyMinutes);
    return due !== null && this.nowUtcMs >= due;
  }

  /** The patron has heard it. */
  heard(): void {
    this.heardUtcMs = this.nowUtcMs;
    try {
      this.keeper?.setItem(HEARD_KEY, String(this.heardUtcMs));
    } catch {
      // asked once more after a reload, no worse
    }
  }

  /** A coup has been paid before the patron's eyes. */
  paid(table: string, ended: Ended): void {
    if (this.tally.paid(table, ended)) this.netMinor = this.tally.netMinor;
  }

  async refresh(): Promise<void> {
    await this.wish(() => this.ports.get());
  }

  limit = (rule: Rule, amountMinor: number | null): Promise<boolean> => this.wish(() => this.ports.limit(rule, amountMinor));
  confirm = (rule: Rule): Promise<boolean> => this.wish(() => this.ports.confirm(rule));
  takeBack = (rule: Rule): Promise<boolean> => this.wish(() => this.ports.takeBack(rule));
  timeOut = (hours: number): Promise<boolean> => this.wish(() => this.ports.timeOut(hours));
  exclude = (months: number | null): Promise<boolean> => this.wish(() => this.ports.exclude(months));

  private async wish(ask: () => Promise<Protection>): Promise<boolean> {
    const { patron } = this;
    this.asking = true;
    try {
      const answer = await ask();
      if (patron === this.patron) [this.protection, this.failure] = [answer, null];
      return true;
    } catch (error) {
      if (patron === this.patron) this.failure = error;
      return false;
    } finally {
      this.asking = false;
    }
  }

  private tick(): void {
    if (this.sitting === null) return;
    const now = this.clock.nowUtcMs();
    // what is shown changes by the minute; a check may be due any second
    if (now - this.nowUtcMs >= TICK_MS / 2) this.nowUtcMs = now;
  }

  private async ask(): Promise<void> {
    const sentMs = performance.now();
    const { patron } = this;
    try {
      const sitting = await this.ports.sit();
      if (patron !== this.patron) return;
      this.clock.sample(sentMs, sitting.server_utc_ms);
      this.tally.counted(sitting.net_minor, sitting.server_utc_ms);
      this.sitting = sitting;
      this.nowUtcMs = Math.max(this.clock.nowUtcMs(), sitting.server_utc_ms);
      this.netMinor = this.tally.netMinor;
      this.soon(EVERY_MS);
    } catch {
      this.soon(AGAIN_MS);
    }
  }

  private soon(ms: number): void {
    clearTimeout(this.timer);
    if (document.hidden && ms > 0) return;
    this.timer = setTimeout(() => void this.ask(), ms);
  }

  private kept(): string | null {
    try {
      return this.keeper?.getItem(HEARD_KEY) ?? null;
    } catch {
      return null;
    }
  }
}
