/** Where a card is at a moment. A function of the timeline and the time alone, so that everybody sees the same. */

import { Quaternion, type Vector3 } from 'three';
import { easeHand, easeHandover, mix, softMin, span } from '../craft/ease';
import { CARD, CARD_PLACES, type CardPlace, DISCARD, FELT_Y, SHOE, SHOE_WAY } from '../layout';
import { type CardTimes, type CoupTimes, passed } from '../timeline';

export interface CardPose {
  visible: boolean;
  x: number;
  /** Of the card's middle. */
  y: number;
  z: number;
  /** Around the vertical, as it lies face down. */
  yaw: number;
  /** Nose down on the way out of the shoe. */
  pitch: number;
  /** 0 face down … 1 face up, around the line from the dealer to the patron through its middle; … 2 face down again. */
  turn: number;
  /** Which way it rolls: 1 as her right hand turns, -1 as her left one does. */
  rolls: 1 | -1;
  /** Radians by which the dealer's edge is raised. */
  tilt: number;
  /** Metres by which the long edges stand above the middle. */
  bend: number;
}

export const hiddenCard = (): CardPose => ({
  visible: false,
  x: 0,
  y: 0,
  z: 0,
  yaw: 0,
  pitch: 0,
  turn: 0,
  rolls: 1,
  tilt: 0,
  bend: 0,
});

/** Height of the middle of a card that lies on the felt. */
export const LYING_Y = FELT_Y + CARD.thickness / 2 + 0.0006;
/** It leaves the shoe from its middle's place in there. */
const inShoe = 0.106 * SHOE.scale;
export const SHOE_EXIT = { x: SHOE.x + SHOE_WAY.x * inShoe, z: SHOE.z + SHOE_WAY.z * inShoe } as const;
const SHOE_RISE = 0.03;
const SHOE_SLOPE = 0.3;
/** Metres of the way on which it comes down from the shoe. */
const COMES_DOWN_M = 0.17;
/** So far it goes straight on before it swings round to its place. */
const STRAIGHT_M = 0.19;
/** A card on its way passes over those that lie there. */
const GLIDE = 0.0045;

/** Share of a turn after which the fingers let go and the card falls flat. */
export const LET_GO = 0.84;
/** Metres by which the edge in her fingers is raised when they let go: below it there is a hand. */
const RAISED = 0.058;
const TURN_BEND = 0.012;
/** Less for a card that lies across: it is rolled end over end. */
const ACROSS_BEND = 0.003;

/** The shares of a clear: the left hand brings the Banker's cards to the middle, the right one takes all of them away. */
export const CLEARING = { leftFrom: 0.04, leftTo: 0.33, rightFrom: 0.33, rightTo: 0.62, carryTo: 0.97 } as const;
const MEET_X = 0.025;
const GATHERED_X = -0.425;
const SWEEP_Z = -0.034;
/** Between cards of a packet. */
const PACKET_STEP = 0.0019;
const CARRY_LIFT = 0.05;
/** Above the pile in the discard holder. */
const DISCARD_Y = FELT_Y + 0.075;

const QUARTER = Math.PI / 2;
export const isAcross = (place: CardPlace): boolean => Math.abs(place.yaw) > 0.5;
export const placeOf = (card: CardTimes): CardPlace => CARD_PLACES[card.side][Math.min(card.index, 2)]!;

/** Writes the pose of one card at `ms` since the deal into `out`. */
export function poseCard(coup: CoupTimes, card: CardTimes, ms: number, out: CardPose, still = false): CardPose {
  out.visible = still ? ms >= card.draw.at + card.draw.duration : ms >= card.draw.at;
  if (!out.visible) return out;
  slide(card, ms, out, still);
  turnOver(card, ms, out, still);
  const cleared = passed(coup.clear, ms, still);
  if (cleared >= 1) out.visible = false;
  else if (cleared > 0) sweep(coup, card, cleared, out);
  return out;
}

/** From the mouth of the shoe to its place: first along the shoe, then round to the hand. */
function slide(card: CardTimes, ms: number, out: CardPose, still: boolean): void {
  const place = placeOf(card);
  const share = passed(card.draw, ms, still);
  const u = card.side === 'player' ? easeHandover(share) : easeHand(share);
  const toExit = (1 - u) * (1 - u);
  const onwards = 2 * u * (1 - u);
  const rest = u * u;
  out.x = toExit * SHOE_EXIT.x + onwards * (SHOE_EXIT.x + SHOE_WAY.x * STRAIGHT_M) + rest * place.x;
  out.z = toExit * SHOE_EXIT.z + onwards * (SHOE_EXIT.z + SHOE_WAY.z * STRAIGHT_M) + rest * place.z;
  const length = span(SHOE_EXIT.x - place.x, SHOE_EXIT.z - place.z);
  const above = 1 - easeHand((u * length) / COMES_DOWN_M);
  const glides = GLIDE * (1 - easeHand((u - 0.8) / 0.2));
  out.y = LYING_Y + mix(glides, SHOE_RISE, above);
  out.pitch = SHOE_SLOPE * above;
  // A card is the same upside down: third cards take the shorter way round.
  const across = isAcross(place) ? -QUARTER : place.yaw;
  out.yaw = mix(SHOE.yaw, across + disorder(card), easeHand(u * 1.1));
  out.turn = 0;
  out.rolls = card.side === 'player' ? 1 : -1;
  out.tilt = 0;
  out.bend = 0;
}

/** Her hand has the edge on her side and rolls it over, bending as a card does that is held at one end. */
function turnOver(card: CardTimes, ms: number, out: CardPose, still: boolean): void {
  if (card.turn === null) return;
  const share = passed(card.turn, ms, still);
  if (share <= 0) return;
  const across = isAcross(placeOf(card));
  const u = still ? share : easeHand(share / (LET_GO + 0.04));
  const roll = Math.sin(u * Math.PI);
  out.turn = u;
  out.bend = (across ? ACROSS_BEND : TURN_BEND) * roll * roll;
  const fallen = (share - LET_GO) / (1 - LET_GO);
  const tilt = Math.asin(RAISED / (2 * halfDepth(across)));
  out.tilt = still ? 0 : tilt * easeHand(share / 0.3) * (fallen > 0 ? 1 - fallen * fallen : 1);
  out.y += roll * (halfWidth(across) + 0.003) + Math.sin(out.tilt) * halfDepth(across);
}

const halfWidth = (across: boolean): number => (across ? CARD.height : CARD.width) / 2;
/** From the middle to the dealer's edge. */
export const halfDepth = (across: boolean): number => (across ? CARD.width : CARD.height) / 2;

/** The way of the hands that clear: from beyond the Banker's outermost card to the Player's side. */
function sweepX(outermost: number, share: number): number {
  const left = easeHand((share - CLEARING.leftFrom) / (CLEARING.leftTo - CLEARING.leftFrom));
  const right = easeHand((share - CLEARING.rightFrom) / (CLEARING.rightTo - CLEARING.rightFrom));
  return mix(mix(outermost + 0.05, MEET_X, left), GATHERED_X, right);
}

/** Swept together from the Banker's side, then carried to the discard holder, face down. */
function sweep(coup: CoupTimes, card: CardTimes, share: number, out: CardPose): void {
  const place = placeOf(card);
  const at = sweepX(outermostX(coup), share);
  const taken = easeHand((place.x + 0.05 - at) / 0.1);
  const carried = easeHand((share - CLEARING.rightTo + 0.1) / (CLEARING.carryTo - CLEARING.rightTo + 0.1));
  let below = 0;
  for (let i = 0; i < coup.cards.length; i++) {
    const other = coup.cards[i]!;
    const x = placeOf(other).x;
    if (x < place.x) below += easeHand((x + 0.15 - at) / 0.05);
  }
  const roll = Math.PI * carried;
  const height = below * PACKET_STEP;
  out.rolls = 1;
  out.turn += (out.turn > 0.5 ? 1 : 0) * (roll / Math.PI);
  out.x = mix(mix(out.x, softMin(place.x, at, 0.012), easeHand(share / 0.05)), DISCARD.x, carried) - Math.sin(roll) * height;
  out.z = mix(mix(out.z, SWEEP_Z, taken), DISCARD.z, carried);
  out.yaw = mix(mix(out.yaw, 0, taken), DISCARD.yaw, carried);
  out.y = mix(LYING_Y, DISCARD_Y, carried) + Math.cos(roll) * height + CARRY_LIFT * Math.sin(carried * Math.PI);
  out.y += Math.sin(roll) * (CARD.width / 2);
  out.bend = 0;
}

function outermostX(coup: CoupTimes): number {
  let x = MEET_X;
  for (let i = 0; i < coup.cards.length; i++) x = Math.max(x, placeOf(coup.cards[i]!).x);
  return x;
}

/** A hand never lays cards quite straight; the same card always lies the same way. */
const disorder = (card: CardTimes): number => (card.index % 2 === 0 ? 0.012 : -0.014);

const FACE_DOWN = new Quaternion(0, 0, 1, 0);
const step = new Quaternion();

/** How the card is turned: its own y points out of its face, its own -z is its head. */
export function cardTurn(pose: CardPose, out: Quaternion): Quaternion {
  out.set(Math.sin(pose.tilt / 2), 0, 0, Math.cos(pose.tilt / 2));
  const roll = (pose.rolls * pose.turn * Math.PI) / 2;
  out.multiply(step.set(0, 0, Math.sin(roll), Math.cos(roll)));
  out.multiply(step.set(0, Math.sin(pose.yaw / 2), 0, Math.cos(pose.yaw / 2)));
  out.multiply(step.set(Math.sin(pose.pitch / 2), 0, 0, Math.cos(pose.pitch / 2)));
  return out.multiply(FACE_DOWN);
}

const turned = new Quaternion();

/** Writes the point of the table where a point of the card is: `across` and `along` from its middle as it lies face down, `up` from its middle plane. */
export function onCard(pose: CardPose, across: number, up: number, along: number, out: Vector3): Vector3 {
  out.set(-across, -up, along).applyQuaternion(cardTurn(pose, turned));
  out.x += pose.x;
  out.y += pose.y;
  out.z += pose.z;
  return out;
}
