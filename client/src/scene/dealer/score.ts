/** The dealer's part in a coup, written down from its timeline: keys for both hands, what is held when, where she looks. */

import { GATHER, GATHERED_SHARE, hiddenCard, poseCard } from '../cards/motion';
import { lateShare } from '../chips/motion';
import { CARD_PLACES, DISCARD, FELT_Y, inArea, SHOE_MOUTH, TRAY } from '../layout';
import type { CardTimes, CoupTimes, Span } from '../timeline';
import type { Area } from '../view';
import type { HandSide } from './skeleton';
import type { Key, Vec3 } from './track';

/** From `from` to `to` the hand goes where the card goes. */
export interface Hold {
  readonly side: HandSide;
  readonly card: CardTimes;
  readonly how: 'slide' | 'turn';
  readonly from: number;
  readonly to: number;
}

export interface Glance {
  readonly ms: number;
  readonly at: Vec3;
  readonly smile: number;
  readonly brow: number;
}

export interface Score {
  readonly keys: Readonly<Record<HandSide, readonly Key[]>>;
  readonly holds: readonly Hold[];
  readonly glances: readonly Glance[];
}

const sign = (side: HandSide): 1 | -1 => (side === 'l' ? 1 : -1);
const PATRON: Vec3 = [0, 1.6, 1.6];
/** She looks over the felt rather than straight down: her face stays visible. */
const towards = (x: number, z: number): Vec3 => [x * 0.8, FELT_Y + 0.2, z + 0.38];
const HANDOVER_MS = 320;
/** Share of a slide after which the card glides on alone: the dealer's left hand does not cross the table. */
const GUIDED = { player: 0.36, banker: 0.6 } as const;

export const restKey = (side: HandSide, ms: number): Key => ({
  ms,
  tip: [sign(side) * 0.085, FELT_Y + 0.022, -0.352],
  fingers: [sign(side) * -0.7, -0.2, 0.62],
  palm: [sign(side) * 0.08, -1, -0.18],
  grip: 'relaxed',
  follow: 1,
});

const slideKey = (ms: number, x: number, y: number, z: number): Key => ({
  ms,
  tip: [x, y, z],
  fingers: [0.55, -0.3, 0.62],
  palm: [-0.3, -0.92, 0.2],
  grip: 'card',
  lift: 0.03,
});

const turnKey = (ms: number, side: HandSide, tip: Vec3): Key => ({
  ms,
  tip,
  fingers: [sign(side) * -0.12, -0.34, 0.94],
  palm: [sign(side) * -0.28, -0.92, -0.28],
  grip: 'card',
  lift: 0.012,
});

const showKey = (ms: number, side: HandSide, area: Area): Key => ({
  ms,
  tip: [area === 'tie' ? -0.06 : sign(side) * 0.3, FELT_Y + 0.085, 0.01],
  fingers: [sign(side) * 0.2, 0.05, 1],
  palm: [sign(side) * -0.35, 0.95, 0],
  grip: 'open',
});

const chipsKey = (ms: number, side: HandSide, [x, z]: readonly [number, number], lift?: number): Key => ({
  ms,
  tip: [x, FELT_Y + 0.035, z],
  fingers: [sign(side) * 0.08, -0.36, 0.92],
  palm: [sign(side) * -0.1, -0.92, -0.36],
  grip: 'chips',
  ...(lift === undefined ? {} : { lift }),
});

const sideOf = (area: Area): HandSide => (area === 'banker' ? 'l' : 'r');
const isReal = (span: Span): boolean => Number.isFinite(span.at);

export function write(coup: CoupTimes): Score {
  const keys: Record<HandSide, Key[]> = { l: [restKey('l', 0)], r: [restKey('r', 0)] };
  const holds: Hold[] = [];
  const glances: Glance[] = [{ ms: -1, at: PATRON, smile: 0.5, brow: 0.3 }];
  writeCards(coup, keys, holds, glances);
  writeResult(coup, keys, glances);
  writeChips(coup, keys, glances);
  writeClear(coup, keys, glances);
  return { keys: { l: inOrder(keys.l), r: inOrder(keys.r) }, holds, glances: glances.sort((a, b) => a.ms - b.ms) };
}

const inOrder = (keys: Key[]): Key[] => keys.sort((a, b) => a.ms - b.ms);

function writeCards(coup: CoupTimes, keys: Record<HandSide, Key[]>, holds: Hold[], glances: Glance[]): void {
  const moves = coup.cards
    .flatMap((card) => [
      { card, how: 'slide' as const, span: card.draw },
      ...(card.turn === null ? [] : [{ card, how: 'turn' as const, span: card.turn }]),
    ])
    .sort((a, b) => a.span.at - b.span.at);
  moves.forEach(({ card, how, span }, i) => {
    const side: HandSide = how === 'slide' || card.side === 'banker' ? 'l' : 'r';
    const place = CARD_PLACES[card.side][card.index] ?? CARD_PLACES[card.side][2]!;
    const to = span.at + span.duration * (how === 'slide' ? GUIDED[card.side] : 1);
    const hold: Hold = { side, card, how, from: span.at, to };
    const before = moves[i - 1]?.span.at ?? span.at - 4 * HANDOVER_MS;
    if (span.at - before > 2 * HANDOVER_MS && i > 0) keys[side].push(restKey(side, span.at - HANDOVER_MS * 1.5));
    if (i === 0) keys[side].push(restKey(side, span.at - HANDOVER_MS));
    keys[side].push(heldKey(hold, coup, hold.from), heldKey(hold, coup, hold.to));
    holds.push(hold);
    const next = moves
      .slice(i + 1)
      .find((move) => (move.how === 'slide' || move.card.side === 'banker' ? 'l' : 'r') === side);
    if (next === undefined || next.span.at - to > 4 * HANDOVER_MS)
      keys[side].push(restKey(side, to + HANDOVER_MS * 1.6));
    if (how === 'slide')
      glances.push({ ms: span.at - 200, at: towards(SHOE_MOUTH.x, SHOE_MOUTH.z), smile: 0.36, brow: 0.2 });
    glances.push({ ms: span.at + 150, at: towards(place.x, place.z), smile: 0.4, brow: 0.24 });
  });
}

const pose = hiddenCard();

/** Where the hand is while it holds a card. */
export function heldKey({ card, how, side }: Hold, coup: CoupTimes, ms: number): Key {
  poseCard(coup, card, ms, pose);
  if (how === 'slide') return slideKey(ms, pose.x - 0.01, pose.y + 0.016, pose.z - 0.035);
  const angle = Math.PI * pose.turn;
  const along = -Math.cos(angle) * 0.046;
  const upright = Math.abs(pose.yaw) < 0.5;
  const x = pose.x + along * Math.cos(pose.yaw);
  const z = pose.z - along * Math.sin(pose.yaw) - (upright ? 0.042 : 0.01);
  return turnKey(ms, side, [x, FELT_Y + 0.014 + Math.sin(angle) * 0.095, z]);
}

function writeResult({ result, outcome }: CoupTimes, keys: Record<HandSide, Key[]>, glances: Glance[]): void {
  if (!isReal(result)) return;
  const side = sideOf(outcome);
  keys[side].push(restKey(side, result.at - 60), showKey(result.at + result.duration * 0.5, side, outcome));
  keys[side].push(showKey(result.at + result.duration * 0.85, side, outcome));
  glances.push({ ms: result.at, at: PATRON, smile: 0.8, brow: 0.4 });
}

/** Losing chips to the tray, winnings from the tray to the winner. */
function writeChips({ collect, pay, outcome }: CoupTimes, keys: Record<HandSide, Key[]>, glances: Glance[]): void {
  const reach = (area: Area, v: number): [number, number] => {
    const { x, z } = inArea(area, 0.5, v);
    return [x, z];
  };
  const losers: Area[] = outcome === 'tie' ? [] : outcome === 'player' ? ['banker'] : ['player'];
  if (isReal(collect) && losers.length === 0) keys[sideOf(outcome)].push(restKey(sideOf(outcome), collect.at + 300));
  if (isReal(collect)) {
    for (const area of losers) {
      const side = sideOf(area);
      const at = (share: number): number => collect.at + collect.duration * (lateShare(area) + share);
      keys[side].push(restKey(side, at(0.12) - 330), chipsKey(at(0.12), side, reach(area, 0.12)));
      keys[side].push(chipsKey(at(0.64), side, [sign(side) * 0.14, TRAY.z + 0.03], 0.02));
      keys[side].push(restKey(side, collect.at + collect.duration + 200));
      glances.push({ ms: collect.at, at: towards(...reach(area, 0)), smile: 0.5, brow: 0.3 });
    }
  }
  if (isReal(pay)) {
    const side = sideOf(outcome);
    const trayX = outcome === 'tie' ? 0 : sign(side) * 0.14;
    keys[side].push(
      chipsKey(pay.at + 60, side, [trayX, TRAY.z]),
      chipsKey(pay.at + pay.duration * 0.78, side, reach(outcome, 0.1)),
    );
    keys[side].push(restKey(side, pay.at + pay.duration + 420));
    glances.push({ ms: pay.at, at: towards(...reach(outcome, 0)), smile: 0.6, brow: 0.34 });
    glances.push({ ms: pay.at + pay.duration + 200, at: PATRON, smile: 0.75, brow: 0.45 });
  }
}

/** The right hand sweeps the cards to the discard holder. */
function writeClear({ clear }: CoupTimes, keys: Record<HandSide, Key[]>, glances: Glance[]): void {
  if (!isReal(clear)) return;
  const at = (share: number): number => clear.at + clear.duration * share;
  keys.r.push(restKey('r', clear.at - 420), turnKey(at(0.06), 'r', [0.2, FELT_Y + 0.02, -0.05]));
  keys.r.push(turnKey(at(GATHERED_SHARE), 'r', [GATHER.x + 0.06, FELT_Y + 0.02, GATHER.z - 0.03]));
  keys.r.push(turnKey(at(0.96), 'r', [DISCARD.x + 0.1, FELT_Y + 0.075, DISCARD.z + 0.04]));
  keys.r.push(restKey('r', clear.at + clear.duration + 420));
  glances.push({ ms: clear.at - 200, at: towards(GATHER.x, GATHER.z), smile: 0.5, brow: 0.3 });
  glances.push({ ms: clear.at + clear.duration + 200, at: PATRON, smile: 0.66, brow: 0.48 });
}
