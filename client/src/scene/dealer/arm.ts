/** One arm: two-bone inverse kinematics from the shoulder to a grip's working point, with a twisting forearm and finger grips. */

import { Euler, MathUtils, Quaternion, Vector3 } from 'three';
import type { Grip } from './grips';
import { FINGERS, frameOf, type HandSide, type Skeleton } from './skeleton';

const { clamp, smoothstep } = MathUtils;
const PHALANX_CURL = [0.95, 1.2, 0.75] as const;

export interface HandTarget {
  /** Where the pinch point, or the fingertips, should be; world space. */
  readonly tip: Vector3;
  readonly fingers: Vector3;
  /** Direction that the palm faces. */
  readonly palm: Vector3;
  readonly grip: Grip;
  /** 0 = fixed to the table, 1 = moves along when the dealer steps (a resting hand). */
  readonly follow: number;
}

export class Arm {
  readonly sign: 1 | -1;
  readonly length: number;
  private readonly upperLength: number;
  private readonly foreLength: number;
  private readonly foreAxis: Vector3;
  private readonly fingers: Vector3;
  private readonly palmAxis: Vector3;
  private readonly curlAxis: Vector3;
  private readonly thumbAxis: Vector3;
  /** Turns each finger parallel to the middle one. */
  private readonly fan: readonly number[];
  private readonly upperFrame: Quaternion;
  private readonly foreFrame: Quaternion;
  private readonly handFrame: Quaternion;

  constructor(
    private readonly skeleton: Skeleton,
    private readonly side: HandSide,
  ) {
    const rest = (bone: string): Vector3 => skeleton.rest(`${bone}_${side}`).clone();
    const wrist = rest('hand');
    const upper = rest('lowerarm').sub(rest('upperarm'));
    const fore = rest('hand').sub(rest('lowerarm'));
    const hinge = upper.clone().cross(fore).normalize();
    const across = rest('index_01').sub(rest('pinky_01')).normalize();
    this.sign = side === 'l' ? 1 : -1;
    this.fingers = rest('middle_01').sub(wrist).normalize();
    const palm = this.fingers.clone().cross(across).multiplyScalar(this.sign).normalize();
    this.palmAxis = palm.clone().multiplyScalar(this.sign);
    this.curlAxis = across.clone().multiplyScalar(-this.sign);
    this.upperLength = upper.length();
    this.foreLength = fore.length();
    this.length = this.upperLength + this.foreLength;
    this.foreAxis = fore.clone().normalize();
    this.upperFrame = frameOf(upper, hinge).invert();
    this.foreFrame = frameOf(fore, hinge).invert();
    this.handFrame = frameOf(this.fingers, palm).invert();

    const flat = (finger: string): Vector3 => {
      const along = rest(`${finger}_03`).sub(rest(`${finger}_01`));
      return along.addScaledVector(palm, -along.dot(palm));
    };
    const middle = flat('middle');
    this.fan = FINGERS.map((finger) => {
      const along = flat(finger);
      return Math.atan2(along.clone().cross(middle).dot(this.palmAxis), along.dot(middle));
    });
    const thumb = rest('thumb_03').sub(rest('thumb_02'));
    const thumbTip = rest('thumb_03').addScaledVector(thumb, 0.85);
    const closesTo = rest('middle_02').addScaledVector(palm, 0.04).sub(thumbTip);
    this.thumbAxis = thumb.normalize().cross(closesTo).normalize();
  }

  /** How much longer the arm would have to be, and how far the way goes sideways. Also sets the fingers. */
  lack(target: HandTarget): { lack: number; across: number } {
    const way = this.wrist(target, this.handTurn(target)).sub(this.skeleton.placed(`upperarm_${this.side}`).point);
    return { lack: way.length() - this.length * 0.985, across: way.x / way.length() };
  }

  /** Bends the arm. Answers by how many metres the target was missed. */
  reach(target: HandTarget): number {
    const { skeleton, side } = this;
    const handTurn = this.handTurn(target);
    const wrist = this.wrist(target, handTurn);
    this.shrug(wrist);
    const shoulder = skeleton.placed(`upperarm_${side}`).point;
    const way = wrist.clone().sub(shoulder);
    const wanted = way.length();
    const longest = this.length * 0.997;
    const distance = Math.min(wanted, longest);
    way.normalize();

    const pole = new Vector3(this.sign * 0.55, -0.75, -0.4);
    pole.addScaledVector(way, -pole.dot(way)).normalize();
    const { upperLength, foreLength } = this;
    const cosine = (upperLength ** 2 + distance ** 2 - foreLength ** 2) / (2 * upperLength * distance);
    const bend = Math.acos(clamp(cosine, -1, 1));
    const upper = way.clone().multiplyScalar(Math.cos(bend)).addScaledVector(pole, Math.sin(bend));
    const elbow = shoulder.clone().addScaledVector(upper, upperLength);
    const fore = shoulder.clone().addScaledVector(way, distance).sub(elbow).normalize();
    const hinge = upper.clone().cross(fore);
    if (hinge.lengthSq() < 1e-6) hinge.copy(way).cross(pole);
    hinge.normalize();

    const upperTurn = frameOf(upper, hinge).multiply(this.upperFrame);
    const foreTurn = frameOf(fore, hinge).multiply(this.foreFrame);
    const clavicle = skeleton.placed(`clavicle_${side}`).turn;
    skeleton.bone(`upperarm_${side}`).quaternion.copy(clavicle.invert().multiply(upperTurn));
    skeleton.bone(`lowerarm_${side}`).quaternion.copy(upperTurn.clone().invert().multiply(foreTurn));
    const hand = foreTurn.clone().invert().multiply(handTurn);
    skeleton.bone(`hand_${side}`).quaternion.copy(hand);
    const along = this.foreAxis.clone().multiplyScalar(new Vector3(hand.x, hand.y, hand.z).dot(this.foreAxis));
    const twist = new Quaternion(along.x, along.y, along.z, hand.w).normalize();
    skeleton.bone(`lowerarm_twist_${side}`).quaternion.identity().slerp(twist, 0.6);
    return Math.max(0, wanted - longest);
  }

  private handTurn(target: HandTarget): Quaternion {
    return frameOf(target.fingers, target.palm).multiply(this.handFrame);
  }

  /** The wrist that brings the grip's working point to the target, model space. */
  private wrist(target: HandTarget, handTurn: Quaternion): Vector3 {
    this.hold(target.grip);
    const { root, home } = this.skeleton;
    const moved = root.position.clone().sub(home).multiplyScalar(target.follow);
    return target.tip
      .clone()
      .add(moved)
      .sub(root.position)
      .sub(this.workingPoint(target.grip).applyQuaternion(handTurn));
  }

  /** Between thumb and the first two fingertips, or the fingertips when the hand is open; from the wrist, hand space. */
  private workingPoint(grip: Grip): Vector3 {
    const fingers = this.tipOf('index').add(this.tipOf('middle')).multiplyScalar(0.5);
    return fingers.lerp(this.tipOf('thumb'), 0.5 * grip.pinch);
  }

  private tipOf(finger: string): Vector3 {
    const point = new Vector3();
    const turn = new Quaternion();
    for (const phalanx of [1, 2, 3]) {
      const bone = this.skeleton.bone(`${finger}_0${phalanx}_${this.side}`);
      point.add(bone.position.clone().applyQuaternion(turn));
      turn.multiply(bone.quaternion);
    }
    const last = this.skeleton.bone(`${finger}_03_${this.side}`).position; // the last phalanx is about as long as the middle one
    return point.add(last.clone().multiplyScalar(0.85).applyQuaternion(turn));
  }

  /** The shoulder goes along with a far or a high hand. */
  private shrug(wrist: Vector3): void {
    const bone = this.skeleton.bone(`clavicle_${this.side}`);
    const breath = bone.quaternion.clone();
    const way = wrist.clone().sub(this.skeleton.placed(`upperarm_${this.side}`).point);
    const share = way.length() / this.length;
    const forward = -this.sign * 0.38 * smoothstep(share, 0.7, 1) * Math.max(0, way.z / way.length());
    const raise = this.sign * (0.25 * clamp(way.y + 0.1, -0.1, 0.4) - 0.05);
    bone.quaternion.setFromEuler(new Euler(0, forward, raise)).multiply(breath);
  }

  private hold(grip: Grip): void {
    const turn = new Quaternion();
    FINGERS.forEach((finger, i) => {
      PHALANX_CURL.forEach((share, phalanx) => {
        const bone = this.skeleton.bone(`${finger}_0${phalanx + 1}_${this.side}`);
        bone.quaternion.setFromAxisAngle(this.curlAxis, grip[finger] * share);
        if (phalanx === 0)
          bone.quaternion.premultiply(turn.setFromAxisAngle(this.palmAxis, this.fan[i]! * (1 - grip.spread)));
      });
    });
    const thumb = (phalanx: number): Quaternion => this.skeleton.bone(`thumb_0${phalanx}_${this.side}`).quaternion;
    thumb(1)
      .setFromAxisAngle(this.fingers.clone().multiplyScalar(-this.sign), grip.thumbRoll)
      .multiply(turn.setFromAxisAngle(this.palmAxis.clone().negate(), grip.thumbSide))
      .multiply(turn.setFromAxisAngle(this.curlAxis, grip.thumbBend));
    thumb(2).setFromAxisAngle(this.thumbAxis, grip.thumbFlex);
    thumb(3).setFromAxisAngle(this.thumbAxis, grip.thumbFlex * 1.2);
  }
}
