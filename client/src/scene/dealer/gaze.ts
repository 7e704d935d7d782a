/** Where she looks: the eyes are there first, the head follows; lids follow a lowered gaze, and blink. */

import { type Bone, Quaternion, Vector3 } from 'three';
import { scatter, softPlus } from '../craft/ease';
import { Chain, setEuler, type Skeleton } from './skeleton';

const NECK_SHARE = 0.34;
/** Of a look aside or down, the head does this much. */
const HEAD_SHARE = 0.76;
const EYES_UP = 0.075;
const EYES_FORWARD = 0.085;

export class Gaze {
  private readonly chest: Chain;
  private readonly headWay: Chain;
  private readonly neck: Bone;
  private readonly head: Bone;
  private readonly eyes: readonly [Bone, Bone];
  private readonly headRest: Vector3;
  private readonly way = new Vector3();
  private readonly spare = new Quaternion();
  private readonly offset = new Vector3();

  constructor(private readonly skeleton: Skeleton) {
    this.chest = new Chain(skeleton, 'spine_03');
    this.headWay = new Chain(skeleton, 'head');
    this.headRest = skeleton.rest('head').clone().sub(skeleton.rest('spine_03'));
    this.neck = skeleton.bone('neck_01');
    this.head = skeleton.bone('head');
    this.eyes = [skeleton.bone('eye_l'), skeleton.bone('eye_r')];
  }

  /** `headAt` and `eyesAt` are points in model space; `tilt` leans the head aside, radians; `lid` 0 open … 1 closed. */
  turn(headAt: Vector3, eyesAt: Vector3, tilt: number, seconds: number, lid: number): void {
    const { way, spare, offset } = this;
    const chest = this.chest.follow();
    // from where the head is when it looks straight on: where it was before must not count
    way.copy(this.headRest).applyQuaternion(chest.turn).add(chest.point).sub(headAt).negate();
    way.applyQuaternion(spare.copy(chest.turn).invert()).normalize();
    const yaw = limited(Math.atan2(way.x, way.z), 1.1);
    const pitch = limited(-Math.asin(Math.max(-1, Math.min(1, way.y))), 0.8);
    const nod = pitch * HEAD_SHARE;
    const aside = yaw * HEAD_SHARE;
    setEuler(this.neck.quaternion, nod * NECK_SHARE, aside * 0.36, tilt * 0.5);
    setEuler(this.head.quaternion, nod * (1 - NECK_SHARE), aside * 0.64, tilt * 0.5 - yaw * 0.06);

    const head = this.headWay.follow();
    offset.set(0, EYES_UP, EYES_FORWARD).applyQuaternion(head.turn).add(head.point);
    way.subVectors(eyesAt, offset).applyQuaternion(spare.copy(head.turn).invert()).normalize();
    const down = limited(-Math.asin(Math.max(-1, Math.min(1, way.y))), 0.42);
    const side = limited(Math.atan2(way.x, way.z), 0.5);
    const dart = Math.floor(seconds * 1.3);
    const dartX = (scatter(dart, 1) - 0.5) * 0.03;
    const dartY = (scatter(dart, 2) - 0.5) * 0.02;
    for (let i = 0; i < 2; i++) setEuler(this.eyes[i]!.quaternion, down + dartY, side + dartX, 0);
    const lowered = Math.min(0.46, softPlus(down - 0.04, 0.03) * 1.15);
    const closed = Math.min(1, lowered + (1 - lowered) * lid);
    this.skeleton.morph('blinkL', closed);
    this.skeleton.morph('blinkR', closed);
  }
}

const limited = (angle: number, limit: number): number => limit * Math.tanh(angle / limit);

const SLOT_S = 1.9;
const BLINK_S = 0.26;

/** How far the lids are closed: about one blink in four seconds, now and then two. */
export function blink(seconds: number): number {
  const slot = Math.floor(seconds / SLOT_S);
  const kind = scatter(slot, 11);
  if (kind > 0.52) return 0;
  const start = slot * SLOT_S + 0.1 + 1.1 * scatter(slot, 12);
  const one = closing(seconds - start);
  return kind < 0.08 ? Math.max(one, closing(seconds - start - 0.34)) : one;
}

/** Lids fall faster than they rise. */
function closing(since: number): number {
  const u = since / BLINK_S;
  if (u <= 0 || u >= 1) return 0;
  return u < 0.36 ? Math.sin((u / 0.36) * (Math.PI / 2)) : Math.cos(((u - 0.36) / 0.64) * (Math.PI / 2)) ** 2;
}
