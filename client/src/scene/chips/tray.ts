/** The house's tray, full of chips. */

import { BoxGeometry, ExtrudeGeometry, Path, Shape } from 'three';
import type { Batch } from '../craft/batch';
import type { Surfaces } from '../craft/surfaces';
import { CHIP, FELT_Y, TRAY } from '../layout';
import type { ChipField } from './field';
import { CHIP_VALUES, type ChipValue } from './values';

const [HUGE, LARGE, THOUSAND, FIVE_HUNDRED, HUNDRED, SMALL] = CHIP_VALUES;
/** Values from the patron's left, and how many chips lie in each column. */
const COLUMNS: readonly (readonly [ChipValue, number])[] = [
  [HUGE, 11],
  [LARGE, 14],
  [LARGE, 12],
  [THOUSAND, 14],
  [THOUSAND, 13],
  [FIVE_HUNDRED, 14],
  [FIVE_HUNDRED, 10],
  [HUNDRED, 14],
  [HUNDRED, 12],
  [SMALL, 14],
];
export const TRAY_CHIPS = COLUMNS.reduce((sum, [, count]) => sum + count, 0);
const PITCH = TRAY.width / COLUMNS.length;

export function buildTray(batch: Batch, surfaces: Surfaces, chips: ChipField): void {
  const tray = batch.within({ at: [TRAY.x, FELT_Y, TRAY.z] });
  const rim = roundedRectangle(new Shape(), TRAY.width / 2 + 0.014, TRAY.depth / 2 + 0.012, 0.012);
  rim.holes.push(roundedRectangle(new Path(), TRAY.width / 2, TRAY.depth / 2, 0.005));
  const rimGeometry = new ExtrudeGeometry(rim, {
    depth: 0.012,
    bevelEnabled: true,
    bevelSize: 0.002,
    bevelThickness: 0.002,
    bevelSegments: 2,
    curveSegments: 6,
  });
  tray.add(rimGeometry, surfaces.brass, { turn: [-Math.PI / 2, 0, 0] });
  tray.add(new BoxGeometry(TRAY.width, 0.003, TRAY.depth), surfaces.lacquer, { at: [0, 0.002, 0] });
  for (let i = 1; i < COLUMNS.length; i++) {
    tray.add(new BoxGeometry(0.003, 0.016, TRAY.depth), surfaces.lacquer, {
      at: [-TRAY.width / 2 + i * PITCH, 0.009, 0],
    });
  }
  COLUMNS.forEach(([value, count], column) => {
    const x = TRAY.x - TRAY.width / 2 + (column + 0.5) * PITCH;
    for (let i = 0; i < count; i++) {
      const z = TRAY.z - TRAY.depth / 2 + 0.008 + i * CHIP.height * 1.03;
      chips.put(value, x, FELT_Y + 0.0165, z, (i * 2.4 + column) % 6.28, 1, Math.PI / 2 - 0.1);
    }
  });
  chips.upload();
}

function roundedRectangle<T extends Path>(path: T, halfWidth: number, halfDepth: number, corner: number): T {
  const [a, b] = [halfWidth, halfDepth];
  path.moveTo(-a + corner, -b);
  path.lineTo(a - corner, -b);
  path.quadraticCurveTo(a, -b, a, -b + corner);
  path.lineTo(a, b - corner);
  path.quadraticCurveTo(a, b, a - corner, b);
  path.lineTo(-a + corner, b);
  path.quadraticCurveTo(-a, b, -a, b - corner);
  path.lineTo(-a, -b + corner);
  path.quadraticCurveTo(-a, -b, -a + corner, -b);
  return path;
}
