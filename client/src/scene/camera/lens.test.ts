import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { ARC_CENTRE, AREAS, BAND_OUTER, FELT_Y, polar } from '../layout';
import { type Direction, tableView } from './direction';
import {
  fitLens,
  type FreeRows,
  type Lens,
  screenShape,
  seenAt,
  type Size,
  type Stand,
  standAt,
  type Vec3,
} from './lens';

const SCREENS: readonly (readonly [Size, FreeRows])[] = [
  [
    { width: 1920, height: 1080 },
    { top: 15, bottom: 880 },
  ],
  [
    { width: 1280, height: 720 },
    { top: 10, bottom: 585 },
  ],
  [
    { width: 390, height: 844 },
    { top: 108, bottom: 558 },
  ],
  [
    { width: 844, height: 390 },
    { top: 4, bottom: 328 },
  ],
  [
    { width: 360, height: 640 },
    { top: 108, bottom: 380 },
  ],
];
const DIRECTIONS: readonly Direction[] = [
  tableView(),
  { dealing: 0.5, result: 0, side: 1 },
  { dealing: 1, result: 0, side: 1 },
  ...[-1, 0, 1].map((side) => ({ dealing: 1, result: 1, side })),
  { dealing: 0.4, result: 0.4, side: -1 },
];
const front: Vec3 = [0, FELT_Y, ARC_CENTRE.z + BAND_OUTER];
const outer = polar(AREAS.banker.to, BAND_OUTER);

describe('the lens', () => {
  it('knows the shape of a screen', () => {
    expect(SCREENS.map(([size]) => screenShape(size))).toEqual(['desktop', 'desktop', 'upright', 'lying', 'upright']);
  });

  it.each(SCREENS)('keeps the dealer and all areas between the free rows of %o', (size, free) => {
    for (const direction of DIRECTIONS) {
      const stand = standAt(screenShape(size), direction);
      const lens = fitLens(stand, size, free);
      expect(seenAt(stand, lens, size, stand.hair).y).toBeGreaterThanOrEqual(free.top - 0.01);
      expect(seenAt(stand, lens, size, front).y).toBeLessThanOrEqual(free.bottom + 0.01);
      expect(seenAt(stand, lens, size, [outer.x, FELT_Y, outer.z]).x).toBeLessThanOrEqual(size.width - 3 + 0.01);
      expect(seenAt(stand, lens, size, [-outer.x, FELT_Y, outer.z]).x).toBeGreaterThanOrEqual(3 - 0.01);
    }
  });

  it('has the numbers of the look guide', () => {
    const betting = fitLens(standAt('desktop', tableView()), { width: 1280, height: 720 }, { top: 10, bottom: 587 });
    expect(betting.fov).toBeCloseTo(39.6, 0);
    expect(betting.shiftPx / 720).toBeCloseTo(0.022, 2);
  });

  it('sees points where three.js does', () => {
    const [size, free] = SCREENS[2]!;
    const stand = standAt('upright', { dealing: 1, result: 0, side: 0 });
    const lens = fitLens(stand, size, free);
    const point: Vec3 = [0.3, FELT_Y, 0.1];
    const { x, y } = threeSees(stand, lens, size, point);
    expect(seenAt(stand, lens, size, point).x).toBeCloseTo(x, 3);
    expect(seenAt(stand, lens, size, point).y).toBeCloseTo(y, 3);
  });
});

function threeSees(stand: Stand, lens: Lens, { width, height }: Size, point: Vec3): { x: number; y: number } {
  const camera = new PerspectiveCamera(lens.fov, width / height, 0.05, 20);
  camera.position.set(...stand.position);
  camera.lookAt(...stand.target);
  camera.setViewOffset(width, height, 0, lens.shiftPx, width, height);
  camera.updateMatrixWorld();
  const seen = new Vector3(...point).project(camera);
  return { x: ((seen.x + 1) / 2) * width, y: ((1 - seen.y) / 2) * height };
}
