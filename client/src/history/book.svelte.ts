/** The patron's coups as they are fetched, page by page, newest first. */

import type { HistoryCoup, HistoryPage } from '../wire/generated';
import type { HistoryFilter } from '../wire/api';
import { asked, EVERYTHING, type Filter } from './query';

/** `before`: where the page before ended; null for the newest. */
export type Ask = (filter: HistoryFilter, before: string | null) => Promise<HistoryPage>;

export class Book {
  coups: readonly HistoryCoup[] = $state.raw([]);
  filter: Filter = $state.raw(EVERYTHING);
  busy: boolean = $state(false);
  /** There is nothing older. */
  complete: boolean = $state(false);
  /** Why the last question failed; null when it did not. */
  failure: unknown = $state.raw(null);
  private next: string | null = null;
  /** Counts filters: an answer to an older one is thrown away. */
  private turn = 0;

  constructor(private readonly ask: Ask) {}

  choose(change: Partial<Filter>): void {
    this.filter = { ...this.filter, ...change };
    void this.fetch();
  }

  /** From the newest on. */
  async fetch(): Promise<void> {
    this.turn += 1;
    [this.next, this.complete] = [null, false];
    await this.read(true);
  }

  /** The following page, unless one is under way or there is none. */
  async more(): Promise<void> {
    if (this.busy || this.complete || this.failure !== null) return;
    await this.read(false);
  }

  async again(): Promise<void> {
    await (this.coups.length === 0 ? this.fetch() : this.read(false));
  }

  private async read(anew: boolean): Promise<void> {
    const { turn } = this;
    [this.busy, this.failure] = [true, null];
    try {
      const page = await this.ask(asked(this.filter), this.next);
      if (turn !== this.turn) return;
      this.coups = anew ? page.coups : [...this.coups, ...page.coups];
      this.next = page.next;
      this.complete = page.next === null;
    } catch (error) {
      if (turn !== this.turn) return;
      if (anew) this.coups = [];
      this.failure = error;
    }
    this.busy = false;
  }
}
