/** What lies in shoe and discard holder, and the pack that travels between them and the dealer when a new shoe is brought. */

import type { Mesh } from 'three';
import { changeStage, packPose, posePack } from '../dealer/shoe_change';
import type { DiscardHolder } from './discard';
import type { Shoe } from './shoe';

/** A spent shoe still has the cards behind the cut card. */
const SPENT_LEFT = 14;

export class NewShoe {
  readonly pack: Mesh;
  private cardsLeft = 0;
  private all = 1;
  private broughtMs: number | null = null;
  private shown = -1;
  private readonly pose = packPose();

  constructor(
    private readonly shoe: Shoe,
    private readonly discard: DiscardHolder,
  ) {
    this.pack = discard.copyOfPile();
    this.pack.visible = false;
  }

  /** `broughtMs`: when the change began; null when nobody is shown it. */
  show(cardsLeft: number, all: number, broughtMs: number | null): void {
    if (cardsLeft === this.cardsLeft && all === this.all && broughtMs === this.broughtMs) return;
    this.cardsLeft = cardsLeft;
    this.all = all;
    this.broughtMs = broughtMs;
    this.shown = -1;
  }

  frame(nowUtcMs: number, still: boolean): void {
    const ms = this.broughtMs === null || still ? Number.POSITIVE_INFINITY : nowUtcMs - this.broughtMs;
    const stage = changeStage(ms);
    if (stage !== this.shown) this.fill(stage);
    this.shown = stage;
    this.pack.visible = stage === 1 || stage === 3;
    if (!this.pack.visible) return;
    const { pack, pose } = this;
    posePack(ms, pose);
    pack.position.set(pose.x, pose.y, pose.z);
    pack.rotation.y = pose.yaw;
    pack.scale.y = pose.height;
  }

  private fill(stage: number): void {
    this.shoe.fill(stage < 4 ? Math.min(SPENT_LEFT, this.all) : this.cardsLeft, this.all);
    this.discard.fill(stage === 0 ? 1 - SPENT_LEFT / this.all : stage < 4 ? 0 : 1 - this.cardsLeft / this.all);
  }
}
