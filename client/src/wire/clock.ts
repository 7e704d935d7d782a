/**
 * What time is it at the server?
 *
 * Times are told by a monotonic local clock (`performance.now`), never by the wall clock of the machine, which may be
 * hours wrong or jump. Every round trip bounds the offset: it lies within half the trip around its middle. The
 * shortest recent trip wins. A trip whose bounds exclude what was believed (the local clock stood still while the
 * machine slept) clears the earlier ones.
 */

interface Sample {
  readonly atMs: number;
  readonly offsetMs: number;
  readonly halfMs: number;
}

const KEEP_MS = 90_000;
const KEEP_SAMPLES = 16;
const SLACK_MS = 25;

export class ServerClock {
  private samples: Sample[] = [];
  private best: Sample | null = null;

  /** `now`: monotonic milliseconds of this machine. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A request left at `sentMs` (of `now`) and was answered now with the server's time. */
  sample(sentMs: number, serverUtcMs: number): void {
    const atMs = this.now();
    const halfMs = Math.max(0, atMs - sentMs) / 2;
    const fresh: Sample = { atMs, offsetMs: serverUtcMs - (sentMs + halfMs), halfMs };
    const agrees = (old: Sample): boolean =>
      Math.abs(old.offsetMs - fresh.offsetMs) <= old.halfMs + fresh.halfMs + SLACK_MS;
    this.samples = this.samples.filter((old) => atMs - old.atMs <= KEEP_MS && agrees(old)).slice(1 - KEEP_SAMPLES);
    this.samples.push(fresh);
    this.best = this.samples.reduce((best, next) => (next.halfMs <= best.halfMs ? next : best));
  }

  /** Has the server ever told the time? */
  get known(): boolean {
    return this.best !== null;
  }

  /** Half the shortest recent round trip: the error is at most this. */
  get errorMs(): number {
    return this.best?.halfMs ?? Number.POSITIVE_INFINITY;
  }

  /** The server's UTC milliseconds now; the wall clock of this machine as long as nothing better is known. */
  nowUtcMs(): number {
    return this.best === null ? Date.now() : this.now() + this.best.offsetMs;
  }
}
