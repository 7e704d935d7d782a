/** Fits grips to the proportions of a hand, once: no two dealers have the same fingers. */

import { Vector3 } from 'three';
import type { Arm } from './arm';
import { CHIP_PITCHES, type Grip, GRIPS, type Grips, mixGrip, PRESS_PITCH, PRESS_ROLL, THUMB } from './grips';
import { handTarget, setGrip, setTurn } from './hand';

/** Thumb and index finger around a chip of 48 mm, and at both sides of a card. */
const CHIP_GAP_M = 0.0484;
const CARD_GAP_M = 0.003;
const NOWHERE = new Vector3();
const [MIDDLE, RING] = [1, 2];
const BEND = THUMB + 2;
const FLEX = THUMB + 3;

export function fitGrips(arm: Arm): Grips {
  const chips = opened(arm, GRIPS.chips);
  return {
    ...GRIPS,
    press: levelled(arm, GRIPS.press),
    card: closed(arm, GRIPS.card),
    chips,
    chipRolls: [levelRoll(arm, chips, CHIP_PITCHES[0]), levelRoll(arm, chips, CHIP_PITCHES[1])],
  };
}

/** Where `f` changes its sign between `low` and `high`; `f` grows. */
function solve(low: number, high: number, f: (x: number) => number): number {
  for (let i = 0; i < 32; i++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const target = handTarget();
const [one, other] = [new Vector3(), new Vector3()];

function aim(arm: Arm, grip: Grip, pitch: number, roll: number): void {
  setGrip(target, grip);
  setTurn(target, 0, pitch, roll);
  arm.aim(target, NOWHERE);
}

const replaced = (grip: Grip, part: number, value: number): Grip => grip.map((old, i) => (i === part ? value : old));

/** Middle and ring finger curled so that they press on a table where the index finger does. */
function levelled(arm: Arm, grip: Grip): Grip {
  const level = (finger: 'middle' | 'ring', part: number, held: Grip): Grip => {
    const curl = solve(0.22, 0.9, (value) => {
      aim(arm, replaced(held, part, value), PRESS_PITCH, PRESS_ROLL);
      return arm.padFromWrist(finger, one).y - arm.padFromWrist('index', other).y;
    });
    return replaced(held, part, curl);
  };
  return level('ring', RING, level('middle', MIDDLE, grip));
}

/** From thumb to index finger, model space. */
function across(arm: Arm, grip: Grip, pitch: number, roll: number): Vector3 {
  aim(arm, grip, pitch, roll);
  return arm.padFromWrist('index', one).sub(arm.padFromWrist('thumb', other));
}

/** Opened until a chip fits between thumb and fingers. */
function opened(arm: Arm, grip: Grip): Grip {
  const closed = mixGrip(replaced(grip, FLEX, 0.6), GRIPS.card, 0.4);
  const open = replaced(grip, FLEX, -0.4);
  const share = solve(-0.5, 1.6, (at) => across(arm, mixGrip(closed, open, at), 0.7, 0).length() - CHIP_GAP_M);
  return mixGrip(closed, open, share);
}

/** Closed until a card just fits between thumb and fingers. */
function closed(arm: Arm, grip: Grip): Grip {
  let best = grip;
  let least = Number.POSITIVE_INFINITY;
  for (let flex = 0.1; flex <= 0.7; flex += 0.04) {
    for (let bend = 0.05; bend <= 0.5; bend += 0.03) {
      const held = replaced(replaced(grip, FLEX, flex), BEND, bend);
      const off = Math.abs(across(arm, held, 0.4, 0).length() - CARD_GAP_M);
      if (off < least) [best, least] = [held, off];
    }
  }
  return best;
}

/** The roll at which thumb and index finger are equally high. */
function levelRoll(arm: Arm, grip: Grip, pitch: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let roll = -0.6; roll <= 1.5; roll += 0.005) {
    const off = Math.abs(across(arm, grip, pitch, roll).y);
    if (off < least) [best, least] = [roll, off];
  }
  return best;
}
