/** What a patron usually stakes, so that a win is told as loud as it is to this patron, not to the house. */

const REMEMBERED = 15;

export class UsualStake {
  private readonly stakes: number[] = [];
  private lastCoup = 0;

  /** Take note of the stake of a coup, once. */
  note(coup: number, stakeMinor: number): void {
    if (coup === this.lastCoup || stakeMinor <= 0) return;
    this.lastCoup = coup;
    this.stakes.push(stakeMinor);
    if (this.stakes.length > REMEMBERED) this.stakes.shift();
  }

  /** Gain of a win with this stake: 0.7 at the usual one (the median), 0.5 … 1 below and above it. */
  gain(stakeMinor: number): number {
    const sorted = [...this.stakes].sort((one, other) => one - other);
    const usual = sorted[Math.floor(sorted.length / 2)] ?? stakeMinor;
    if (usual <= 0 || stakeMinor <= 0) return 0.7;
    return Math.min(1, Math.max(0.5, 0.7 * (stakeMinor / usual) ** 0.25));
  }
}
