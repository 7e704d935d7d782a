/** Places every cue once, at its moment, a little ahead of it; whatever passed while nobody could listen stays unheard. */

export interface Timed {
  readonly id: string;
  readonly atUtcMs: number;
}

/** Makes a cue so many milliseconds from now; answers how to take it back. */
export type Make<Cue> = (cue: Cue, inMs: number) => () => void;

const AHEAD_MS = 150;
/** Pages that draw slowly ask seldom, and have to look ahead farther. */
const FARTHEST_MS = 1_000;
/** Later than this, silence is better. */
const LATE_MS = 120;
/** Longer than this without being asked means that the page was away. */
export const AWAY_MS = 1_500;

export class Scheduler<Cue extends Timed> {
  private lastMs: number | null = null;
  /** Since when there is somebody to listen: nothing that was due before is made. */
  private floorMs: number | null = null;
  private readonly done = new Set<string>();
  private cues: readonly Cue[] = [];
  private readonly waiting = new Map<string, { atUtcMs: number; cancel: () => void }>();

  constructor(
    private readonly make: Make<Cue>,
    private readonly lateMs = LATE_MS,
  ) {}

  /** Call often with all cues of the present; `on`: they can be heard now. */
  hear(cues: readonly Cue[], nowUtcMs: number, on: boolean): void {
    const gap = this.lastMs === null ? Number.POSITIVE_INFINITY : nowUtcMs - this.lastMs;
    const back = gap >= AWAY_MS || gap < -AWAY_MS;
    this.lastMs = nowUtcMs;
    if (!on || back) this.cancel();
    else this.takeBack(cues, nowUtcMs);
    if (!on) {
      this.floorMs = null;
      return;
    }
    if (back || this.floorMs === null) this.floorMs = nowUtcMs;
    const from = Math.max(this.floorMs, nowUtcMs - this.lateMs);
    const to = nowUtcMs + (back ? AHEAD_MS : Math.min(FARTHEST_MS, Math.max(AHEAD_MS, gap * 2.5)));
    if (cues !== this.cues) this.forget(cues);
    for (const cue of cues) {
      const { id, atUtcMs } = cue;
      if (atUtcMs > to || this.done.has(id)) continue;
      this.done.add(id);
      if (atUtcMs >= from) this.waiting.set(id, { atUtcMs, cancel: this.make(cue, Math.max(0, atUtcMs - nowUtcMs)) });
    }
  }

  /** What is no longer spoken of need not be remembered. */
  private forget(cues: readonly Cue[]): void {
    this.cues = cues;
    if (this.done.size === 0) return;
    const known = new Set(cues.map(({ id }) => id));
    for (const id of this.done) if (!known.has(id)) this.done.delete(id);
  }

  /** Take back whatever has not begun; it may still be made again in time. */
  cancel(): void {
    for (const [id, { atUtcMs, cancel }] of this.waiting) {
      if (atUtcMs <= (this.lastMs ?? 0)) continue;
      cancel();
      this.done.delete(id);
    }
    this.waiting.clear();
  }

  /** What was foreseen and is no longer to come (a cancelled round, a skipped deal). */
  private takeBack(cues: readonly Cue[], nowUtcMs: number): void {
    if (this.waiting.size === 0) return;
    const known = new Set(cues.map((cue) => cue.id));
    for (const [id, { atUtcMs, cancel }] of this.waiting) {
      if (atUtcMs > nowUtcMs && !known.has(id)) cancel();
      if (atUtcMs <= nowUtcMs || !known.has(id)) this.waiting.delete(id);
    }
  }
}
