/** Where she looks at a moment: what the score says, else what comes to her mind. Eyes are quick, the head follows. */

import { easeHand } from '../craft/ease';
import { copyGlance, glance, type Glance, idleGlance } from './idle';

const EYES_MS = 170;
const HEAD_LATE_MS = 60;
const HEAD_MS = 520;
const FACE_MS = 560;
/** After the last glance of a score, and before the first, thoughts wander. */
const KEPT_MS = 2_200;
const LAST = 4;

export interface Look {
  readonly head: { x: number; y: number; z: number };
  readonly eyes: { x: number; y: number; z: number };
  smile: number;
  brow: number;
}

export class Attention {
  private readonly recent: readonly Glance[] = Array.from({ length: LAST }, () => glance());
  private readonly idle = glance();

  /** Where she looks at `ms`. The last few glances add up, so that a new one never cuts an old one short. */
  at(glances: readonly Glance[], ms: number, still: boolean, out: Look): void {
    const { recent } = this;
    let before = ms;
    for (let i = LAST - 1; i >= 0; i--) {
      this.current(glances, before, recent[i]!);
      before = recent[i]!.ms - 0.001;
    }
    const first = still ? recent[LAST - 1]! : recent[0]!;
    set(out.head, first);
    set(out.eyes, first);
    out.smile = first.smile;
    out.brow = first.brow;
    if (still) return;
    for (let i = 1; i < LAST; i++) {
      const from = recent[i - 1]!;
      const to = recent[i]!;
      const since = ms - to.ms;
      step(out.head, from, to, easeHand((since - HEAD_LATE_MS) / HEAD_MS));
      step(out.eyes, from, to, easeHand(since / EYES_MS));
      const face = easeHand(since / FACE_MS);
      out.smile += (to.smile - from.smile) * face;
      out.brow += (to.brow - from.brow) * face;
    }
  }

  /** The glance that holds at `ms`. */
  private current(glances: readonly Glance[], ms: number, out: Glance): void {
    let last: Glance | null = null;
    let next: Glance | null = null;
    for (let i = 0; i < glances.length; i++) {
      if (glances[i]!.ms <= ms) last = glances[i]!;
      else {
        next = glances[i]!;
        break;
      }
    }
    if (last !== null && (ms - last.ms < KEPT_MS || (next !== null && next.ms - last.ms < 2 * KEPT_MS))) {
      copyGlance(last, out);
      return;
    }
    idleGlance(ms, this.idle);
    copyGlance(this.idle, out);
    if (last !== null) out.ms = Math.max(out.ms, last.ms + KEPT_MS);
  }
}

function set(out: Look['head'], to: Glance): void {
  out.x = to.x;
  out.y = to.y;
  out.z = to.z;
}

function step(out: Look['head'], from: Glance, to: Glance, u: number): void {
  out.x += (to.x - from.x) * u;
  out.y += (to.y - from.y) * u;
  out.z += (to.z - from.z) * u;
}
