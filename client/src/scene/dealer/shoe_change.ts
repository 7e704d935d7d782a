/** A new shoe: the spent pack goes below the table, a fresh one comes up and into the shoe. Pure; ms since it was brought. */

import { easeHand, mix } from '../craft/ease';
import { CARD, DISCARD, FELT_Y, SHOE } from '../layout';

/** Of a block of cards. */
export interface PackPose {
  visible: boolean;
  x: number;
  /** Of its middle. */
  y: number;
  z: number;
  yaw: number;
  height: number;
}

export const packPose = (): PackPose => ({ visible: false, x: 0, y: 0, z: 0, yaw: 0, height: 0 });

export const SHOE_CHANGE_MS = 5_000;
/** When which hands hold which pack, and when the last hand lies on the filled shoe. */
export const SPENT = { from: 850, lifts: 900, to: 1_950 } as const;
export const FRESH = { from: 2_500, comes: 2_150, to: 3_900 } as const;
export const PAT = { from: 4_250, to: 4_650 } as const;

export const SPENT_HEIGHT = 0.062;
export const FRESH_HEIGHT = 0.085;
/** Behind the dealer's edge of the table, out of sight. */
const BELOW_Y = 0.8;
const EDGE_Z = -0.46;
const HOLDER_FLOOR = FELT_Y + 0.012;
const IN_SHOE_Y = FELT_Y + 0.07;
const OVER_SHOE_Y = FELT_Y + 0.235;

/** 0 the spent cards are in the holder, 1 on their way, 2 gone, 3 the fresh ones are on their way, 4 in the shoe. */
export function changeStage(ms: number): 0 | 1 | 2 | 3 | 4 {
  if (ms < SPENT.lifts) return 0;
  if (ms < SPENT.to) return 1;
  if (ms < FRESH.comes) return 2;
  return ms < FRESH.to ? 3 : 4;
}

/** The pack that is in her hands, also just before and after. */
export function posePack(ms: number, out: PackPose): PackPose {
  const stage = changeStage(ms);
  out.visible = stage === 1 || stage === 3;
  if (ms < (SPENT.to + FRESH.comes) / 2) poseSpent(ms, out);
  else poseFresh(ms, out);
  return out;
}

function poseSpent(ms: number, out: PackPose): void {
  const lifted = easeHand((ms - SPENT.lifts) / 420);
  const carried = easeHand((ms - SPENT.lifts - 180) / 640);
  const sunk = easeHand((ms - SPENT.lifts - 560) / (SPENT.to - SPENT.lifts - 560));
  out.x = mix(DISCARD.x, -0.3, carried);
  out.z = mix(DISCARD.z, EDGE_Z, carried);
  out.y = HOLDER_FLOOR + SPENT_HEIGHT / 2 + 0.12 * lifted;
  out.y = mix(out.y, BELOW_Y, sunk);
  out.yaw = mix(DISCARD.yaw, 0, carried);
  out.height = SPENT_HEIGHT;
}

function poseFresh(ms: number, out: PackPose): void {
  const risen = easeHand((ms - FRESH.comes) / 720);
  const carried = easeHand((ms - FRESH.comes - 330) / 980);
  const sunk = easeHand((ms - FRESH.to + 520) / 500);
  out.x = mix(0.13, SHOE.x, carried);
  out.z = mix(EDGE_Z, SHOE.z, carried);
  out.y = mix(mix(BELOW_Y, OVER_SHOE_Y, risen), IN_SHOE_Y, sunk);
  out.yaw = mix(-Math.PI / 2, SHOE.yaw, carried);
  out.height = FRESH_HEIGHT;
}

/** From the middle of a pack to its ends. */
export const PACK_HALF = CARD.height / 2;
