/**
 * What came of this sitting, as the patron has seen it. The house counts the coups that have been shown at its moment;
 * what this page has shown since, or shows a little earlier, is added here, each coup once.
 */

export interface Ended {
  readonly coup: number;
  readonly netMinor: number;
  /** Until when the coup is shown: from then on the house counts it. */
  readonly untilUtcMs: number;
}

export class Tally {
  private houseMinor = 0;
  private atUtcMs = 0;
  private readonly shown = new Map<string, Ended>();

  /** The house's own count. */
  counted(netMinor: number, atUtcMs: number): void {
    if (atUtcMs < this.atUtcMs) return;
    [this.houseMinor, this.atUtcMs] = [netMinor, atUtcMs];
    for (const [key, ended] of this.shown) if (ended.untilUtcMs <= atUtcMs) this.shown.delete(key);
  }

  /** A coup has been paid before the patron's eyes. Answers whether that was news. */
  paid(table: string, ended: Ended): boolean {
    const key = `${table} ${ended.coup}`;
    if (ended.untilUtcMs <= this.atUtcMs || this.shown.has(key)) return false;
    this.shown.set(key, ended);
    return true;
  }

  get netMinor(): number {
    let net = this.houseMinor;
    for (const { netMinor } of this.shown.values()) net += netMinor;
    return net;
  }
}
