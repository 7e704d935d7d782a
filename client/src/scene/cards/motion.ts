/** Where a card is at a moment. A function of the timeline and the time alone, so that everybody sees the same. */

import { clamp01, easeCard, easeInOut, mix } from '../craft/ease';
import { CARD, CARD_PLACES, DISCARD, FELT_Y, SHOE, SHOE_MOUTH, SHOE_WAY } from '../layout';
import { type CardTimes, type CoupTimes, passed } from '../timeline';

export interface CardPose {
  visible: boolean;
  x: number;
  /** Of the card's middle. */
  y: number;
  z: number;
  /** Around the vertical. */
  yaw: number;
  /** Nose down on the way out of the shoe. */
  pitch: number;
  /** 0 face down … 1 face up; around the long axis. */
  turn: number;
  /** Metres by which the long edges stand above the middle. */
  bend: number;
}

export const hiddenCard = (): CardPose => ({ visible: false, x: 0, y: 0, z: 0, yaw: 0, pitch: 0, turn: 0, bend: 0 });

/** Height of the middle of a card that lies on the felt. */
export const LYING_Y = FELT_Y + CARD.thickness / 2 + 0.0006;
const SHOE_RISE = 0.03;
/** A card on its way passes over those that lie there. */
const GLIDE = 0.006;
const TURN_BEND = 0.011;

/** Cleared cards are gathered here, then go to the discard holder together. */
export const GATHER = { x: -0.24, z: -0.03 } as const;
export const GATHERED_SHARE = 0.48;
const GATHER_LAG = 0.12;
const CARRY_LIFT = 0.06;
/** Between cards of a packet. */
const PACKET_STEP = 0.0021;
/** Above the pile in the discard holder. */
const DISCARD_Y = FELT_Y + 0.05;

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
  const place = CARD_PLACES[card.side][Math.min(card.index, 2)]!;
  const u = easeCard(passed(card.draw, ms, still));
  const [toMouth, onwards, rest] = [(1 - u) * (1 - u), 2 * u * (1 - u), u * u];
  out.x = toMouth * SHOE_MOUTH.x + onwards * (SHOE_MOUTH.x + SHOE_WAY.x * 0.16) + rest * place.x;
  out.z = toMouth * SHOE_MOUTH.z + onwards * (SHOE_MOUTH.z + SHOE_WAY.z * 0.16) + rest * place.z;
  const inShoe = 1 - clamp01(u / 0.42);
  const landing = easeInOut(clamp01((u - 0.86) / 0.14));
  out.y = LYING_Y + GLIDE * (1 - landing) + (SHOE_RISE - GLIDE) * easeInOut(inShoe);
  out.pitch = 0.3 * easeInOut(inShoe);
  out.yaw = mix(SHOE.yaw, place.yaw + disorder(card), easeInOut(clamp01(u * 1.15)));
  out.turn = 0;
  out.bend = 0;
}

/** Over its long edge, bending as a card does that is lifted on one side. */
function turnOver(card: CardTimes, ms: number, out: CardPose, still: boolean): void {
  if (card.turn === null) return;
  const u = easeInOut(passed(card.turn, ms, still));
  const lift = Math.sin(u * Math.PI);
  out.turn = u;
  out.bend = TURN_BEND * lift;
  out.y += lift * (CARD.width / 2 + 0.004);
}

/** Swept together from the Banker's side, then carried to the discard holder, face down. */
function sweep(coup: CoupTimes, card: CardTimes, cleared: number, out: CardPose): void {
  const order = coup.cards.indexOf(card);
  const lag = GATHER_LAG * clamp01(0.5 - out.x);
  const gathered = easeInOut(clamp01((cleared - lag) / (GATHERED_SHARE - lag)));
  const carried = easeInOut(clamp01((cleared - GATHERED_SHARE) / (1 - GATHERED_SHARE)));
  const lying = out.y;
  out.x = mix(mix(out.x, GATHER.x, gathered), DISCARD.x, carried);
  out.z = mix(mix(out.z, GATHER.z, gathered), DISCARD.z, carried);
  out.yaw = mix(mix(out.yaw, 0, gathered), DISCARD.yaw, carried);
  out.turn *= 1 - easeInOut(clamp01((carried - 0.05) / 0.6));
  const tipped = Math.sin(out.turn * Math.PI) * (CARD.width / 2);
  const step = order * PACKET_STEP * clamp01(gathered * 8);
  out.y = mix(lying, DISCARD_Y, carried) + step + Math.sin(carried * Math.PI) * CARRY_LIFT + tipped;
  out.bend = 0;
}

/** A hand never lays cards quite straight; the same card always lies the same way. */
const disorder = (card: CardTimes): number => (card.index % 2 === 0 ? 0.01 : -0.012);
