/** Two bones that reach for a point: arms and legs. Reuses its vectors. */

import { Vector3 } from 'three';

export class Limb {
  /** Directions of the two bones, and the axis they bend around. */
  readonly upper = new Vector3();
  readonly fore = new Vector3();
  readonly hinge = new Vector3();
  private readonly way = new Vector3();
  private readonly aside = new Vector3();

  constructor(
    readonly upperLength: number,
    readonly foreLength: number,
  ) {}

  get length(): number {
    return this.upperLength + this.foreLength;
  }

  /** Bends from `root` to `goal`, the joint towards `pole`. Answers by how many metres it falls short. */
  reach(root: Vector3, goal: Vector3, pole: Vector3): number {
    const { way, aside, upper, fore, hinge, upperLength, foreLength } = this;
    way.subVectors(goal, root);
    const wanted = way.length();
    const distance = Math.max(0.05, Math.min(wanted, this.length * 0.999));
    way.divideScalar(Math.max(wanted, 1e-6));
    aside.copy(pole).addScaledVector(way, -pole.dot(way)).normalize();
    const cosine = (upperLength ** 2 + distance ** 2 - foreLength ** 2) / (2 * upperLength * distance);
    const bend = Math.acos(Math.min(1, Math.max(-1, cosine)));
    upper.copy(way).multiplyScalar(Math.cos(bend)).addScaledVector(aside, Math.sin(bend));
    fore.copy(way).multiplyScalar(distance).addScaledVector(upper, -upperLength).normalize();
    hinge.crossVectors(way, aside).negate();
    return Math.max(0, wanted - distance);
  }
}
