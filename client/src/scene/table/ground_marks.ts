/** Flat marks on the felt, instanced: soft contact shadows, and the gold rings under the patron's own chips. */

import {
  type BufferGeometry,
  DynamicDrawUsage,
  InstancedMesh,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  RingGeometry,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { canvas, textureOf } from '../craft/paint';
import { CHIP, FELT_Y } from '../layout';

const UP = new Vector3(0, 1, 0);

/** A set of flat things that is written anew whenever it changes. */
export class GroundMarks {
  readonly mesh: InstancedMesh;
  private readonly most: number;
  private readonly height: number;
  private readonly matrix = new Matrix4();
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly size = new Vector3();

  constructor(geometry: BufferGeometry, material: Material, most: number, above: number) {
    this.most = most;
    this.height = FELT_Y + above;
    this.mesh = new InstancedMesh(geometry, material, most);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.clear();
  }

  clear(keep = 0): void {
    this.mesh.count = keep;
    this.mesh.visible = keep > 0;
  }

  put(x: number, z: number, width: number, depth: number, yaw = 0): void {
    if (this.mesh.count >= this.most || width <= 0) return;
    this.rotation.setFromAxisAngle(UP, yaw);
    this.matrix.compose(this.position.set(x, this.height, z), this.rotation, this.size.set(width, 1, depth));
    this.mesh.setMatrixAt(this.mesh.count++, this.matrix);
    this.mesh.visible = true;
  }

  upload(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** They ground the props in every tier, and are the only shadows in the low one. */
export function contactShadows(opacity: number): GroundMarks {
  const picture = canvas(64, 64, (pen, width) => {
    const fade = pen.createRadialGradient(32, 32, 8, 32, 32, 32);
    fade.addColorStop(0, 'rgba(0,0,0,1)');
    fade.addColorStop(0.55, 'rgba(0,0,0,.55)');
    fade.addColorStop(1, 'rgba(0,0,0,0)');
    pen.fillStyle = fade;
    pen.fillRect(0, 0, width, width);
  });
  const map = textureOf(picture);
  const material = new MeshBasicMaterial({ map, transparent: true, opacity, depthWrite: false });
  return new GroundMarks(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), material, 48, 0.0007);
}

const RING = { inner: CHIP.radius * 1.12, outer: CHIP.radius * 1.3 } as const;
const ringMaterial = (opacity: number): MeshBasicMaterial =>
  new MeshBasicMaterial({ color: '#f6cf7a', transparent: opacity < 1, opacity });

/** Under chips that are placed. */
export function solidRings(): GroundMarks {
  const geometry = new RingGeometry(RING.inner, RING.outer, 40).rotateX(-Math.PI / 2);
  return new GroundMarks(geometry, ringMaterial(1), 6, 0.0011);
}

/** Under chips that are only staged. */
export function dashedRings(): GroundMarks {
  const dashes = 12;
  const step = (2 * Math.PI) / dashes;
  const parts = Array.from(
    { length: dashes },
    (_, i) => new RingGeometry(RING.inner, RING.outer, 3, 1, i * step, step * 0.58),
  );
  return new GroundMarks(mergeGeometries(parts).rotateX(-Math.PI / 2), ringMaterial(0.85), 6, 0.0011);
}
