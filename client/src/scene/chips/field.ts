/** Chips: one lathed geometry, one texture for all values, one instanced mesh for all that stand on the felt. */

import {
  DynamicDrawUsage,
  Euler,
  InstancedBufferAttribute,
  InstancedMesh,
  LatheGeometry,
  Matrix4,
  Quaternion,
  Vector2,
  Vector3,
} from 'three';
import { cellOffset, type Grid, useAtlas } from '../craft/atlas';
import { textureOf } from '../craft/paint';
import type { Surface, Surfaces } from '../craft/surfaces';
import { CHIP } from '../layout';
import { CHIP_CELL, chipPicture, TOP_SHARE } from './art';
import type { ChipValue } from './values';

const GRID: Grid = { columns: 4, rows: 2 };

export function chipMaterial(surfaces: Surfaces): Surface {
  const map = textureOf(chipPicture(GRID.columns, GRID.rows), { anisotropy: surfaces.anisotropy });
  const material = surfaces.of({ colour: '#ffffff', roughness: 0.42, mirror: 0.8, map });
  useAtlas(material, GRID);
  return material;
}

/** In a cell of the texture the round top stands above a strip with the edge. No bottom: it is never seen. */
function chipGeometry(segments: number): LatheGeometry {
  const { radius, height } = CHIP;
  const bevel = 0.0009;
  const profile = [
    [radius, -height / 2],
    [radius, height / 2 - bevel],
    [radius - bevel, height / 2 - 0.0002],
    [radius * 0.8, height / 2],
    [0, height / 2],
  ].map(([x, y]) => new Vector2(x, y));
  const geometry = new LatheGeometry(profile, segments);
  const position = geometry.getAttribute('position');
  const uv = geometry.getAttribute('uv');
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
    if (Math.hypot(x, z) > radius - 0.0001) uv.setXY(i, uv.getX(i), (y > 0 ? 0.97 : 0.03) * (1 - TOP_SHARE));
    else uv.setXY(i, 0.5 + (x / radius) * 0.5, 1 - TOP_SHARE + TOP_SHARE * (0.5 - (z / radius) * 0.5));
  }
  return geometry;
}

export class ChipField {
  readonly mesh: InstancedMesh;
  /** Of the chips that are put from now on: 0 in colour … 1 grey. */
  grey = 0;
  private readonly cells: InstancedBufferAttribute;
  private readonly greys: InstancedBufferAttribute;
  private readonly most: number;
  private readonly matrix = new Matrix4();
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly euler = new Euler();
  private readonly size = new Vector3();

  constructor(material: Surface, most: number, segments: number, castShadow: boolean) {
    this.most = most;
    const geometry = chipGeometry(segments);
    this.cells = new InstancedBufferAttribute(new Float32Array(most * 2), 2);
    this.cells.setUsage(DynamicDrawUsage);
    geometry.setAttribute('cell', this.cells);
    this.greys = new InstancedBufferAttribute(new Float32Array(most), 1);
    this.greys.setUsage(DynamicDrawUsage);
    geometry.setAttribute('grey', this.greys);
    this.mesh = new InstancedMesh(geometry, material, most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.count = 0;
    this.mesh.castShadow = castShadow;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  clear(): void {
    this.mesh.count = 0;
  }

  /** `lean` tips the chip on its edge, as in the tray. */
  put(value: ChipValue, x: number, y: number, z: number, yaw: number, scale: number, lean = 0): void {
    if (scale <= 0 || this.mesh.count >= this.most) return;
    const i = this.mesh.count++;
    this.euler.set(lean, 0, 0);
    this.rotation.setFromEuler(this.euler).multiply(spin.setFromAxisAngle(UP, yaw));
    this.matrix.compose(this.position.set(x, y, z), this.rotation, this.size.setScalar(scale));
    this.mesh.setMatrixAt(i, this.matrix);
    const offset = OFFSETS[CHIP_CELL[value]]!;
    this.cells.setXY(i, offset[0], offset[1]);
    this.greys.setX(i, this.grey);
  }

  upload(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.cells.needsUpdate = true;
    this.greys.needsUpdate = true;
  }
}

const UP = new Vector3(0, 1, 0);
const spin = new Quaternion();
const OFFSETS = Array.from({ length: GRID.columns * GRID.rows }, (_, cell) => cellOffset(cell, GRID));
