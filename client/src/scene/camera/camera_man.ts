/** The camera: pushes in for the deal, keeps the table between the free rows, and knows where things are on the screen. */

import { PerspectiveCamera, Raycaster, Vector2, Vector3 } from 'three';
import { easeInOut, progress, PUSH_MS } from '../craft/ease';
import { areaOf, FELT_Y } from '../layout';
import type { CoupTimes } from '../timeline';
import type { Area, ScreenPoint } from '../view';
import { direct, type Direction, tableView } from './direction';
import { type FreeRows, fitLens, screenShape, type Size, standAt } from './lens';

/** Between two frames that lie so far apart, nobody watched: the camera cuts. */
const WATCHED_MS = 400;

export class CameraMan {
  readonly camera = new PerspectiveCamera(40, 1, 0.05, 20);
  private size: Size = { width: 1, height: 1 };
  private free: FreeRows = { top: 0, bottom: 1 };
  /** Where it wants to be, and where it is. */
  private readonly goal = tableView();
  private readonly shown = tableView();
  private coup: CoupTimes | null = null;
  private steady = false;
  /** What was left between goal and camera when another coup, or none, was shown; it melts away over one push. */
  private readonly rest = tableView();
  private restSinceMs = Number.NEGATIVE_INFINITY;
  private lastMs: number | null = null;
  private readonly aimed = tableView();
  private stale = true;
  private readonly point = new Vector3();
  private readonly pointer = new Vector2();
  private readonly ray = new Raycaster();

  resize(size: Size, free: FreeRows): void {
    this.size = size;
    this.free = free;
    this.aim();
  }

  /** Goes where coup and moment want it; answers whether it has moved since the last frame. `cut`: without travel. */
  frame(coup: CoupTimes | null, ms: number, nowUtcMs: number, steady: boolean, cut: boolean): boolean {
    const { shown, rest, goal } = this;
    direct(coup, ms, goal, steady);
    const passed = this.lastMs === null ? Number.POSITIVE_INFINITY : nowUtcMs - this.lastMs;
    const watched = !cut && passed >= 0 && passed <= WATCHED_MS;
    this.lastMs = nowUtcMs;
    if (!watched) this.restSinceMs = Number.NEGATIVE_INFINITY;
    else if (coup !== this.coup || steady !== this.steady) {
      rest.dealing = shown.dealing - goal.dealing;
      rest.result = shown.result - goal.result;
      rest.side = shown.side * shown.result - goal.side * goal.result;
      this.restSinceMs = nowUtcMs - passed;
    }
    this.coup = coup;
    this.steady = steady;
    const left = 1 - easeInOut(progress(nowUtcMs, this.restSinceMs, PUSH_MS));
    shown.dealing = goal.dealing + rest.dealing * left;
    shown.result = goal.result + rest.result * left;
    const aside = goal.side * goal.result + rest.side * left;
    shown.side = shown.result > 1e-6 ? aside / shown.result : 0;
    const moved = this.stale || distance(shown, this.aimed) > 1e-5;
    if (moved) this.aim();
    this.stale = false;
    return moved;
  }

  private aim(): void {
    const { camera, size, free, shown, aimed } = this;
    aimed.dealing = shown.dealing;
    aimed.result = shown.result;
    aimed.side = shown.side;
    this.stale = true;
    const stand = standAt(screenShape(size), shown);
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

const distance = (one: Direction, other: Direction): number =>
  Math.abs(one.dealing - other.dealing) +
  Math.abs(one.result - other.result) +
  Math.abs(one.side * one.result - other.side * other.result);
