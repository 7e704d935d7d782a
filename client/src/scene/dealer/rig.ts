/** The whole figure for one moment: stance, two arms, gaze, face. Deterministic in its input; nothing is allocated. */

import { type Object3D, Vector3 } from 'three';
import { Arm } from './arm';
import { Body, type Sway } from './body';
import { Gaze } from './gaze';
import type { HandTarget } from './hand';
import { MOUTH, type Mouth } from './mouth';
import { type HandSide, Skeleton } from './skeleton';

export interface Pose {
  readonly hands: Readonly<Record<HandSide, HandTarget>>;
  /** World space; the head is on its way to where the eyes are. */
  readonly headAt: Vector3;
  readonly eyesAt: Vector3;
  readonly sway: Sway;
  /** Of the head, radians. */
  tilt: number;
  /** Drives the eyes' darts. */
  seconds: number;
  /** 0 open … 1 closed. */
  lid: number;
  smile: number;
  brow: number;
  readonly mouth: Mouth;
}

const SHOWS_TEETH = 0.06;

export class Rig {
  readonly arms: Readonly<Record<HandSide, Arm>>;
  /** Metres by which the hands missed, in the last pose. */
  readonly missed = { l: 0, r: 0 };
  private readonly skeleton: Skeleton;
  private readonly body: Body;
  private readonly gaze: Gaze;
  private readonly teeth: Object3D | null;
  private readonly at: Vector3;
  private readonly headAt = new Vector3();
  private readonly eyesAt = new Vector3();

  constructor(root: Object3D) {
    this.skeleton = new Skeleton(root);
    this.arms = { l: new Arm(this.skeleton, 'l'), r: new Arm(this.skeleton, 'r') };
    this.body = new Body(this.skeleton);
    this.gaze = new Gaze(this.skeleton);
    this.teeth = root.getObjectByName('teeth') ?? null;
    this.at = root.position;
  }

  pose(pose: Pose): void {
    const { arms, skeleton } = this;
    arms.l.aim(pose.hands.l, this.at);
    arms.r.aim(pose.hands.r, this.at);
    this.body.stand(arms, pose.sway);
    this.headAt.subVectors(pose.headAt, this.at);
    this.eyesAt.subVectors(pose.eyesAt, this.at);
    this.gaze.turn(this.headAt, this.eyesAt, pose.tilt, pose.seconds, pose.lid);
    this.missed.l = arms.l.reach();
    this.missed.r = arms.r.reach();
    skeleton.morph('smile', pose.smile);
    skeleton.morph('browUp', pose.brow);
    for (let i = 0; i < MOUTH.length; i++) skeleton.morph(MOUTH[i]!, pose.mouth[MOUTH[i]!]);
    if (this.teeth !== null) this.teeth.visible = pose.mouth.aa + pose.mouth.ee + pose.mouth.oo > SHOWS_TEETH;
  }
}
