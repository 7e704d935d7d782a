/** Remembers which chips have just been added, so that they fall: the only memory of the scene besides the camera's. */

import { DROP_MS, progress } from '../craft/ease';
import type { Drop } from './motion';
import type { PlannedStack } from './plan';

interface Falling {
  readonly first: number;
  startedMs: number | null;
}

export class ChipDrops {
  private known: Map<string, PlannedStack> | null = null;
  private readonly falling = new Map<string, Falling>();

  /** Compare the stacks with the last ones. The first look finds everything standing already. */
  notice(stacks: readonly PlannedStack[]): void {
    const before = this.known;
    this.known = new Map(stacks.map((stack) => [stack.id, stack]));
    if (before === null) return;
    for (const id of this.falling.keys()) if (!this.known.has(id)) this.falling.delete(id);
    for (const stack of stacks) {
      const old = before.get(stack.id)?.chips ?? [];
      const first = stack.chips.findIndex((chip, i) => chip !== old[i]);
      if (first >= 0) this.falling.set(stack.id, { first, startedMs: null });
    }
  }

  /** How far the newest chips of a stack have fallen; null when all of them stand. */
  at(id: string, nowMs: number): Drop | null {
    const falling = this.falling.get(id);
    if (falling === undefined) return null;
    falling.startedMs ??= nowMs;
    const u = progress(nowMs, falling.startedMs, DROP_MS);
    if (u >= 1 || nowMs < falling.startedMs) {
      this.falling.delete(id);
      return null;
    }
    return { first: falling.first, u };
  }
}
