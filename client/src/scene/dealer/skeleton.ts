/**
 * Bones and morphs of a loaded dealer. All bones rest at identity rotation, so a bone's rotation in model space is
 * directly "rest -> posed", and local = inverse(parent) * model.
 */

import { Bone, Euler, Matrix4, Mesh, type Object3D, Quaternion, Vector3 } from 'three';

export type HandSide = 'l' | 'r';
export const HANDS: readonly HandSide[] = ['l', 'r'];
export const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;

export interface Placed {
  readonly point: Vector3;
  readonly turn: Quaternion;
}

/** Rotation whose x axis is `a` and whose z axis leans to `b`. */
export function frameOf(a: Vector3, b: Vector3): Quaternion {
  const x = a.clone().normalize();
  const y = b.clone().cross(x).normalize();
  const z = x.clone().cross(y);
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}

export class Skeleton {
  readonly home: Vector3;
  private readonly bones = new Map<string, Bone>();
  private readonly resting = new Map<string, Vector3>();
  private readonly morphs = new Map<string, { mesh: Mesh; index: number }[]>();
  private readonly euler = new Euler();

  /** The root stands with its soles on its origin. */
  constructor(readonly root: Object3D) {
    this.home = root.position.clone();
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
    for (const [name, index] of Object.entries(mesh.morphTargetDictionary ?? {})) {
      this.morphs.set(name, [...(this.morphs.get(name) ?? []), { mesh, index }]);
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

  turn(name: string, x = 0, y = 0, z = 0): void {
    this.bone(name).quaternion.setFromEuler(this.euler.set(x, y, z, 'YXZ'));
  }

  morph(name: string, value: number): void {
    for (const { mesh, index } of this.morphs.get(name) ?? []) {
      if (mesh.morphTargetInfluences !== undefined) mesh.morphTargetInfluences[index] = value;
    }
  }

  /** Where a bone is now, model space. */
  placed(name: string): Placed {
    const chain: Bone[] = [];
    for (let bone: Object3D | null = this.bone(name); bone instanceof Bone; bone = bone.parent) chain.push(bone);
    const point = new Vector3();
    const turn = new Quaternion();
    const step = new Vector3();
    for (let i = chain.length - 1; i >= 0; i--) {
      point.add(step.copy(chain[i]!.position).applyQuaternion(turn));
      turn.multiply(chain[i]!.quaternion);
    }
    return { point, turn };
  }
}
