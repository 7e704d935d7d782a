/** Where a card is at a moment. A function of the timeline and the time alone, so that everybody sees the same. */

import { clamp01, easeCard, easeInOut, mix } from './ease';
import { CARD, CARD_PLACES, DISCARD, FELT_Y, SHOE, SHOE_MOUTH, SHOE_WAY } from './layout';
import { type CardTimes, type CoupTimes, passed } from './timeline';

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
const TURN_BEND = 0.011;
const SWEEP_STAGGER = 0.28;
const SWEEP_LIFT = 0.07;
/** Above the pile in the discard holder. */
const DISCARD_Y = FELT_Y + 0.056;

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
  out.y = LYING_Y + SHOE_RISE * easeInOut(inShoe);
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

/** To the discard holder, face down, one after the other. */
function sweep(coup: CoupTimes, card: CardTimes, cleared: number, out: CardPose): void {
  const order = coup.cards.indexOf(card) / Math.max(1, coup.cards.length - 1);
  const u = easeInOut(clamp01((cleared - order * SWEEP_STAGGER) / (1 - SWEEP_STAGGER)));
  out.x = mix(out.x, DISCARD.x, u);
  out.z = mix(out.z, DISCARD.z, u);
  out.y = mix(out.y, DISCARD_Y + order * 0.004, u) + Math.sin(u * Math.PI) * SWEEP_LIFT;
  out.yaw = mix(out.yaw, DISCARD.yaw, u);
  out.turn *= 1 - easeInOut(clamp01((u - 0.1) / 0.6));
  out.bend = 0;
}

/** A hand never lays cards quite straight; the same card always lies the same way. */
const disorder = (card: CardTimes): number => (card.index % 2 === 0 ? 0.01 : -0.012);
