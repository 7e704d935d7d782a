/** Feels whether the 3D table holds the page up: whether the browser is hardly ever ready for another frame. Pure. */

/** Beats are counted from so long after the table stands: before, shaders are compiled and textures uploaded. */
export const CALM_MS = 2_000;
/** So long is looked at in one go. */
export const WATCH_MS = 6_000;
/** A frame that is waited for longer than this is felt in whatever the patron does. */
export const HELD_UP_MS = 350;
/** And this share of the time must have gone into such frames. */
const MOST_SHARE = 0.7;
/** A longer pause is none of the table's: the page was hidden, or the machine asleep. */
const ASLEEP_MS = 5_000;

export class Pulse {
  private lastMs: number | null = null;
  private fromMs = 0;
  private heldMs = 0;

  /** Nothing is drawn, or something new is: forget what was felt. */
  rest(): void {
    this.lastMs = null;
  }

  /** The browser is ready for a frame at `ms`; answers whether the page has been held up for long. */
  beat(ms: number): boolean {
    const interval = this.lastMs === null ? Number.POSITIVE_INFINITY : ms - this.lastMs;
    this.lastMs = ms;
    if (interval > ASLEEP_MS) {
      this.watch(ms + CALM_MS);
      return false;
    }
    if (ms < this.fromMs) return false;
    if (interval > HELD_UP_MS) this.heldMs += Math.min(interval, ms - this.fromMs);
    const watchedMs = ms - this.fromMs;
    if (watchedMs < WATCH_MS) return false;
    const held = this.heldMs > watchedMs * MOST_SHARE;
    this.watch(ms);
    return held;
  }

  private watch(fromMs: number): void {
    this.fromMs = fromMs;
    this.heldMs = 0;
  }
}
