/** Where a stack is at a moment: it waits, travels to the tray or from it, and leaves. A function of the time alone. */

import { easeChip, easeHand, easePop, mix, span } from '../craft/ease';
import { ARC_CENTRE, CHIP, FELT_Y, TRAY } from '../layout';
import { type CoupTimes, passed } from '../timeline';
import type { Lead, PlannedStack } from './plan';
import { type ChipValue, SMALL_CHANGE } from './values';

/** Chips that have just come: those from `first` on, `u` of the way down. */
export interface Drop {
  readonly first: number;
  readonly u: number;
}

export type PutChip = (value: ChipValue, x: number, y: number, z: number, yaw: number, scale: number) => void;
/** Where a stack stands, for its shadow and ring; hidden when `scale` is 0. */
export interface StackPose {
  x: number;
  y: number;
  z: number;
  scale: number;
}

const LEAVE_Z = 0.42;

/** Shares of collecting: the hand lies on the stack, it draws, it is over the tray. Chips beside come along. */
export const COLLECTING = { held: 0.3, moves: 0.32, over: 0.94 } as const;
/** Shares of paying: cut out of the tray, on the way, beside the stake. */
export const PAYING = { held: 0.1, moves: 0.14, set: 0.78, let: 0.84 } as const;
/** From one stack of a row to the next. */
const ROW_STEP = 0.051;
/** Over the rim of the tray. */
const RIM = { y: 0.026, from: TRAY.z + 0.15, to: TRAY.z + 0.075 } as const;
const IN_TRAY_Y = 0.012;

/** Where a stack (`what` its stake or its win) stands at `ms` since the deal. */
export function poseStack(
  stack: PlannedStack,
  what: 'stake' | 'win',
  coup: CoupTimes | null,
  ms: number,
  out: StackPose,
  still = false,
): StackPose {
  const home = what === 'stake' ? stack.at : stack.winAt;
  out.x = home.x;
  out.y = FELT_Y + 0.0004;
  out.z = home.z;
  out.scale = what === 'stake' ? 1 : 0;
  if (coup === null || !stack.placed) return out;
  if (what === 'stake' && stack.fate === 'lost') toTray(out, stack.lead, passed(coup.collect, ms, still));
  if (what === 'win' && stack.winLead !== null) fromTray(out, stack.winLead, passed(coup.pay, ms, still));
  if (out.scale > 0) leave(out, passed(coup.clear, ms, still));
  return out;
}

const trayX = (x: number): number => TRAY.x + Math.max(-0.2, Math.min(0.2, x * 0.6));
const atTray = (lead: Lead): number => trayX(lead.at.x);

/** How high chips stand on their way over the rim of the tray. */
const rim = (z: number): number => RIM.y * easeHand((RIM.from - z) / (RIM.from - RIM.to));

function toTray(out: StackPose, lead: Lead, share: number): void {
  if (share <= 0) return;
  const drawn = easeHand((share - COLLECTING.moves) / (COLLECTING.over - COLLECTING.moves));
  const gathered = easeHand((share - 0.24) / 0.4);
  out.x = mix(out.x, mix(lead.at.x, atTray(lead), drawn) + lead.place * ROW_STEP, gathered);
  out.z = mix(out.z, mix(lead.at.z, TRAY.z, drawn), gathered);
  out.y += rim(out.z);
  const sunk = easeHand((share - COLLECTING.over) / (1 - COLLECTING.over));
  out.y -= (RIM.y - IN_TRAY_Y) * sunk;
  out.scale = share >= 1 ? 0 : 1 - sunk;
}

function fromTray(out: StackPose, lead: Lead, share: number): void {
  const drawn = easeHand((share - PAYING.moves) / (PAYING.set - PAYING.moves));
  const apart = easeHand((share - 0.5) / (PAYING.set - 0.5));
  out.x = mix(mix(atTray(lead), lead.at.x, drawn) + lead.place * ROW_STEP, out.x, apart);
  out.z = mix(mix(TRAY.z, lead.at.z, drawn), out.z, apart);
  out.y += rim(out.z);
  const cut = easeHand(share / PAYING.held);
  out.y -= (RIM.y - IN_TRAY_Y) * (1 - cut);
  out.scale = cut;
}

/** Back to the people at the rail, and out of sight there. */
function leave(out: StackPose, passedShare: number): void {
  if (passedShare <= 0) return;
  const u = easeHand(passedShare);
  const length = span(out.x - ARC_CENTRE.x, out.z - ARC_CENTRE.z);
  out.x += ((out.x - ARC_CENTRE.x) / length) * LEAVE_Z * u;
  out.z += ((out.z - ARC_CENTRE.z) / length) * LEAVE_Z * u;
  out.y += 0.07 * u;
  out.scale = Math.min(1, (1 - u) * 6);
}

/** The chip for small change, relative to the others. */
const SMALL_SIZE = 0.84;
const DROP_HEIGHT = 0.1;
const DROP_FROM_Z = 0.14;

/** Hands every chip of a stack to `put`, slightly out of line, always the same way. */
export function putChips(
  chips: readonly ChipValue[],
  pose: StackPose,
  seed: number,
  drop: Drop | null,
  put: PutChip,
): void {
  for (let i = 0; i < chips.length; i++) {
    const falling = drop !== null && i >= drop.first ? drop.u : 1;
    const above = falling < 1 ? DROP_HEIGHT * Math.abs(1 - easePop(falling)) : 0;
    const short = falling < 1 ? DROP_FROM_Z * (1 - easeChip(falling)) : 0;
    const top = i === chips.length - 1;
    const value = chips[i]!;
    put(
      value,
      pose.x + jitter(seed, i, 1) * 0.0018,
      pose.y + pose.scale * CHIP.height * (i + 0.5) + above,
      pose.z + jitter(seed, i, 2) * 0.0018 + short,
      jitter(seed, i, 3) * (top ? 0.5 : 6),
      value === SMALL_CHANGE ? pose.scale * SMALL_SIZE : pose.scale,
    );
  }
}

/** -0.5 … 0.5, the same for the same place in the same stack. */
function jitter(seed: number, index: number, channel: number): number {
  const wave = Math.sin(seed * 12.9898 + index * 78.233 + channel * 37.719) * 43758.5453;
  return wave - Math.floor(wave) - 0.5;
}

/** A repeatable number for a stack's name. */
export function seedOf(id: string): number {
  let seed = 7;
  for (const letter of id) seed = (seed * 31 + letter.charCodeAt(0)) % 997;
  return seed;
}
