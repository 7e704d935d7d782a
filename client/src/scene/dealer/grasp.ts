/** How hands touch things: the poses of a hand on a card, on a stack of chips, pointing, sweeping. */

import { Vector3 } from 'three';
import { type CardPose, halfDepth, hiddenCard, isAcross, LET_GO, onCard, placeOf, poseCard, SHOE_EXIT } from '../cards/motion';
import { poseStack, type StackPose } from '../chips/motion';
import type { PlannedStack } from '../chips/plan';
import { easeHand, mix } from '../craft/ease';
import { CARD, CHIP, FELT_Y, SHOE, TRAY } from '../layout';
import type { CardTimes, CoupTimes } from '../timeline';
import { CHIP_PITCHES, type Grips, PRESS_PITCH, PRESS_ROLL } from './grips';
import { type HandTarget, setGrip, setPlace, setTurn } from './hand';
import { FRESH, PACK_HALF, packPose, posePack, SPENT } from './shoe_change';
import type { HandSide } from './skeleton';

const sign = (side: HandSide): 1 | -1 => (side === 'l' ? 1 : -1);
const point = new Vector3();
const card = hiddenCard();
const stackPose: StackPose = { x: 0, y: 0, z: 0, scale: 1 };
const SHOULDER = { x: 0.17, z: -0.62 } as const;

/** Which way a hand points when it is somewhere: nearly along its forearm. Positive inwards. */
function heading(side: HandSide, x: number, z: number): number {
  const away = Math.atan2(x - sign(side) * SHOULDER.x, z - SHOULDER.z);
  return 0.24 - sign(side) * away * 0.62;
}

const TOP = CARD.thickness / 2;
/** Where on a card the fingertips lie: across and along its middle, as it lies face down. */
export interface Touch {
  readonly across: number;
  readonly along: number;
}
/** In the mouth of the shoe only the end of a card can be touched; on the way the fingers come nearer to its middle. */
const AT_MOUTH = 0.038;
const DRAWN_SHARE = 0.5;

/** Fingertips on the back of a card that slides. `drawn`: this hand draws it out of the shoe. */
export function onSliding(
  coup: CoupTimes,
  which: CardTimes,
  side: HandSide,
  touch: Touch,
  drawn: boolean,
  grips: Grips,
): (ms: number, out: HandTarget) => void {
  return (utcMs, out) => {
    const ms = Math.max(utcMs - coup.dealsUtcMs, which.draw.at);
    poseCard(coup, which, Math.min(ms, which.turn?.at ?? ms), card);
    const share = drawn ? easeHand((ms - which.draw.at) / (which.draw.duration * DRAWN_SHARE)) : 1;
    press(card, side, mix(0, touch.across, share), mix(AT_MOUTH, touch.along, share), TOP, out, grips);
  };
}

function press(
  pose: CardPose,
  side: HandSide,
  across: number,
  along: number,
  up: number,
  out: HandTarget,
  grips: Grips,
): void {
  onCard(pose, across, up, along, point);
  setPlace(out, point.x, point.y + 0.001, point.z);
  setTurn(out, heading(side, point.x, point.z), PRESS_PITCH, PRESS_ROLL - 0.85 * pose.pitch);
  setGrip(out, grips.press);
}

const READY_UP = 0.016;

/** Over the mouth of the shoe, before the first card. */
export function atShoe(grips: Grips): (ms: number, out: HandTarget) => void {
  const pose: CardPose = { ...hiddenCard(), ...SHOE_EXIT, y: FELT_Y + 0.032, yaw: SHOE.yaw, pitch: 0.3 };
  return (ms, out) => {
    press(pose, 'l', 0, AT_MOUTH, TOP, out, grips);
    out[1] = out[1]! + READY_UP + 0.003 * Math.sin(ms / 430);
  };
}

/** The hand rolls with the card nearly as far as the card does; the rest turns between its fingers. */
const ROLL = 2.92;
const ROLL_FROM = 0.06;
/** How far its fingers point down, before and after: the palm ends up, over the felt and not in it. */
const EDGE_PITCHES = [0.46, 0.78] as const;

/** The dealer's edge of a card between finger and thumb, while it is rolled over. */
export function onTurning(
  coup: CoupTimes,
  which: CardTimes,
  grips: Grips,
): (ms: number, out: HandTarget) => void {
  const turn = which.turn!;
  const across = isAcross(placeOf(which));
  const last = turn.at + turn.duration * LET_GO;
  return (utcMs, out) => {
    poseCard(coup, which, Math.min(last, Math.max(turn.at, utcMs - coup.dealsUtcMs)), card);
    edge(card, across, card.turn, out, grips);
  };
}

function edge(pose: CardPose, across: boolean, rolled: number, out: HandTarget, grips: Grips): void {
  const reach = halfDepth(across) - 0.001;
  // of a card that lies across, a long edge is on the dealer's side
  onCard(pose, across ? -reach : 0, 0, across ? 0 : -reach, point);
  setPlace(out, point.x, point.y, point.z);
  setTurn(out, 0.1 - pose.yaw * Math.cos(rolled * Math.PI) * (across ? 0 : 1), mix(EDGE_PITCHES[0], EDGE_PITCHES[1], rolled), ROLL_FROM + ROLL * rolled);
  setGrip(out, grips.card);
}

/** Before the clear gesture nothing moves; at its very end nothing is there any more. */
const whileClearing = ({ clear, dealsUtcMs }: CoupTimes, utcMs: number): number =>
  Math.min(clear.at + clear.duration - 1e-3, Math.max(clear.at, utcMs - dealsUtcMs));

/** Fingertips on the outermost card, which takes the others along. */
export function onGathering(
  coup: CoupTimes,
  which: CardTimes,
  side: HandSide,
  grips: Grips,
): (ms: number, out: HandTarget) => void {
  return (utcMs, out) => {
    poseCard(coup, which, whileClearing(coup, utcMs), card);
    press(card, side, 0, 0, card.turn > 0.5 ? -TOP : TOP, out, grips);
  };
}

/** The dealer's edge of the packet, which is rolled face down on its way. */
export function onPacket(
  coup: CoupTimes,
  which: CardTimes,
  grips: Grips,
): (ms: number, out: HandTarget) => void {
  return (utcMs, out) => {
    poseCard(coup, which, whileClearing(coup, utcMs), card);
    edge(card, false, Math.max(0, card.turn - 1), out, grips);
  };
}


/** The sides of a stack between fingers and thumb. */
export function onStack(
  coup: CoupTimes,
  stack: PlannedStack,
  what: 'stake' | 'win',
  side: HandSide,
  grips: Grips,
): (ms: number, out: HandTarget) => void {
  const chips = what === 'stake' ? stack.chips.length : stack.win.length;
  const height = chips * CHIP.height;
  const grasped = Math.max(Math.min(0.011, height - 0.001), height - 0.04);
  return (utcMs, out) => {
    poseStack(stack, what, coup, utcMs - coup.dealsUtcMs, stackPose);
    const far = easeHand((stackPose.z - TRAY.z) / (0.3 - TRAY.z));
    const pitch = mix(CHIP_PITCHES[0], CHIP_PITCHES[1], far);
    setPlace(out, stackPose.x, stackPose.y + grasped * Math.max(0.4, stackPose.scale), stackPose.z);
    setTurn(out, heading(side, stackPose.x, stackPose.z), pitch, mix(grips.chipRolls[0], grips.chipRolls[1], far));
    setGrip(out, grips.chips);
  };
}

/** An open palm towards the hand that has won; both for a tie. */
export function pointing(side: HandSide, from: number, to: number, grips: Grips): (ms: number, out: HandTarget) => void {
  return (ms, out) => {
    const offered = easeHand((ms - from) / (to - from));
    setPlace(out, sign(side) * (0.21 + 0.03 * offered), FELT_Y + 0.085 - 0.02 * offered, -0.13 + 0.035 * offered);
    setTurn(out, -0.12 - 0.1 * offered, 0.16, 2.3 + 0.35 * offered);
    setGrip(out, grips.open);
  };
}

/** A flat hand over the areas, from the middle outwards: no more bets. */
export function sweeping(side: HandSide, from: number, to: number, grips: Grips): (ms: number, out: HandTarget) => void {
  return (ms, out) => {
    const u = easeHand((ms - from) / (to - from));
    setPlace(
      out,
      sign(side) * mix(0.06, 0.37, u),
      FELT_Y + 0.1 + 0.02 * Math.sin(u * Math.PI) ** 2,
      0.1 - 0.06 * u,
    );
    setTurn(out, mix(0.42, -0.2, u), 0.08, mix(0.1, -0.02, u));
    setGrip(out, grips.flat);
  };
}

/** Leaning on the table beside the tray while the other hand goes far out. */
export function bracing(side: HandSide, grips: Grips): (ms: number, out: HandTarget) => void {
  return (_ms, out) => {
    setPlace(out, sign(side) * 0.35, FELT_Y + 0.012, -0.12);
    setTurn(out, 0.3, 0.34, 0.02);
    setGrip(out, grips.relaxed);
  };
}

const pack = packPose();

/** A hand over the spent cards, its fingers round their far edge. */
export function onSpent(brought: number, grips: Grips): (ms: number, out: HandTarget) => void {
  return (ms, out) => {
    posePack(Math.min(ms - brought, SPENT.to), pack);
    const reach = CARD.width / 2;
    setPlace(out, pack.x - Math.cos(pack.yaw) * reach, pack.y + pack.height * 0.2, pack.z + Math.sin(pack.yaw) * reach);
    setTurn(out, 0.12, 0.7, 0.5);
    setGrip(out, grips.relaxed);
  };
}

/** Two flat hands at the ends of the fresh pack. */
export function onFresh(brought: number, side: HandSide, grips: Grips): (ms: number, out: HandTarget) => void {
  return (ms, out) => {
    posePack(Math.max(FRESH.comes, ms - brought), pack);
    const reach = -sign(side) * PACK_HALF;
    setPlace(out, pack.x + Math.sin(pack.yaw) * reach, pack.y + 0.012, pack.z + Math.cos(pack.yaw) * reach);
    setTurn(out, 0.05 + sign(side) * (pack.yaw + Math.PI / 2) * 0.8, 0.62, 1.36);
    setGrip(out, grips.flat);
  };
}

/** A flat hand on the filled shoe. */
export function onLid(from: number, grips: Grips): (ms: number, out: HandTarget) => void {
  return (ms, out) => {
    const pressed = Math.sin(Math.min(1, Math.max(0, (ms - from) / 400)) * Math.PI);
    setPlace(out, SHOE.x - 0.01, FELT_Y + 0.158 - 0.004 * pressed, SHOE.z);
    setTurn(out, -0.2, 0.42, 0.05);
    setGrip(out, grips.relaxed);
  };
}
