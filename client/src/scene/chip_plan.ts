/** Which chips stand where, and where they travel when a coup is settled. Pure: three.js is not needed to say it. */

import { chipsFor, type ChipValue } from './chip_values';
import { clamp01, easeChip, easeInOut, easePop, mix } from './ease';
import { ARC_CENTRE, AREA_NAMES, CHIP, FELT_Y, inArea, type Spot, TRAY } from './layout';
import { type CoupTimes, passed } from './timeline';
import type { Area, SceneView } from './view';

export type Fate = 'lost' | 'won' | 'stays';

export interface PlannedStack {
  readonly id: string;
  readonly area: Area;
  readonly own: boolean;
  /** false: staged; such chips belong to the coup that comes, not to the one being shown. */
  readonly placed: boolean;
  /** From the bottom up. */
  readonly chips: readonly ChipValue[];
  readonly at: Spot;
  readonly fate: Fate;
  /** What the house sets beside a winning stack. */
  readonly win: readonly ChipValue[];
  readonly winAt: Spot;
}

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

const OWN_COLUMN = 10;
/** The Tie area has no room for a second column. */
const TOWER = 24;
const OTHERS_PILE = 5;
const OTHERS_MOST = 3 * OTHERS_PILE;
/** Places of the others' piles (u, v), and of what they win: behind the outer two. */
const OTHERS_PLACES: Readonly<Record<Area, readonly (readonly [number, number])[]>> = {
  player: [[0.19, 0.77], [0.81, 0.77], [0.3, 0.89]],
  tie: [[0.19, 0.78], [0.81, 0.78]],
  banker: [[0.81, 0.77], [0.19, 0.77], [0.7, 0.89]],
};
const BEHIND = 0.2;
const OWN: readonly [number, number] = [0.5, 0.765];
const BESIDE = 0.155;

export function planStacks(view: SceneView): PlannedStack[] {
  const outcome = view.deal?.outcome ?? null;
  return [
    ...view.mine.flatMap((stack) => {
      const { area, amountMinor, placed, returnedMinor } = stack;
      if (amountMinor <= 0) return [];
      const won = returnedMinor !== null && returnedMinor > amountMinor;
      const fate: Fate = won ? 'won' : returnedMinor === 0 ? 'lost' : 'stays';
      const win = won ? chipsFor(returnedMinor - amountMinor) : [];
      return ownStacks(area, placed, chipsFor(amountMinor), placed ? fate : 'stays', win);
    }),
    ...AREA_NAMES.flatMap((area) => othersStacks(area, view.others[area] ?? 0, othersFate(area, outcome))),
  ];
}

/** One column, or two behind one another when it would be a tower. */
function ownStacks(
  area: Area,
  placed: boolean,
  chips: readonly ChipValue[],
  fate: Fate,
  win: readonly ChipValue[],
): PlannedStack[] {
  const [u, v] = OWN;
  const narrow = area === 'tie';
  const column = narrow ? TOWER : OWN_COLUMN;
  return [0, 1].flatMap((row) => {
    const part = chips.slice(row * column, (row + 1) * column);
    const winPart = win.slice(row * column, (row + 1) * column);
    if (part.length === 0 && winPart.length === 0) return [];
    const back = v - row * BEHIND;
    const winAt = narrow ? inArea(area, u, v - BEHIND) : inArea(area, u + BESIDE, back);
    const id = `mine-${area}-${row}`;
    return [{ id, area, own: true, placed, chips: part, at: inArea(area, u, back), fate, win: winPart, winAt }];
  });
}

function othersStacks(area: Area, amountMinor: number, fate: Fate): PlannedStack[] {
  const chips = chipsFor(amountMinor, OTHERS_MOST);
  const places = OTHERS_PLACES[area];
  const most = Math.ceil(OTHERS_MOST / places.length);
  return places.flatMap(([u, v], pile) => {
    const part = chips.slice(pile * most, (pile + 1) * most);
    if (part.length === 0) return [];
    const winAt = pile < 2 ? inArea(area, u, v - BEHIND) : inArea(area, u, v - 2 * BEHIND);
    const win = fate === 'won' ? part : [];
    return [{ id: `others-${area}-${pile}`, area, own: false, placed: true, chips: part, at: inArea(area, u, v), fate, win, winAt }];
  });
}

/** All that is known of the others: their total and where the coup ended. */
function othersFate(area: Area, outcome: Area | null): Fate {
  if (outcome === null || (outcome === 'tie' && area !== 'tie')) return 'stays';
  return area === outcome ? 'won' : 'lost';
}

const STAGGER = 0.3;
const LEAVE_Z = 0.42;

/** Share of collecting, or paying, after which an area's turn comes: from the patron's left to the right. */
export const lateShare = (area: Area): number => STAGGER * (AREA_NAMES.indexOf(area) / 2);

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
  const late = lateShare(stack.area);
  const part = (u: number): number => easeInOut(clamp01((u - late) / (1 - STAGGER)));
  if (what === 'stake' && stack.fate === 'lost') toTray(out, part(passed(coup.collect, ms, still)));
  if (what === 'win') fromTray(out, part(passed(coup.pay, ms, still)));
  if (out.scale > 0) leave(out, passed(coup.clear, ms, still));
  return out;
}

const trayX = (x: number): number => TRAY.x + Math.max(-0.2, Math.min(0.2, x * 0.6));

function toTray(out: StackPose, u: number): void {
  out.x = mix(out.x, trayX(out.x), u);
  out.z = mix(out.z, TRAY.z, u);
  out.y += 0.05 * Math.sin((u * Math.PI) / 2) * u;
  out.scale = u >= 1 ? 0 : Math.min(1, (1 - u) * 12);
}

function fromTray(out: StackPose, u: number): void {
  out.x = mix(trayX(out.x), out.x, u);
  out.z = mix(TRAY.z, out.z, u);
  out.y += 0.05 * Math.sin(u * Math.PI);
  out.scale = Math.min(1, u * 12);
}

/** Back to the people at the rail, and out of sight there. */
function leave(out: StackPose, passedShare: number): void {
  if (passedShare <= 0) return;
  const u = easeInOut(passedShare);
  const length = Math.hypot(out.x - ARC_CENTRE.x, out.z - ARC_CENTRE.z);
  out.x += ((out.x - ARC_CENTRE.x) / length) * LEAVE_Z * u;
  out.z += ((out.z - ARC_CENTRE.z) / length) * LEAVE_Z * u;
  out.y += 0.07 * u;
  out.scale = Math.min(1, (1 - u) * 6);
}

const DROP_HEIGHT = 0.1;
const DROP_FROM_Z = 0.14;

/** Hands every chip of a stack to `put`, slightly out of line, always the same way. */
export function putChips(chips: readonly ChipValue[], pose: StackPose, seed: number, drop: Drop | null, put: PutChip): void {
  for (let i = 0; i < chips.length; i++) {
    const falling = drop !== null && i >= drop.first ? drop.u : 1;
    const above = falling < 1 ? DROP_HEIGHT * Math.abs(1 - easePop(falling)) : 0;
    const short = falling < 1 ? DROP_FROM_Z * (1 - easeChip(falling)) : 0;
    const top = i === chips.length - 1;
    put(
      chips[i]!,
      pose.x + jitter(seed, i, 1) * 0.0018,
      pose.y + pose.scale * CHIP.height * (i + 0.5) + above,
      pose.z + jitter(seed, i, 2) * 0.0018 + short,
      jitter(seed, i, 3) * (top ? 0.5 : 6),
      pose.scale,
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
