/** All places on the table, in metres. The patron looks along -z; the felt lies at y = FELT_Y; x < 0 is the patron's left. */

import type { Area, Side } from './view';

export const FELT_Y = 0.93;

/** The betting areas and the front edge of the felt are arcs around this centre. */
export const ARC_CENTRE = { x: 0, z: -1.1 } as const;
/** The felt ends here: z = .515 in the middle. */
export const FELT_RADIUS = 1.615;
/** The betting band: its border on the dealer's side, and on the patron's. */
export const BAND_INNER = 1.235;
export const BAND_OUTER = 1.48;

const degrees = (value: number): number => (value * Math.PI) / 180;

export interface AreaShape {
  /** Angles of the left and the right border; 0 points at the patron. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly odds: string;
  readonly tint: string;
}

export const AREA_NAMES: readonly Area[] = ['player', 'tie', 'banker'];

export const AREAS: Readonly<Record<Area, AreaShape>> = {
  player: { from: degrees(-20.2), to: degrees(-5.6), label: 'PLAYER', odds: '1 TO 1', tint: '#5b93ff' },
  tie: { from: degrees(-5), to: degrees(5), label: 'TIE', odds: '8 TO 1', tint: '#4fd08f' },
  banker: { from: degrees(5.6), to: degrees(20.2), label: 'BANKER', odds: '1 TO 1 LESS 5%', tint: '#ff6a5e' },
};

export interface Spot {
  readonly x: number;
  readonly z: number;
}

/** A point on the arcs. */
export const polar = (angle: number, radius: number): Spot => ({
  x: ARC_CENTRE.x + Math.sin(angle) * radius,
  z: ARC_CENTRE.z + Math.cos(angle) * radius,
});

/** A point of an area: u runs from its left border to its right one, v from the dealer's side to the patron's. */
export function inArea(area: Area, u: number, v: number): Spot {
  const { from, to } = AREAS[area];
  return polar(from + (to - from) * u, BAND_INNER + (BAND_OUTER - BAND_INNER) * v);
}

/** The area that a point of the felt lies in. */
export function areaOf({ x, z }: Spot): Area | null {
  const dx = x - ARC_CENTRE.x;
  const dz = z - ARC_CENTRE.z;
  const radius = Math.hypot(dx, dz);
  if (radius < BAND_INNER || radius > BAND_OUTER) return null;
  const angle = Math.atan2(dx, dz);
  return AREA_NAMES.find((area) => angle >= AREAS[area].from && angle <= AREAS[area].to) ?? null;
}

/** The border of an area, clockwise as the patron sees it, from its far left corner. */
export function areaBorder(area: Area, steps = 8): Spot[] {
  const along = (v: number): Spot[] => Array.from({ length: steps + 1 }, (_, i) => inArea(area, i / steps, v));
  return [...along(0), ...along(1).reverse()];
}

/** 102 x 143 mm: a jumbo card, because the eye is 2 m away. */
export const CARD = { width: 0.102, height: 0.143, thickness: 0.0017, corner: 0.008 } as const;

export interface CardPlace extends Spot {
  /** Turned around the vertical; a third card lies across. */
  readonly yaw: number;
}

const HAND_Z = -0.034;

/** First, second and third card of both hands. */
export const CARD_PLACES: Readonly<Record<Side, readonly CardPlace[]>> = {
  player: [
    { x: -0.221, z: HAND_Z, yaw: 0 },
    { x: -0.113, z: HAND_Z, yaw: 0 },
    { x: -0.35, z: HAND_Z + 0.004, yaw: Math.PI / 2 },
  ],
  banker: [
    { x: 0.113, z: HAND_Z, yaw: 0 },
    { x: 0.221, z: HAND_Z, yaw: 0 },
    { x: 0.35, z: HAND_Z + 0.004, yaw: -Math.PI / 2 },
  ],
};

/** The printed box of the Banker hand; the Player's is its mirror. */
export const HAND_BOX = { left: 0.05, right: 0.434, far: -0.116, near: 0.048 } as const;

export const CHIP = { radius: 0.024, height: 0.0068 } as const;
export const TRAY = { x: 0, z: -0.262, width: 0.56, depth: 0.115 } as const;
export const SHOE = { x: 0.605, z: -0.235, yaw: -1.12, scale: 1.08 } as const;
export const DISCARD = { x: -0.635, z: -0.2, yaw: 0.36 } as const;
export const SIGN = { x: -0.435, z: -0.262, yaw: 0.1 } as const;

/** Where a card leaves the shoe, and the direction in which it does. */
export const SHOE_WAY = { x: Math.sin(SHOE.yaw), z: Math.cos(SHOE.yaw) } as const;
const mouth = 0.13 * SHOE.scale;
export const SHOE_MOUTH: Spot = { x: SHOE.x + SHOE_WAY.x * mouth, z: SHOE.z + SHOE_WAY.z * mouth };
