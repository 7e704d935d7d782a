/** Whatever fingers hold, their skin is within 5 mm of it, measured on the posed bones. */

import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { DEALERS, DEALS_MS, endOf, FRAME_MS, newDealer, partOf, type TimelineName, timelineOf } from '../../testing/dealer';
import { cardTurn, hiddenCard, poseCard } from '../cards/motion';
import { poseStack } from '../chips/motion';
import { CARD, CHIP } from '../layout';
import type { LabCoupName } from '../lab/coups';
import type { Dealer } from './dealer';
import type { FingerName } from './fingers';
import type { Part } from './score';
import { HANDS, type HandSide } from './skeleton';
import type { Hold } from './track';

const NEAR_M = 0.005;

const COUPS: readonly (readonly [LabCoupName, TimelineName])[] = [
  ['tie', 'four hands'],
  ['five', 'five_player hands'],
  ['stands', 'five_banker hands'],
  ['banker', 'six hands'],
  ['player', 'six as_dealt'],
  ['banker', 'six as_dealt kept'],
];

function padAt(dealer: Dealer, side: HandSide, finger: FingerName): Vector3 {
  const hand = dealer.root.getObjectByName(`hand_${side}`)!;
  return hand.localToWorld(dealer.rig.arms[side].fingers.pad(finger, new Vector3()));
}

const beyond = (value: number, half: number): number => Math.max(0, Math.abs(value) - half);

function toCard(point: Vector3, part: Part, hold: Hold & { what: 'card' }, ms: number): number {
  const coup = part.coup!;
  const card = coup.cards.find((one) => one.side === hold.side && one.index === hold.index)!;
  const pose = poseCard(coup, card, ms, hiddenCard());
  if (!pose.visible) throw new Error('a hand holds a card that is not there');
  const own = point.clone().sub(new Vector3(pose.x, pose.y, pose.z)).applyQuaternion(cardTurn(pose, new Quaternion()).invert());
  return Math.hypot(beyond(own.x, CARD.width / 2), beyond(own.y, CARD.thickness / 2), beyond(own.z, CARD.height / 2));
}

function toStack(point: Vector3, part: Part, hold: Hold & { what: 'chips' }, ms: number): number {
  const stack = part.stacks.find((one) => one.id === hold.stack)!;
  const pose = poseStack(stack, hold.part, part.coup, ms, { x: 0, y: 0, z: 0, scale: 1 });
  const height = (hold.part === 'stake' ? stack.chips : stack.win).length * CHIP.height;
  const aside = Math.abs(Math.hypot(point.x - pose.x, point.z - pose.z) - CHIP.radius);
  const above = Math.max(0, point.y - pose.y - height, pose.y - point.y);
  return Math.hypot(aside, above);
}

const FINGERS: Readonly<Record<string, readonly FingerName[]>> = {
  slide: ['index', 'middle'],
  sweep: ['index', 'middle'],
  turn: ['index', 'thumb'],
  carry: ['index', 'thumb'],
  chips: ['index', 'thumb'],
};

/** The farthest that anything was from what it held, and how many holds of each kind there were. */
function farthest(dealer: Dealer, part: Part): { worst: number; at: string; kinds: Set<string> } {
  let [worst, at] = [0, ''];
  const kinds = new Set<string>();
  for (let ms = -1_000; ms <= endOf(part.coup!); ms += FRAME_MS) {
    dealer.frame(DEALS_MS + ms, false);
    dealer.root.updateMatrixWorld(true);
    for (const side of HANDS) {
      const hold = dealer.held(side, DEALS_MS + ms);
      if (hold === null || hold.what === 'pack') continue;
      const kind = hold.what === 'card' ? hold.how : 'chips';
      kinds.add(hold.what === 'card' ? `${hold.how} ${hold.side} ${hold.index}` : hold.part);
      for (const finger of FINGERS[kind]!) {
        const pad = padAt(dealer, side, finger);
        const away = hold.what === 'card' ? toCard(pad, part, hold, ms) : toStack(pad, part, hold, ms);
        if (away > worst) [worst, at] = [away, `${kind} ${finger}_${side} at ${ms}`];
      }
    }
  }
  return { worst, at, kinds };
}

describe.each(DEALERS)('the hands of %s', (who) => {
  const dealer = newDealer(who);

  it.each(COUPS)('touch what they hold: %s, %s', (name, timeline) => {
    const part = partOf(name, timelineOf(timeline));
    dealer.take(part, null);
    const { worst, at, kinds } = farthest(dealer, part);
    expect(worst, at).toBeLessThan(NEAR_M);
    for (const card of part.coup.cards) {
      expect(kinds).toContain(`slide ${card.side} ${card.index}`);
      expect(kinds).toContain(`turn ${card.side} ${card.index}`);
    }
    expect(kinds).toContain('win');
    if (name !== 'tie') expect(kinds).toContain('stake');
  });

  it('miss nothing they reach for', () => {
    const part = partOf('banker');
    dealer.take(part, null);
    for (let ms = -12_000; ms < endOf(part.coup) + 2_000; ms += FRAME_MS) {
      dealer.frame(DEALS_MS + ms, false);
      expect(Math.max(dealer.rig.missed.l, dealer.rig.missed.r)).toBeLessThan(1e-6);
    }
  });

  it('are on every card from the shoe to its place', () => {
    const part = partOf('banker');
    dealer.take(part, null);
    for (const card of part.coup.cards) {
      for (let ms = card.draw.at; ms < card.draw.at + card.draw.duration; ms += FRAME_MS) {
        dealer.frame(DEALS_MS + ms, false);
        const holds = HANDS.map((side) => dealer.held(side, DEALS_MS + ms));
        expect(holds).toContainEqual({ what: 'card', side: card.side, index: card.index, how: 'slide' });
      }
    }
  });
});
