/** One arm: from the shoulder to a working point at the fingers, with a twisting forearm. Nothing is allocated in `reach`. */

import { type Bone, Quaternion, Vector3 } from 'three';
import { mix, softPlus } from '../craft/ease';
import { type FingerName, Fingers } from './fingers';
import { type HandTarget, PITCH, ROLL, YAW } from './hand';
import { Limb } from './limb';
import { Chain, type HandSide, setFrame, type Skeleton } from './skeleton';

/** Share of the wrist's turn that the forearm takes over. */
const TWIST = 0.62;
/** How far the elbow hangs below the height at which it would point outwards, palm down and palm up; radians. */
const ELBOW_DOWN = 0.95;
const ELBOW_UP = 1.25;
/** How strongly it comes forward, by how much of the arm's direction points across the body. */
const FORWARD = 2;
const ACROSS = 0.1;

export class Arm {
  readonly sign: 1 | -1;
  readonly fingers: Fingers;
  readonly limb: Limb;
  /** The wrist that the last `aim` asked for, and the shoulder's place at rest; model space. */
  readonly wrist = new Vector3();
  private readonly shoulder: Chain;
  private readonly collar: Chain;
  private readonly clavicle: Bone;
  private readonly upperBone: Bone;
  private readonly foreBone: Bone;
  private readonly twistBone: Bone;
  private readonly handBone: Bone;
  private readonly foreAxis: Vector3;
  private readonly upperFrame = new Quaternion();
  private readonly foreFrame = new Quaternion();
  private readonly handFrame = new Quaternion();
  private readonly handTurn = new Quaternion();
  private readonly upperTurn = new Quaternion();
  private readonly foreTurn = new Quaternion();
  private readonly spare = new Quaternion();
  private readonly along = new Vector3();
  private readonly down = new Vector3();
  private readonly palm = new Vector3();
  private readonly pole = new Vector3();
  private readonly working = new Vector3();
  private roll = 0;

  constructor(skeleton: Skeleton, side: HandSide) {
    const rest = (bone: string): Vector3 => skeleton.rest(`${bone}_${side}`).clone();
    const bone = (name: string): Bone => skeleton.bone(`${name}_${side}`);
    this.sign = side === 'l' ? 1 : -1;
    this.fingers = new Fingers(skeleton, side);
    const upper = rest('lowerarm').sub(rest('upperarm'));
    const fore = rest('hand').sub(rest('lowerarm'));
    const hinge = upper.clone().cross(fore).normalize();
    this.limb = new Limb(upper.length(), fore.length());
    this.foreAxis = fore.clone().normalize();
    setFrame(this.upperFrame, upper, hinge).invert();
    setFrame(this.foreFrame, fore, hinge).invert();
    setFrame(this.handFrame, this.fingers.along, this.fingers.palm).invert();
    this.shoulder = new Chain(skeleton, `upperarm_${side}`);
    this.collar = new Chain(skeleton, `clavicle_${side}`);
    this.clavicle = bone('clavicle');
    this.upperBone = bone('upperarm');
    this.foreBone = bone('lowerarm');
    this.twistBone = bone('lowerarm_twist');
    this.handBone = bone('hand');
  }

  /** Holds the fingers as asked and finds the wrist that brings their working point to its place. `root`: of the figure. */
  aim(target: HandTarget, root: Vector3): void {
    const { sign, along, down, palm, wrist } = this;
    const yaw = target[YAW]!;
    const pitch = target[PITCH]!;
    this.roll = target[ROLL]!;
    along.set(-sign * Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch));
    down.set(sign * Math.sin(yaw) * Math.sin(pitch), -Math.cos(pitch), -Math.cos(yaw) * Math.sin(pitch));
    palm.crossVectors(down, along).multiplyScalar(sign * Math.sin(this.roll));
    palm.addScaledVector(down, Math.cos(this.roll));
    setFrame(this.handTurn, along, palm).multiply(this.handFrame);
    this.fingers.hold(target);
    this.fingers.workingPoint(target, this.working).applyQuaternion(this.handTurn);
    wrist.set(target[0]!, target[1]!, target[2]!).sub(root).sub(this.working);
  }

  /** Where a finger's pad is from the wrist, as the hand was last aimed; model space. */
  padFromWrist(finger: FingerName, out: Vector3): Vector3 {
    return this.fingers.pad(finger, out).applyQuaternion(this.handTurn);
  }

  /** Bends the arm to the wrist that was aimed at. Answers by how many metres it is missed. */
  reach(): number {
    const { upperTurn, foreTurn, spare, along } = this;
    this.shrug();
    const up = (1 - Math.cos(this.roll)) / 2;
    const hangs = mix(ELBOW_DOWN, ELBOW_UP, up);
    const { limb } = this;
    const shoulder = this.shoulder.follow().point;
    along.subVectors(this.wrist, shoulder).normalize();
    // out, and what is down and back for an arm that goes this way: the two are never alike
    this.pole.set(this.sign * Math.cos(hangs), -along.z * Math.sin(hangs), along.y * Math.sin(hangs));
    // before the body the elbow comes forward: behind the hand there is a waistcoat
    this.pole.z += FORWARD * softPlus(-this.sign * along.x - ACROSS, 0.05);
    const missed = limb.reach(shoulder, this.wrist, this.pole);
    setFrame(upperTurn, limb.upper, limb.hinge).multiply(this.upperFrame);
    setFrame(foreTurn, limb.fore, limb.hinge).multiply(this.foreFrame);
    this.upperBone.quaternion.copy(spare.copy(this.collar.follow().turn).invert().multiply(upperTurn));
    this.foreBone.quaternion.copy(spare.copy(upperTurn).invert().multiply(foreTurn));
    const hand = spare.copy(foreTurn).invert().multiply(this.handTurn);
    this.handBone.quaternion.copy(hand);
    const turned = along.set(hand.x, hand.y, hand.z).dot(this.foreAxis);
    let angle = 2 * Math.atan2(turned, hand.w);
    if (angle > Math.PI) angle -= 2 * Math.PI;
    if (angle < -Math.PI) angle += 2 * Math.PI;
    this.twistBone.quaternion.setFromAxisAngle(this.foreAxis, angle * TWIST);
    return missed;
  }

  /** The shoulder goes along with a far or a high hand. */
  private shrug(): void {
    const { clavicle, spare, along, limb } = this;
    along.subVectors(this.wrist, this.shoulder.follow().point);
    const stretch = softPlus(along.length() / limb.length - 0.82, 0.04);
    const forward = -this.sign * Math.min(0.5, 1.6 * stretch);
    const raise = this.sign * 0.18 * Math.tanh(along.y + 0.2);
    const half = forward / 2;
    const lift = raise / 2;
    spare.set(0, Math.sin(half), 0, Math.cos(half));
    clavicle.quaternion.premultiply(spare);
    spare.set(0, 0, Math.sin(lift), Math.cos(lift));
    clavicle.quaternion.premultiply(spare);
  }
}
