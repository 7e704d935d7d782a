/** The camera: pushes in for the deal, keeps the table between the free rows, and knows where things are on the screen. */

import { PerspectiveCamera, Raycaster, Vector2, Vector3 } from 'three';
import { easeInOut, progress, PUSH_MS } from '../craft/ease';
import { areaOf, FELT_Y } from '../layout';
import type { Area, ScreenPoint } from '../view';
import { type FreeRows, fitLens, type Moment, screenShape, type Size, standAt } from './lens';

interface Push {
  readonly from: number;
  readonly to: number;
  startedMs: number | null;
}

export class CameraMan {
  readonly camera = new PerspectiveCamera(40, 1, 0.05, 20);
  private size: Size = { width: 1, height: 1 };
  private free: FreeRows = { top: 0, bottom: 1 };
  /** 0 betting … 1 dealing; null before the first look. */
  private closeness: number | null = null;
  private push: Push | null = null;
  private readonly point = new Vector3();
  private readonly pointer = new Vector2();
  private readonly ray = new Raycaster();

  resize(size: Size, free: FreeRows): void {
    this.size = size;
    this.free = free;
    this.aim();
  }

  /** The first moment is taken at once, later ones with a push. */
  go(moment: Moment, still: boolean): void {
    const goal = moment === 'dealing' ? 1 : 0;
    if (this.closeness === null || still) {
      this.closeness = goal;
      this.push = null;
      this.aim();
    } else if ((this.push?.to ?? this.closeness) !== goal) {
      this.push = { from: this.closeness, to: goal, startedMs: null };
    }
  }

  frame(nowUtcMs: number): void {
    const { push } = this;
    if (push === null) return;
    push.startedMs ??= nowUtcMs;
    const u = nowUtcMs < push.startedMs ? 1 : progress(nowUtcMs, push.startedMs, PUSH_MS);
    this.closeness = push.from + (push.to - push.from) * easeInOut(u);
    if (u >= 1) this.push = null;
    this.aim();
  }

  private aim(): void {
    const { camera, size, free } = this;
    const stand = standAt(screenShape(size), this.closeness ?? 0);
    const lens = fitLens(stand, size, free);
    camera.position.set(...stand.position);
    camera.lookAt(...stand.target);
    camera.aspect = size.width / size.height;
    camera.fov = lens.fov;
    camera.setViewOffset(size.width, size.height, 0, lens.shiftPx, size.width, size.height);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  project(x: number, y: number, z: number): ScreenPoint {
    const seen = this.point.set(x, y, z).project(this.camera);
    return { x: ((seen.x + 1) / 2) * this.size.width, y: ((1 - seen.y) / 2) * this.size.height };
  }

  /** The area on the felt under a point of the screen. */
  areaAt(x: number, y: number): Area | null {
    this.pointer.set((x / this.size.width) * 2 - 1, 1 - (y / this.size.height) * 2);
    this.ray.setFromCamera(this.pointer, this.camera);
    const { origin, direction } = this.ray.ray;
    const distance = (FELT_Y - origin.y) / direction.y;
    if (!(distance > 0)) return null;
    return areaOf({ x: origin.x + direction.x * distance, z: origin.z + direction.z * distance });
  }
}
