/** The fingers of one hand: how they curl, and where their pads are. Nothing is allocated after the start. */

import { type Bone, Quaternion, Vector3 } from 'three';
import { GRIP, type HandTarget } from './hand';
import { PINCH, SPREAD, THUMB } from './grips';
import { FINGERS, type HandSide, type Skeleton } from './skeleton';

export type FingerName = (typeof FINGERS)[number] | 'thumb';

const PHALANX_CURL = [0.95, 1.2, 0.75] as const;
/** Where the skin of a pad touches: beyond the last joint, and palmwards; in lengths of the phalanx before it. */
const PADS: Readonly<Record<FingerName, readonly [along: number, palmwards: number]>> = {
  index: [0.95, 0.3],
  middle: [0.76, 0.26],
  ring: [0.88, 0.26],
  pinky: [1.02, 0.32],
  thumb: [0.64, 0.22],
};

interface Digit {
  readonly bones: readonly Bone[];
  /** Of the skin, from the last joint, in its own space. */
  readonly pad: Vector3;
}

export class Fingers {
  /** From the wrist to the middle finger, and out of the palm; at rest. */
  readonly along: Vector3;
  readonly palm: Vector3;
  private readonly palmAxis: Vector3;
  private readonly curlAxis: Vector3;
  private readonly alongAxis: Vector3;
  private readonly thumbAxis: Vector3;
  private readonly digits: Readonly<Record<FingerName, Digit>>;
  private readonly four: readonly Digit[];
  /** Turns each finger parallel to the middle one. */
  private readonly fan: readonly number[];
  private readonly turn = new Quaternion();
  private readonly carry = new Quaternion();
  private readonly step = new Vector3();
  private readonly other = new Vector3();

  constructor(
    private readonly skeleton: Skeleton,
    private readonly side: HandSide,
  ) {
    const rest = (bone: string): Vector3 => skeleton.rest(`${bone}_${side}`).clone();
    const sign = side === 'l' ? 1 : -1;
    const across = rest('index_01').sub(rest('pinky_01')).normalize();
    this.along = rest('middle_01').sub(rest('hand')).normalize();
    this.palm = this.along.clone().cross(across).multiplyScalar(sign).normalize();
    this.palmAxis = this.palm.clone().multiplyScalar(sign);
    this.curlAxis = across.clone().multiplyScalar(-sign);
    this.alongAxis = this.along.clone().multiplyScalar(-sign);
    const flat = (finger: string): Vector3 => {
      const way = rest(`${finger}_03`).sub(rest(`${finger}_01`));
      return way.addScaledVector(this.palm, -way.dot(this.palm));
    };
    const middle = flat('middle');
    this.fan = FINGERS.map((finger) => {
      const way = flat(finger);
      return Math.atan2(way.clone().cross(middle).dot(this.palmAxis), way.dot(middle));
    });
    const thumb = rest('thumb_03').sub(rest('thumb_02'));
    const thumbTip = rest('thumb_03').addScaledVector(thumb, 0.85);
    const closesTo = rest('middle_02').addScaledVector(this.palm, 0.04).sub(thumbTip);
    this.thumbAxis = thumb.clone().normalize().cross(closesTo).normalize();
    const thumbPalm = closesTo.clone();
    this.digits = {
      index: this.digit('index', this.palm),
      middle: this.digit('middle', this.palm),
      ring: this.digit('ring', this.palm),
      pinky: this.digit('pinky', this.palm),
      thumb: this.digit('thumb', thumbPalm),
    };
    this.four = FINGERS.map((finger) => this.digits[finger]);
  }

  private digit(finger: FingerName, palm: Vector3): Digit {
    const { skeleton, side } = this;
    const bones = [1, 2, 3].map((phalanx) => skeleton.bone(`${finger}_0${phalanx}_${side}`));
    const last = bones[2]!.position.clone();
    const out = palm.clone().addScaledVector(last, -palm.dot(last) / last.lengthSq()).normalize();
    const [along, palmwards] = PADS[finger];
    return { bones, pad: last.clone().multiplyScalar(along).addScaledVector(out, palmwards * last.length()) };
  }

  hold(target: HandTarget): void {
    const { turn, four } = this;
    const spread = target[GRIP + SPREAD]!;
    for (let i = 0; i < four.length; i++) {
      const { bones } = four[i]!;
      const curl = target[GRIP + i]!;
      for (let phalanx = 0; phalanx < 3; phalanx++) {
        bones[phalanx]!.quaternion.setFromAxisAngle(this.curlAxis, curl * PHALANX_CURL[phalanx]!);
      }
      bones[0]!.quaternion.premultiply(turn.setFromAxisAngle(this.palmAxis, this.fan[i]! * (1 - spread)));
    }
    const { bones } = this.digits.thumb;
    const flex = target[GRIP + THUMB + 3]!;
    bones[0]!.quaternion
      .setFromAxisAngle(this.alongAxis, target[GRIP + THUMB]!)
      .multiply(turn.setFromAxisAngle(this.palmAxis, -target[GRIP + THUMB + 1]!))
      .multiply(turn.setFromAxisAngle(this.curlAxis, target[GRIP + THUMB + 2]!));
    bones[1]!.quaternion.setFromAxisAngle(this.thumbAxis, flex);
    bones[2]!.quaternion.setFromAxisAngle(this.thumbAxis, flex * 1.2);
  }

  /** From the wrist, in the hand's space; see Grip. */
  workingPoint(target: HandTarget, out: Vector3): Vector3 {
    const pinch = target[GRIP + PINCH]!;
    this.pad('index', out).lerp(this.pad('middle', this.other), 0.5 - 0.25 * pinch);
    return out.lerp(this.pad('thumb', this.other), 0.25 * pinch);
  }

  /** Where the skin of a finger's pad is; from the wrist, in the hand's space. */
  pad(finger: FingerName, out: Vector3): Vector3 {
    const { carry, step } = this;
    const { bones, pad } = this.digits[finger];
    out.set(0, 0, 0);
    carry.identity();
    for (let i = 0; i < 3; i++) {
      out.add(step.copy(bones[i]!.position).applyQuaternion(carry));
      carry.multiply(bones[i]!.quaternion);
    }
    return out.add(step.copy(pad).applyQuaternion(carry));
  }
}
