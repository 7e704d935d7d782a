/** What she does when nothing is to be done: stands, breathes, rests her hands, looks about. A function of the time alone. */

import { easeHand, scatter } from '../craft/ease';
import { FELT_Y } from '../layout';
import type { Sway } from './body';
import { GRIP, type HandTarget, setGrip, setPlace, setTurn } from './hand';
import { GRIPS } from './grips';
import type { HandSide } from './skeleton';

const REST = { x: 0.085, y: FELT_Y + 0.022, z: -0.352 } as const;
const REST_TURN = { yaw: 0.84, pitch: 0.2, roll: -0.06 } as const;

const FIDGET_SLOT_MS = 5_300;
const FIDGET_MS = 1_900;
const STROKE_M = 0.035;

/** A hand at rest on the rail: it lives a little, and now and then it does something small. */
export function restHand(side: HandSide, ms: number, out: HandTarget): void {
  const sign = side === 'l' ? 1 : -1;
  const channel = side === 'l' ? 3 : 4;
  const seconds = ms / 1000;
  const drift = Math.sin(seconds * 0.61 + channel) * 0.0016;
  setPlace(out, sign * (REST.x + drift), REST.y, REST.z + Math.sin(seconds * 0.43 + channel * 2) * 0.0014);
  setTurn(out, REST_TURN.yaw + drift * 6, REST_TURN.pitch, REST_TURN.roll);
  setGrip(out, GRIPS.relaxed);
  const slot = Math.floor(ms / FIDGET_SLOT_MS);
  const start = slot * FIDGET_SLOT_MS + 400 + 2_600 * scatter(slot, channel);
  const share = (ms - start) / FIDGET_MS;
  if (share <= 0 || share >= 1) return;
  const kind = scatter(slot, channel + 8);
  const swell = easeHand(share / 0.45) * easeHand((1 - share) / 0.45);
  if (kind < 0.22) tap(out, share, swell);
  else if (kind < 0.38) {
    out[0] = out[0]! + sign * STROKE_M * swell;
    out[3] = out[3]! - 0.16 * swell;
  } else if (kind < 0.5) {
    out[1] = out[1]! + 0.014 * swell;
    for (let finger = 0; finger < 4; finger++) out[GRIP + finger] = out[GRIP + finger]! + 0.22 * swell;
  }
}

/** One finger after the other. */
function tap(out: HandTarget, share: number, swell: number): void {
  for (let finger = 0; finger < 3; finger++) {
    const wave = Math.sin((share * 3 - finger * 0.17) * 2 * Math.PI);
    out[GRIP + finger] = out[GRIP + finger]! - 0.13 * swell * Math.max(0, wave) * Math.max(0, wave);
  }
}

const SHIFT_SLOT_MS = 8_700;
const SHIFT_MS = 1_700;
const SHIFT_M = 0.028;

/** Weight on one foot, then on the other; breath. */
export function stand(ms: number, still: boolean, out: Sway): void {
  const seconds = ms / 1000;
  if (still) {
    out.side = out.turn = out.breath = 0;
    return;
  }
  const slot = Math.floor(ms / SHIFT_SLOT_MS);
  const start = slot * SHIFT_SLOT_MS + 3_000 * scatter(slot, 21);
  const from = footed(slot - 1);
  out.side = from + (footed(slot) - from) * easeHand((ms - start) / SHIFT_MS) + Math.sin(seconds * 0.37) * 0.004;
  out.turn = Math.sin(seconds * 0.29 + 1) * 0.012 + out.side * 0.6;
  out.breath = Math.sin(seconds * 1.45) * 0.5 + 0.5;
}

const footed = (slot: number): number => (scatter(slot, 22) - 0.5) * SHIFT_M;

/** Where she looks: since when, the point in world space, smile, raised brows. */
export interface Glance {
  ms: number;
  x: number;
  y: number;
  z: number;
  smile: number;
  brow: number;
}

export const glance = (ms = 0, x = 0, y = 1.6, z = 1.6, smile = 0.66, brow = 0.48): Glance => ({
  ms,
  x,
  y,
  z,
  smile,
  brow,
});

export function copyGlance(from: Glance, out: Glance): void {
  out.ms = from.ms;
  out.x = from.x;
  out.y = from.y;
  out.z = from.z;
  out.smile = from.smile;
  out.brow = from.brow;
}

const GLANCE_SLOT_MS = 2_500;

/** The clock of the page stands left of her face, as the patron sees it. */
const CLOCK = glance(0, -1.25, 1.72, 1.15, 0.6, 0.5);
const PATRON = glance();
const SHOE = glance(0, 0.5, FELT_Y + 0.16, 0.12, 0.6, 0.44);
const OWN_HANDS = glance(0, 0, FELT_Y + 0.14, -0.02, 0.6, 0.4);

/** The glance of the slot that `ms` lies in, into `out`. */
export function idleGlance(ms: number, out: Glance): void {
  let slot = Math.floor(ms / GLANCE_SLOT_MS);
  if (ms < startOf(slot)) slot--;
  const kind = scatter(slot, 31);
  const at = kind < 0.44 ? PATRON : kind < 0.56 ? CLOCK : kind < 0.64 ? SHOE : kind < 0.7 ? OWN_HANDS : null;
  copyGlance(at ?? PATRON, out);
  out.ms = startOf(slot);
  if (at === null) {
    out.x = (scatter(slot, 32) - 0.5) * 0.8;
    out.y = FELT_Y + 0.12;
    out.z = 0.38 + scatter(slot, 33) * 0.2;
    out.smile = 0.62;
    out.brow = 0.42;
  } else if (at === PATRON) {
    out.x = (scatter(slot, 32) - 0.5) * 0.3;
    out.smile = 0.6 + 0.14 * scatter(slot, 34);
  }
}

const startOf = (slot: number): number => slot * GLANCE_SLOT_MS + 1_300 * scatter(slot, 30);
