/**
 * How she sits and stands: her feet stay, her hips shift and rise over them, her spine leans and turns until both hands
 * come within easy reach. The answer is found by a fixed number of smooth steps, so it moves as smoothly as the hands do.
 */

import { type Bone, Quaternion, Vector3 } from 'three';
import { easeHand, softPlus } from '../craft/ease';
import type { Arm } from './arm';
import { Limb } from './limb';
import { HANDS, type HandSide, setEuler, setFrame, type Skeleton } from './skeleton';

/** Share of the arm's length up to which nothing leans, and how softly it begins. */
const EASY = 0.9;
const SOFT_M = 0.024;
const STEPS = 10;
/** Radians. */
const DEEPEST = 1.2;
const UPRIGHT = 0.075;
/** She sits on a high stool, so many metres lower than she stands. Leaning so far she rises: over the table, not into it. */
const SEATED_M = 0.16;
const RISES = { from: 0.2, to: 1.2 } as const;
/** Shares of spine_01 … spine_03. */
const PITCH_SHARES = [0.4, 0.36, 0.24] as const;
const YAW_SHARES = [0.25, 0.3, 0.25] as const;
const ROLL_SHARES = [0.3, 0.4, 0.3] as const;

/** Small movements of standing and breathing, radians and metres. */
export interface Sway {
  side: number;
  turn: number;
  breath: number;
}

interface Leg {
  readonly limb: Limb;
  readonly thigh: Bone;
  readonly calf: Bone;
  readonly hip: Vector3;
  readonly ankle: Vector3;
  readonly thighFrame: Quaternion;
  readonly calfFrame: Quaternion;
}

const KNEES_FORWARD = new Vector3(0, 0, 1);
const ANKLE_Y = 0.085;

export class Body {
  private readonly pelvis: Bone;
  private readonly pelvisRest: Vector3;
  private readonly rootRest: Vector3;
  private readonly spine: readonly Bone[];
  private readonly clavicles: Readonly<Record<HandSide, Bone>>;
  private readonly shoulders: Readonly<Record<HandSide, readonly Vector3[]>>;
  private readonly legs: readonly Leg[];
  private readonly turns = [new Quaternion(), new Quaternion(), new Quaternion(), new Quaternion()];
  private readonly point = { l: new Vector3(), r: new Vector3() };
  private readonly way = new Vector3();
  private readonly lack = { l: new Vector3(), r: new Vector3() };
  private readonly carry = new Quaternion();
  private readonly step = new Vector3();
  private readonly hip = new Vector3();
  private readonly spare = new Quaternion();
  private shiftX = 0;
  private shiftY = 0;
  private shiftZ = 0;
  private pitch = 0;
  private yaw = 0;
  private roll = 0;

  constructor(skeleton: Skeleton) {
    this.pelvis = skeleton.bone('pelvis');
    this.pelvisRest = this.pelvis.position.clone();
    this.rootRest = skeleton.rest('pelvis').clone().sub(this.pelvisRest);
    this.spine = ['spine_01', 'spine_02', 'spine_03'].map((name) => skeleton.bone(name));
    this.clavicles = { l: skeleton.bone('clavicle_l'), r: skeleton.bone('clavicle_r') };
    const links = (side: HandSide): Vector3[] => {
      const joints = ['pelvis', 'spine_01', 'spine_02', 'spine_03', `upperarm_${side}`];
      return joints.slice(1).map((name, i) => skeleton.rest(name).clone().sub(skeleton.rest(joints[i]!)));
    };
    this.shoulders = { l: links('l'), r: links('r') };
    this.legs = HANDS.map((side) => this.leg(skeleton, side));
  }

  private leg(skeleton: Skeleton, side: HandSide): Leg {
    const hip = skeleton.rest(`thigh_${side}`).clone();
    const knee = skeleton.rest(`calf_${side}`).clone();
    const ankle = new Vector3(knee.x + (knee.x - hip.x) * 0.4, ANKLE_Y, knee.z - 0.05);
    const [thigh, calf] = [knee.clone().sub(hip), ankle.clone().sub(knee)];
    const limb = new Limb(thigh.length(), calf.length());
    limb.reach(hip, ankle, KNEES_FORWARD);
    return {
      limb,
      thigh: skeleton.bone(`thigh_${side}`),
      calf: skeleton.bone(`calf_${side}`),
      hip,
      ankle,
      thighFrame: setFrame(new Quaternion(), limb.upper, limb.hinge).invert(),
      calfFrame: setFrame(new Quaternion(), limb.fore, limb.hinge).invert(),
    };
  }

  /** Finds the stance for the wrists that both arms aim at, and takes it. */
  stand(arms: Readonly<Record<HandSide, Arm>>, sway: Sway): void {
    this.shiftX = sway.side;
    this.shiftZ = 0;
    this.pitch = UPRIGHT;
    this.yaw = sway.turn;
    this.roll = -sway.side * 1.2;
    for (let i = 0; i < STEPS; i++) this.lean(arms);
    this.write(sway);
  }

  private lean(arms: Readonly<Record<HandSide, Arm>>): void {
    this.bend(0);
    const l = this.lackOf('l', arms.l);
    const r = this.lackOf('r', arms.r);
    const forward = larger(l.z, r.z);
    this.shiftZ = soften(this.shiftZ + 0.1 * forward, 0.11);
    this.shiftX = soften(this.shiftX + 0.3 * (l.x + r.x), 0.2);
    this.pitch = soften(this.pitch + 1.25 * forward + 0.3 * larger(-l.y, -r.y), DEEPEST);
    this.yaw = soften(this.yaw - 1.5 * (l.z - r.z) + 0.25 * (l.x + r.x), 0.7);
    this.roll = soften(this.roll - 0.45 * (l.x + r.x), 0.32);
  }

  /** How far an arm falls short of what it reaches for with ease. */
  private lackOf(side: HandSide, arm: Arm): Vector3 {
    const way = this.way.subVectors(arm.wrist, this.shoulder(side));
    const distance = way.length();
    const short = softPlus(distance - arm.limb.length * EASY, SOFT_M);
    return this.lack[side].copy(way).multiplyScalar(short / distance);
  }

  /** Writes pelvis' and spine's turns of the present lean. */
  private bend(breath: number): void {
    const hinge = 0.5 * softPlus(this.pitch - 0.25, 0.04); // a deep lean starts at the hips
    const rest = this.pitch - hinge;
    this.shiftY = SEATED_M * (easeHand((this.pitch - RISES.from) / (RISES.to - RISES.from)) - 1);
    setEuler(this.turns[0]!, hinge, this.yaw * 0.2, this.roll * -0.25);
    for (let i = 0; i < 3; i++) {
      const pitch = rest * PITCH_SHARES[i]! - 0.007 * i * breath;
      setEuler(this.turns[i + 1]!, pitch, this.yaw * YAW_SHARES[i]!, this.roll * 1.25 * ROLL_SHARES[i]!);
    }
  }

  /** Where a shoulder is, without the collar bone's part. */
  private shoulder(side: HandSide): Vector3 {
    const { carry, step } = this;
    const point = this.point[side].copy(this.rootRest).add(this.pelvisRest);
    point.x += this.shiftX;
    point.y += this.shiftY;
    point.z += this.shiftZ;
    carry.identity();
    const links = this.shoulders[side];
    for (let i = 0; i < links.length; i++) {
      carry.multiply(this.turns[i]!);
      point.add(step.copy(links[i]!).applyQuaternion(carry));
    }
    return point;
  }

  private write({ breath }: Sway): void {
    const { pelvis, pelvisRest } = this;
    this.bend(breath);
    pelvis.position.set(pelvisRest.x + this.shiftX, pelvisRest.y + this.shiftY, pelvisRest.z + this.shiftZ);
    pelvis.quaternion.copy(this.turns[0]!);
    for (let i = 0; i < 3; i++) this.spine[i]!.quaternion.copy(this.turns[i + 1]!);
    const raised = 0.006 * breath;
    this.clavicles.l.quaternion.set(0, 0, raised, 1).normalize();
    this.clavicles.r.quaternion.set(0, 0, -raised, 1).normalize();
    for (let i = 0; i < this.legs.length; i++) this.plant(this.legs[i]!);
  }

  /** The ankle stays where it was. */
  private plant({ limb, thigh, calf, ankle, thighFrame, calfFrame }: Leg): void {
    const { hip, carry, spare, pelvis } = this;
    hip.copy(thigh.position).applyQuaternion(pelvis.quaternion).add(pelvis.position).add(this.rootRest);
    limb.reach(hip, ankle, KNEES_FORWARD);
    setFrame(carry, limb.upper, limb.hinge).multiply(thighFrame);
    thigh.quaternion.copy(spare.copy(pelvis.quaternion).invert().multiply(carry));
    spare.copy(carry).invert();
    setFrame(carry, limb.fore, limb.hinge).multiply(calfFrame);
    calf.quaternion.copy(spare.multiply(carry));
  }
}

/** About the larger of two, and smooth where they are alike. */
const larger = (a: number, b: number): number => (a + b + Math.sqrt((a - b) ** 2 + 1e-4)) / 2 - 5e-3;

/** Grows like x and ends at the limit. */
const soften = (x: number, limit: number): number => {
  const share = x / limit;
  return share > 0.6 || share < -0.6 ? limit * Math.sign(share) * (0.6 + 0.4 * Math.tanh((Math.abs(share) - 0.6) / 0.4)) : x;
};
