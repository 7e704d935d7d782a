/** Chooses the tier of quality by measuring frames. Pure: it is told times, and says when another tier is wanted. */

import { TIER_NAMES, type TierName } from './quality';

/** Frames are counted from a second after the stage stands: before, shaders are compiled and textures uploaded. */
export const SETTLE_MS = 1_000;
/** So long must frames be slow, or fast, before anything is changed. */
export const SLOW_FOR_MS = 3_000;
export const FAST_FOR_MS = 20_000;
/** A frame that takes longer than this, at the 75th percentile, is slow. */
export const SLOW_FRAME_MS = 24;
/** Frames come this often where nothing holds them up. */
const FLUENT_FRAME_MS = 18.5;
/** And their script takes no longer than this, where there is room for more. */
export const FAST_WORK_MS = 9;
/** A longer pause between two frames is no slow frame: the page was hidden, or the machine asleep. */
const PAUSE_MS = 2_000;
const LEAST_FRAMES = 12;
const MOST_FRAMES = 512;
const CHECK_EVERY_MS = 500;

/** Tiers that were too dear on this machine, kept from one visit to the next. */
export interface TierMemory {
  readonly failed: ReadonlySet<TierName>;
  /** Called when a tier has turned out too dear. */
  fail(tier: TierName): void;
  /** Called when a tier is to be tried once more. */
  forget(tier: TierName): void;
}

export class Chooser {
  tier: TierName;
  private readonly failed: Set<TierName>;
  private readonly intervals = new Float32Array(MOST_FRAMES);
  private readonly sorted = new Float32Array(MOST_FRAMES);
  private frames = 0;
  private lastMs: number | null = null;
  private countFromMs = 0;
  private windowFromMs = 0;
  private checkedMs = 0;
  private fastSinceMs = 0;
  private worst = 0;

  constructor(
    guess: TierName,
    private readonly memory: TierMemory,
  ) {
    this.failed = new Set(memory.failed);
    this.tier = this.affordable(guess);
  }

  /** Even the cheapest tier held the page up here: no tier is affordable. */
  get none(): boolean {
    return this.failed.has('low');
  }

  /** The cheapest tier holds the page up. */
  giveUp(): void {
    this.failed.add('low');
    this.memory.fail('low');
  }

  /** The patron wants to see once more whether it still does. */
  tryAgain(): void {
    this.failed.delete('low');
    this.memory.forget('low');
  }

  /** The stage was built, or the page was hidden: forget what was measured, and let everything settle. */
  rest(): void {
    this.lastMs = null;
  }

  /** One frame was shown at `ms`, and its script took `workMs`. Answers the tier to change to, or null. */
  frame(ms: number, workMs: number): TierName | null {
    const interval = this.lastMs === null ? Number.POSITIVE_INFINITY : ms - this.lastMs;
    this.lastMs = ms;
    if (interval > PAUSE_MS) {
      this.restart(ms + SETTLE_MS);
      return null;
    }
    if (ms < this.countFromMs) return null;
    this.intervals[this.frames % MOST_FRAMES] = interval;
    this.frames++;
    this.worst = Math.max(this.worst, workMs);
    if (ms - this.checkedMs < CHECK_EVERY_MS) return null;
    this.checkedMs = ms;
    return this.judge(ms);
  }

  private judge(ms: number): TierName | null {
    if (ms - this.windowFromMs < SLOW_FOR_MS || this.frames < LEAST_FRAMES) return null;
    const usual = this.percentile(0.75);
    const hurried = this.worst >= FAST_WORK_MS;
    this.openWindow(ms);
    if (usual > SLOW_FRAME_MS) return this.stepDown(ms);
    if (usual > FLUENT_FRAME_MS || hurried) this.fastSinceMs = ms;
    return ms - this.fastSinceMs >= FAST_FOR_MS ? this.stepUp(ms) : null;
  }

  /** A tier that was left because it was slow is never tried again: nothing swings to and fro. */
  private stepDown(ms: number): TierName | null {
    const lower = TIER_NAMES[TIER_NAMES.indexOf(this.tier) - 1];
    if (lower === undefined) return null;
    this.failed.add(this.tier);
    this.memory.fail(this.tier);
    return this.change(lower, ms);
  }

  private stepUp(ms: number): TierName | null {
    this.fastSinceMs = ms;
    const higher = TIER_NAMES[TIER_NAMES.indexOf(this.tier) + 1];
    if (higher === undefined || this.failed.has(higher)) return null;
    return this.change(higher, ms);
  }

  private change(tier: TierName, ms: number): TierName {
    this.tier = tier;
    this.restart(ms + SETTLE_MS);
    return tier;
  }

  private restart(fromMs: number): void {
    this.countFromMs = fromMs;
    this.checkedMs = fromMs;
    this.fastSinceMs = fromMs;
    this.openWindow(fromMs);
  }

  private openWindow(ms: number): void {
    this.windowFromMs = ms;
    this.frames = 0;
    this.worst = 0;
  }

  private percentile(share: number): number {
    const count = Math.min(this.frames, MOST_FRAMES);
    const part = this.sorted.subarray(0, count);
    part.set(this.intervals.subarray(0, count));
    part.sort();
    return part[Math.min(count - 1, Math.floor(count * share))] ?? 0;
  }

  /** The guess, or what is left below the cheapest tier that failed; at least the cheapest of all. */
  private affordable(guess: TierName): TierName {
    const failing = TIER_NAMES.findIndex((tier) => this.failed.has(tier));
    const most = failing < 0 ? TIER_NAMES.length - 1 : Math.max(0, failing - 1);
    return TIER_NAMES[Math.min(TIER_NAMES.indexOf(guess), most)] ?? 'low';
  }
}

const KEY = 'bigroad.slow_tiers';
/** After so long a machine may have become a better one. */
const FORGET_MS = 30 * 24 * 3_600_000;

/** Keeps failed tiers in the browser's storage, for a month. Works without storage too. */
export function rememberedTiers(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  nowUtcMs: () => number = () => Date.now(),
): TierMemory {
  const failures = new Map<TierName, number>();
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? '{}') as unknown;
    for (const [name, utcMs] of Object.entries(kept ?? {})) {
      const tier = TIER_NAMES.find((one) => one === name);
      if (tier !== undefined && typeof utcMs === 'number' && nowUtcMs() - utcMs < FORGET_MS) failures.set(tier, utcMs);
    }
  } catch {
    // What cannot be read was never kept.
  }
  const keep = (): void => {
    try {
      storage?.setItem(KEY, JSON.stringify(Object.fromEntries(failures)));
    } catch {
      // A full or forbidden store: the tiers are measured again at the next visit.
    }
  };
  return {
    failed: new Set(failures.keys()),
    fail(tier) {
      failures.set(tier, nowUtcMs());
      keep();
    },
    forget(tier) {
      if (failures.delete(tier)) keep();
    },
  };
}
