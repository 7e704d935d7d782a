/**
 * Where the camera stands, per shape of the screen and moment. Field of view and shift are not fixed: they follow from
 * the rows of pixels that the HUD leaves free. The dealer's hair touches the first, the patron's edge of the areas the
 * last, and all three areas fit the width. So one rule serves a 667 x 375 phone and a 1920 x 1080 screen. Pure.
 */

import { mix } from '../craft/ease';
import type { Direction } from './direction';
import { AREAS, ARC_CENTRE, BAND_OUTER, FELT_Y, polar } from '../layout';

export type Vec3 = readonly [number, number, number];
export type ScreenShape = 'desktop' | 'upright' | 'lying';
export type Moment = 'betting' | 'dealing' | 'result';

export interface Stand {
  readonly position: Vec3;
  readonly target: Vec3;
  /** Top of the dealer's hair, which the free rows must include. */
  readonly hair: Vec3;
}

export interface Lens {
  /** Vertical field of view, degrees. */
  readonly fov: number;
  /** Rows by which the picture is moved up. */
  readonly shiftPx: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface FreeRows {
  readonly top: number;
  readonly bottom: number;
}

/** She leans in at the result: her hair is lower, and the camera closer. */
const HAIR: Readonly<Record<Moment, Vec3>> = {
  betting: [0, 1.58, -0.6],
  dealing: [0, 1.575, -0.6],
  result: [0, 1.565, -0.59],
};
const stand = (moment: Moment, position: Vec3, target: Vec3): Stand => ({ position, target, hair: HAIR[moment] });

const STANDS: Readonly<Record<ScreenShape, Readonly<Record<Moment, Stand>>>> = {
  desktop: {
    betting: stand('betting', [0, 2.06, 1.52], [0, 1.045, -0.155]),
    dealing: stand('dealing', [0, 2.05, 1.425], [0, 1.045, -0.155]),
    result: stand('result', [0, 2.1, 1.3], [0, 1.03, -0.145]),
  },
  upright: {
    betting: stand('betting', [0, 2.86, 2.0], [0, 1.0, -0.12]),
    dealing: stand('dealing', [0, 2.84, 1.88], [0, 1.0, -0.12]),
    result: stand('result', [0, 2.9, 1.72], [0, 0.99, -0.11]),
  },
  lying: {
    betting: stand('betting', [0, 2.06, 1.52], [0, 1.045, -0.155]),
    dealing: stand('dealing', [0, 2.05, 1.42], [0, 1.04, -0.155]),
    result: stand('result', [0, 2.1, 1.31], [0, 1.03, -0.145]),
  },
};

export function screenShape({ width, height }: Size): ScreenShape {
  if (width / height < 0.8) return 'upright';
  return height < 520 ? 'lying' : 'desktop';
}

/** Metres by which camera and target move towards the winner's side. */
const ASIDE = 0.045;

/** The stand at which a director wants the camera: between the table view, the deal and the result. */
export function standAt(shape: ScreenShape, { dealing, result, side }: Direction): Stand {
  const stands = STANDS[shape];
  const aside = shape === 'upright' ? 0 : ASIDE * side * result;
  return aim(aim(stands.betting, stands.dealing, dealing), stands.result, result, aside);
}

function aim(from: Stand, to: Stand, u: number, aside = 0): Stand {
  const along = (a: Vec3, b: Vec3, x = 0): Vec3 => [mix(a[0], b[0], u) + x, mix(a[1], b[1], u), mix(a[2], b[2], u)];
  return {
    position: along(from.position, to.position, aside),
    target: along(from.target, to.target, aside),
    hair: along(from.hair, to.hair),
  };
}

/** Tangents of the angles, right and up of the line of sight, under which a point is seen. The camera never rolls. */
export function tangents(stand: Stand, point: Vec3): { x: number; y: number } {
  const forward = Math.hypot(stand.target[2] - stand.position[2], stand.target[0] - stand.position[0]);
  const pitch = Math.atan2(stand.position[1] - stand.target[1], forward);
  const dx = point[0] - stand.position[0];
  const dy = point[1] - stand.position[1];
  const dz = stand.position[2] - point[2];
  const depth = dz * Math.cos(pitch) - dy * Math.sin(pitch);
  return { x: dx / depth, y: (dy * Math.cos(pitch) + dz * Math.sin(pitch)) / depth };
}

const FRONT: Vec3 = [ARC_CENTRE.x, FELT_Y, ARC_CENTRE.z + BAND_OUTER];
const corner = polar(AREAS.banker.to, BAND_OUTER);
const CORNER: Vec3 = [corner.x, FELT_Y, corner.z];
/** Pixels between the outer corner of an area and the side of the screen. */
const MARGIN = 3;
/** Of rows left over because the width decides, this share goes above the dealer. */
const SLACK_ABOVE = 0.35;

export function fitLens(stand: Stand, { width, height }: Size, { top, bottom }: FreeRows): Lens {
  const hair = tangents(stand, stand.hair).y;
  const front = tangents(stand, FRONT).y;
  const rows = Math.max(40, bottom - top);
  const widest = tangents(stand, [stand.position[0] + CORNER[0] + Math.abs(stand.position[0]), CORNER[1], CORNER[2]]).x;
  const pxPerTangent = Math.min(rows / (hair - front), (width / 2 - MARGIN) / widest);
  const slack = rows - pxPerTangent * (hair - front);
  return {
    fov: (2 * Math.atan(height / 2 / pxPerTangent) * 180) / Math.PI,
    shiftPx: height / 2 - pxPerTangent * hair - (top + slack * SLACK_ABOVE),
  };
}

/** Row and column at which a point is seen, CSS pixels. */
export function seenAt(stand: Stand, lens: Lens, { width, height }: Size, point: Vec3): { x: number; y: number } {
  const pxPerTangent = height / 2 / Math.tan((lens.fov * Math.PI) / 360);
  const { x, y } = tangents(stand, point);
  return { x: width / 2 + x * pxPerTangent, y: height / 2 - lens.shiftPx - y * pxPerTangent };
}
