/**
 * Bones and morphs of a loaded dealer. All bones rest at identity rotation, so a bone's rotation in model space is
 * directly "rest -> posed", and local = inverse(parent) * model. Model space is the world, moved: the root never turns.
 */

import { Bone, Matrix4, Mesh, type Object3D, Quaternion, Vector3 } from 'three';

export type HandSide = 'l' | 'r';
export const HANDS: readonly HandSide[] = ['l', 'r'];
export const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;

const basis = new Matrix4();
const [ax, ay, az] = [new Vector3(), new Vector3(), new Vector3()];

/** Rotation whose x axis is `a` and whose z axis leans to `b`, into `out`. */
export function setFrame(out: Quaternion, a: Vector3, b: Vector3): Quaternion {
  ax.copy(a).normalize();
  ay.crossVectors(b, ax).normalize();
  az.crossVectors(ax, ay);
  return out.setFromRotationMatrix(basis.makeBasis(ax, ay, az));
}

/** Pitch around x, after yaw around y, after roll around z: three's order YXZ. */
export function setEuler(out: Quaternion, x: number, y: number, z: number): void {
  const cx = Math.cos(x / 2);
  const sx = Math.sin(x / 2);
  const cy = Math.cos(y / 2);
  const sy = Math.sin(y / 2);
  const cz = Math.cos(z / 2);
  const sz = Math.sin(z / 2);
  out.set(
    sx * cy * cz + cx * sy * sz,
    cx * sy * cz - sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  );
}

interface Morph {
  readonly influences: number[];
  readonly index: number;
}
const NO_MORPHS: readonly Morph[] = [];

export class Skeleton {
  private readonly bones = new Map<string, Bone>();
  private readonly resting = new Map<string, Vector3>();
  private readonly morphs = new Map<string, Morph[]>();

  /** The root stands with its soles on its origin. */
  constructor(readonly root: Object3D) {
    root.updateMatrixWorld(true);
    const toModel = new Matrix4().copy(root.matrixWorld).invert();
    root.traverse((node) => {
      if (node instanceof Bone) {
        this.bones.set(node.name, node);
        this.resting.set(node.name, node.getWorldPosition(new Vector3()).applyMatrix4(toModel));
      }
      if (node instanceof Mesh) this.learnMorphs(node);
    });
  }

  private learnMorphs(mesh: Mesh): void {
    const influences = mesh.morphTargetInfluences;
    if (influences === undefined) return;
    for (const [name, index] of Object.entries(mesh.morphTargetDictionary ?? {})) {
      const known = this.morphs.get(name) ?? [];
      known.push({ influences, index });
      this.morphs.set(name, known);
    }
  }

  bone(name: string): Bone {
    const bone = this.bones.get(name);
    if (bone === undefined) throw new Error(`the dealer has no bone ${name}`);
    return bone;
  }

  /** Where a bone is in the rest pose, model space. */
  rest(name: string): Vector3 {
    const point = this.resting.get(name);
    if (point === undefined) throw new Error(`the dealer has no bone ${name}`);
    return point;
  }

  morph(name: string, value: number): void {
    const morphs = this.morphs.get(name) ?? NO_MORPHS;
    for (let i = 0; i < morphs.length; i++) morphs[i]!.influences[morphs[i]!.index] = value;
  }
}

/** The way from a bone's top ancestor down to it, to ask where it is without touching matrices. */
export class Chain {
  readonly point = new Vector3();
  readonly turn = new Quaternion();
  private readonly links: readonly Bone[];
  private readonly step = new Vector3();

  constructor(skeleton: Skeleton, name: string) {
    const links: Bone[] = [];
    for (let bone: Object3D | null = skeleton.bone(name); bone instanceof Bone; bone = bone.parent) links.unshift(bone);
    this.links = links;
  }

  /** Writes where the bone is now, model space, into `point` and `turn`. */
  follow(): this {
    const { point, turn, step, links } = this;
    point.set(0, 0, 0);
    turn.identity();
    for (let i = 0; i < links.length; i++) {
      const link = links[i]!;
      point.add(step.copy(link.position).applyQuaternion(turn));
      turn.multiply(link.quaternion);
    }
    return this;
  }
}
