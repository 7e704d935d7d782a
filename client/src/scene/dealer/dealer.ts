/** The dealer at her table: at rest between coups, at work during one. A function of the coup and the time. */

import { type Object3D, Vector3 } from 'three';
import { easeHand, mix } from '../craft/ease';
import type { CoupTimes } from '../timeline';
import type { HandTarget } from './arm';
import { type DealerLook, type DealerName, loadDealer } from './load';
import { Rig } from './rig';
import { type Glance, heldKey, restKey, type Score, write } from './score';
import type { HandSide } from './skeleton';
import { handAt } from './track';

/** She stands 13 cm lower than she would: her face is nearer to the cards on the screen. */
const STANDS_AT = { x: 0, y: -0.13, z: -0.6 } as const;
const GLANCE_MS = 380;
const HOUR_MS = 3_600_000;
const AT_EASE: Glance = { ms: 0, at: [0, 1.6, 1.6], smile: 0.66, brow: 0.48 };

const AT_REST: Score = { keys: { l: [restKey('l', 0)], r: [restKey('r', 0)] }, holds: [], glances: [AT_EASE] };

export class Dealer {
  private readonly rig: Rig;
  private coup: CoupTimes | null = null;
  private score: Score = AT_REST;

  static async load(look: DealerLook, who: DealerName = 'female'): Promise<Dealer> {
    return new Dealer(await loadDealer(who, look));
  }

  private constructor(readonly root: Object3D) {
    root.position.set(STANDS_AT.x, STANDS_AT.y, STANDS_AT.z);
    this.rig = new Rig(root);
  }

  deal(coup: CoupTimes | null): void {
    this.coup = coup;
    this.score = coup === null ? AT_REST : write(coup);
  }

  /** `still`: she does not breathe or reach, only look. */
  frame(nowUtcMs: number, ms: number, still: boolean): void {
    const score = still ? AT_REST : this.score;
    const { look, smile, brow } = this.glance(score.glances, ms);
    this.rig.pose({
      seconds: still ? 0.2 : (nowUtcMs % HOUR_MS) / 1000,
      hands: { l: this.hand(score, 'l', ms), r: this.hand(score, 'r', ms) },
      look,
      face: { smile, browUp: brow },
    });
  }

  private hand(score: Score, side: HandSide, ms: number): HandTarget {
    const hold = score.holds.find((one) => one.side === side && ms >= one.from && ms < one.to);
    if (hold === undefined || this.coup === null) return handAt(score.keys[side], ms);
    return handAt([heldKey(hold, this.coup, ms)], ms);
  }

  private glance(glances: readonly Glance[], ms: number): { look: Vector3; smile: number; brow: number } {
    const next = glances.findIndex((glance) => glance.ms > ms);
    const i = next < 0 ? glances.length - 1 : Math.max(0, next - 1);
    const to = glances[i] ?? AT_EASE;
    const from = glances[i - 1] ?? to;
    const u = easeHand((ms - to.ms) / GLANCE_MS);
    const look = new Vector3(...from.at).lerp(new Vector3(...to.at), u);
    return { look, smile: mix(from.smile, to.smile, u), brow: mix(from.brow, to.brow, u) };
  }
}
