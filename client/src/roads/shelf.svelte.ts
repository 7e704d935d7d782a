/** Shoes with their coups and cards, as fetched. A past shoe does not change any more; the present one grows. */

import type { ShoeRecord } from '../wire/generated';

export class Shelf {
  private records: Readonly<Record<number, ShoeRecord>> = $state.raw({});
  private failures: Readonly<Record<number, unknown>> = $state.raw({});
  private readonly asked = new Set<number>();

  constructor(private readonly ask: (shoe: number) => Promise<ShoeRecord>) {}

  record(shoe: number): ShoeRecord | null {
    return this.records[shoe] ?? null;
  }

  /** What went wrong with the last fetch, null when nothing did. */
  failure(shoe: number): unknown {
    return this.failures[shoe] ?? null;
  }

  /** Fetch it, unless that is under way. */
  async fetch(shoe: number): Promise<void> {
    if (this.asked.has(shoe)) return;
    this.asked.add(shoe);
    const { [shoe]: _, ...failures } = this.failures;
    this.failures = failures;
    try {
      this.records = { ...this.records, [shoe]: await this.ask(shoe) };
    } catch (error) {
      this.failures = { ...this.failures, [shoe]: error };
    } finally {
      this.asked.delete(shoe);
    }
  }
}
