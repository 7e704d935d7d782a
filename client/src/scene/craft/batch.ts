/** Collects the parts of props that never move and makes one mesh per material of them: a few draw calls for everything. */

import { type BufferGeometry, Euler, Group, Matrix4, Mesh, Quaternion, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Surface } from './surfaces';

export interface Placement {
  readonly at?: readonly [number, number, number];
  readonly turn?: readonly [number, number, number];
  readonly scale?: number;
}

export function matrixOf({ at = [0, 0, 0], turn = [0, 0, 0], scale = 1 }: Placement): Matrix4 {
  return new Matrix4().compose(
    new Vector3(...at),
    new Quaternion().setFromEuler(new Euler(...turn)),
    new Vector3(scale, scale, scale),
  );
}

const KEPT = new Set(['position', 'normal', 'uv']);

export class Batch {
  private readonly parts: Map<Surface, BufferGeometry[]>;

  constructor(
    private readonly frame = new Matrix4(),
    parts = new Map<Surface, BufferGeometry[]>(),
  ) {
    this.parts = parts;
  }

  /** The same batch, seen from a prop's own coordinates. */
  within(placement: Placement): Batch {
    return new Batch(this.frame.clone().multiply(matrixOf(placement)), this.parts);
  }

  /** Takes the geometry over. */
  add(geometry: BufferGeometry, material: Surface, placement: Placement = {}): void {
    const plain = geometry.index === null ? geometry : geometry.toNonIndexed();
    if (plain !== geometry) geometry.dispose();
    for (const name of Object.keys(plain.attributes)) if (!KEPT.has(name)) plain.deleteAttribute(name);
    plain.clearGroups();
    plain.applyMatrix4(this.frame.clone().multiply(matrixOf(placement)));
    const list = this.parts.get(material) ?? [];
    list.push(plain);
    this.parts.set(material, list);
  }

  build(name: string): Group {
    const group = new Group();
    group.name = name;
    for (const [material, parts] of this.parts) {
      const mesh = new Mesh(mergeGeometries(parts), material);
      for (const part of parts) part.dispose();
      mesh.castShadow = !material.transparent;
      mesh.receiveShadow = !material.transparent;
      group.add(mesh);
    }
    return group;
  }
}
