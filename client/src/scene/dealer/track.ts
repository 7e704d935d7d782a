/** Keyframes of a hand: minimum-jerk blends with a lifted arc between them. Deterministic in time. */

import { Vector3 } from 'three';
import { easeHand, mix } from '../craft/ease';
import type { HandTarget } from './arm';
import { GRIPS, type GripName, mixGrip } from './grips';

export type Vec3 = readonly [number, number, number];

export interface Key {
  readonly ms: number;
  readonly tip: Vec3;
  readonly fingers: Vec3;
  readonly palm: Vec3;
  readonly grip: GripName;
  readonly follow?: number;
  /** Height of the arc on the way here, metres; by default a sixth of the distance, at most 8 cm. */
  readonly lift?: number;
}

const blend = (a: Vec3, b: Vec3, u: number): Vector3 =>
  new Vector3(mix(a[0], b[0], u), mix(a[1], b[1], u), mix(a[2], b[2], u));
const distance = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Keys are sorted by time and there is at least one. */
export function handAt(keys: readonly Key[], ms: number): HandTarget {
  let i = 0;
  while (i < keys.length - 1 && keys[i + 1]!.ms <= ms) i++;
  const from = keys[i]!;
  const to = keys[i + 1] ?? from;
  const share = to === from ? 0 : Math.max(0, (ms - from.ms) / (to.ms - from.ms));
  const u = easeHand(share);
  const tip = blend(from.tip, to.tip, u);
  tip.y += 4 * u * (1 - u) * (to.lift ?? Math.min(0.08, distance(from.tip, to.tip) / 6));
  return {
    tip,
    fingers: blend(from.fingers, to.fingers, u).normalize(),
    palm: blend(from.palm, to.palm, u).normalize(),
    grip: mixGrip(GRIPS[from.grip], GRIPS[to.grip], easeHand(share * 1.15)),
    follow: mix(from.follow ?? 0, to.follow ?? 0, u),
  };
}
