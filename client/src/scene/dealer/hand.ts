/**
 * What a hand is asked to do, as plain numbers that can be mixed: where its working point is (metres, world space), how
 * it is turned, and how it is held. The angles are a hand's own, so both hands read alike and every mixture of two
 * turns is a turn that a wrist can make:
 *   yaw    which way the fingers point, 0 at the patron, positive inwards, across the body
 *   pitch  positive: fingers down
 *   roll   0 palm down, a quarter turn: palm inwards and thumb up, a half turn: palm up
 */

import { GRIP_PARTS, type Grip } from './grips';

export type HandTarget = Float64Array;

export const YAW = 3;
export const PITCH = 4;
export const ROLL = 5;
export const GRIP = 6;
export const HAND_NUMBERS = GRIP + GRIP_PARTS;

export const handTarget = (): HandTarget => new Float64Array(HAND_NUMBERS);

export function setPlace(out: HandTarget, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

export function setTurn(out: HandTarget, yaw: number, pitch: number, roll: number): void {
  out[YAW] = yaw;
  out[PITCH] = pitch;
  out[ROLL] = roll;
}

export function setGrip(out: HandTarget, grip: Grip): void {
  for (let i = 0; i < GRIP_PARTS; i++) out[GRIP + i] = grip[i]!;
}

/** Fingers open and close a little ahead of the way. */
const GRIP_AHEAD = 1.12;

/** `u` of the way from `out` to `to`, into `out`; `gripU` moves ahead of it. */
export function mixHands(out: HandTarget, to: HandTarget, u: number, gripU: number): void {
  for (let i = 0; i < GRIP; i++) out[i] = out[i]! + (to[i]! - out[i]!) * u;
  for (let i = GRIP; i < HAND_NUMBERS; i++) out[i] = out[i]! + (to[i]! - out[i]!) * gripU;
}

export const gripShare = (share: number): number => Math.min(1, share * GRIP_AHEAD);
