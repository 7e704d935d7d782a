/** The whole figure for one moment: stepping and leaning, two arms, gaze, blinks, breath, face. Deterministic in its input. */

import { MathUtils, type Object3D, Quaternion, Vector3 } from 'three';
import { Arm, type HandTarget } from './arm';
import { HANDS, type HandSide, Skeleton } from './skeleton';

const { clamp, smoothstep } = MathUtils;
const FACE = ['smile', 'browUp', 'browDown', 'aa', 'ee', 'oo', 'mm'] as const;

export interface Pose {
  /** Seconds; drives breath, blinks and shifts of weight. */
  readonly seconds: number;
  readonly hands: Readonly<Record<HandSide, HandTarget>>;
  /** Gaze point, world space. */
  readonly look: Vector3;
  readonly face: Readonly<Partial<Record<(typeof FACE)[number], number>>>;
}

/** Pitch, yaw, roll in radians; step and forward in metres. */
interface Lean {
  pitch: number;
  yaw: number;
  roll: number;
  step: number;
  forward: number;
}

export class Rig {
  private readonly skeleton: Skeleton;
  private readonly arms: Readonly<Record<HandSide, Arm>>;
  private readonly teeth: Object3D | null;

  constructor(root: Object3D) {
    this.skeleton = new Skeleton(root);
    this.arms = { l: new Arm(this.skeleton, 'l'), r: new Arm(this.skeleton, 'r') };
    this.teeth = root.getObjectByName('teeth') ?? null;
  }

  pose(pose: Pose): void {
    this.stand(pose);
    this.look(pose);
    for (const side of HANDS) this.arms[side].reach(pose.hands[side]);
    for (const name of FACE) this.skeleton.morph(name, pose.face[name] ?? 0);
    const { aa = 0, ee = 0, oo = 0 } = pose.face;
    if (this.teeth !== null) this.teeth.visible = aa + ee + oo > 0.04;
  }

  /** First a guess from where the hands go, then exactly as much more as the farther hand lacks. */
  private stand(pose: Pose): void {
    const lean = this.guess(pose);
    this.bendSpine(pose.seconds, lean);
    for (let round = 0; round < 14; round++) {
      let need = 0;
      let across = 0;
      let sign = 1;
      for (const side of HANDS) {
        const found = this.arms[side].lack(pose.hands[side]);
        if (found.lack > need) [need, across, sign] = [found.lack, found.across, this.arms[side].sign];
      }
      if (need < 0.0005) break;
      lean.pitch = Math.min(1.15, lean.pitch + need * 1.5);
      lean.step = clamp(lean.step + need * across * 1.2, -0.75, 0.75);
      lean.yaw = clamp(lean.yaw - sign * need * 0.9, -0.75, 0.75); // brings that shoulder forward
      lean.forward = Math.min(0.11, lean.forward + need * 0.4);
      this.bendSpine(pose.seconds, lean);
    }
  }

  private guess(pose: Pose): Lean {
    const { home } = this.skeleton;
    const [left, right] = HANDS.map((side) => {
      const { tip, follow } = pose.hands[side];
      return tip
        .clone()
        .sub(home)
        .multiplyScalar(1 - follow);
    }) as [Vector3, Vector3];
    const reachX = Math.abs(left.x) > Math.abs(right.x) ? left.x : right.x;
    const stretch = smoothstep(Math.max(left.z, right.z), 0.28, 0.8);
    const aside = Math.sign(reachX) * smoothstep(Math.abs(reachX), 0.25, 1);
    return {
      pitch: 0.07 + 0.4 * stretch,
      yaw: 0.3 * aside,
      roll: -0.1 * aside,
      step: 0.36 * aside,
      forward: 0.03 * stretch,
    };
  }

  private bendSpine(seconds: number, { pitch, yaw, roll, step, forward }: Lean): void {
    const { skeleton } = this;
    const breath = Math.sin(seconds * 1.45) * 0.5 + 0.5;
    const sway = Math.sin(seconds * 0.37) * 0.012 + Math.sin(seconds * 0.83 + 1) * 0.005;
    const { home } = skeleton;
    skeleton.root.position.set(home.x + step + sway * 0.6, home.y, home.z + forward);
    const hinge = 0.45 * Math.max(0, pitch - 0.25); // a deep lean starts at the hips
    const rest = pitch - hinge;
    skeleton.turn('pelvis', hinge, yaw * 0.2 + sway * 0.6, sway * 0.8);
    for (const side of HANDS) skeleton.turn(`thigh_${side}`, -hinge, -yaw * 0.2, -sway * 0.8);
    skeleton.turn('spine_01', rest * 0.4, yaw * 0.25, roll * 0.3 - sway * 0.4);
    skeleton.turn('spine_02', rest * 0.36 - 0.006 * breath, yaw * 0.3, roll * 0.4 - sway * 0.5);
    skeleton.turn('spine_03', rest * 0.24 - 0.012 * breath, yaw * 0.25, roll * 0.3 - sway * 0.3);
    for (const side of HANDS) skeleton.turn(`clavicle_${side}`, 0, 0, (side === 'l' ? 1 : -1) * 0.012 * breath);
  }

  /** The head follows the gaze first, the eyes do the rest; lids follow a lowered gaze, and blink. */
  private look({ seconds, look }: Pose): void {
    const { skeleton } = this;
    const goal = look.clone().sub(skeleton.root.position);
    const chest = skeleton.placed('spine_03').turn.invert();
    const way = goal.clone().sub(skeleton.placed('head').point).applyQuaternion(chest).normalize();
    const yaw = clamp(Math.atan2(way.x, way.z), -1, 1);
    const pitch = clamp(-Math.asin(clamp(way.y, -1, 1)), -0.55, 0.75);
    const share = 0.74;
    const idle = Math.sin(seconds * 0.53) * 0.02;
    skeleton.turn('neck_01', pitch * 0.32 * share, yaw * 0.36 * share, idle);
    skeleton.turn('head', pitch * 0.68 * share + idle * 0.5, yaw * 0.64 * share, -yaw * 0.07 + idle * 0.6);

    const head = skeleton.placed('head');
    const eyes = head.point.add(new Vector3(0, 0.07, 0.08).applyQuaternion(head.turn));
    const gaze = goal.sub(eyes).applyQuaternion(new Quaternion().copy(head.turn).invert()).normalize();
    const dart = (scatter(Math.floor(seconds * 1.3)) - 0.5) * 0.05;
    const down = clamp(-Math.asin(clamp(gaze.y, -1, 1)), -0.28, 0.38);
    const aside = clamp(Math.atan2(gaze.x, gaze.z), -0.42, 0.42) + dart;
    for (const side of HANDS) skeleton.turn(`eye_${side}`, down, aside, 0);
    const lid = clamp(Math.max(blink(seconds), clamp(down * 1.15, 0, 0.42)), 0, 1);
    skeleton.morph('blinkL', lid);
    skeleton.morph('blinkR', lid);
  }
}

/** 0 … 1, the same for the same number. */
function scatter(n: number): number {
  const wave = Math.sin(n * 91.7) * 437.5;
  return wave - Math.floor(wave);
}

const BLINK_EVERY = 3.4;

function blink(seconds: number): number {
  const n = Math.floor(seconds / BLINK_EVERY);
  const start = n * BLINK_EVERY + 0.4 + 2.2 * scatter(n + 7);
  const phase = (seconds - start) / 0.24;
  return phase > 0 && phase < 1 ? Math.sin(Math.PI * phase) ** 0.7 : 0;
}
