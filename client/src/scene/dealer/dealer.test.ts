/** She moves like somebody: no jumps, feet that stay, the same for everybody who looks. Measured on the posed bones. */

import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  DEALERS,
  DEALS_MS,
  endOf,
  FRAME_MS,
  newDealer,
  partOf,
  type TimelineName,
  timelineOf,
  worldOf,
} from '../../testing/dealer';
import type { LabCoupName } from '../lab/coups';
import { BLEND_MS, type Dealer } from './dealer';
import type { Part } from './score';
import { HANDS } from './skeleton';

const JOINTS = ['hand_l', 'hand_r', 'lowerarm_l', 'lowerarm_r', 'upperarm_l', 'upperarm_r', 'head'] as const;
/** A brisk hand; less for what is heavier. */
const FASTEST = 3.2;
const HARDEST = 60;

interface Motion {
  fastest: number;
  where: string;
  hardest: number;
  at: string;
}

/** Greatest speed (m/s) and change of speed (m/s²) of any joint between frames. */
function motionOf(dealer: Dealer, from: number, to: number, before: (ms: number) => void = () => undefined): Motion {
  const last = new Map<string, Vector3>();
  const speed = new Map<string, Vector3>();
  const found: Motion = { fastest: 0, where: '', hardest: 0, at: '' };
  const seconds = FRAME_MS / 1000;
  for (let ms = from; ms < to; ms += FRAME_MS) {
    before(ms);
    dealer.frame(DEALS_MS + ms, false);
    dealer.root.updateMatrixWorld(true);
    for (const joint of JOINTS) {
      const now = worldOf(dealer, joint);
      const then = last.get(joint);
      last.set(joint, now);
      if (then === undefined) continue;
      const moving = now.clone().sub(then).divideScalar(seconds);
      const moved = speed.get(joint);
      speed.set(joint, moving);
      if (moving.length() > found.fastest) [found.fastest, found.where] = [moving.length(), `${joint} at ${ms}`];
      if (moved === undefined) continue;
      const change = moving.clone().sub(moved).length() / seconds;
      if (change > found.hardest) [found.hardest, found.at] = [change, `${joint} at ${ms}`];
    }
  }
  return found;
}

const COUPS: readonly (readonly [LabCoupName, TimelineName])[] = [
  ['tie', 'four hands'],
  ['five', 'five_player hands'],
  ['stands', 'five_banker hands'],
  ['banker', 'six hands'],
  ['player', 'six as_dealt'],
];

describe.each(DEALERS)('%s', (who) => {
  it.each(COUPS)('moves with weight, from idle to idle: %s, %s', (name, timeline) => {
    const dealer = newDealer(who);
    const part = partOf(name, timelineOf(timeline));
    dealer.take(part, null);
    const motion = motionOf(dealer, -14_000, endOf(part.coup) + 6_000);
    expect(motion.fastest).toBeGreaterThan(0.8);
    expect(motion.fastest, motion.where).toBeLessThan(FASTEST);
    expect(motion.hardest, motion.at).toBeLessThan(HARDEST);
  });

  it('keeps her feet where they are', () => {
    const dealer = newDealer(who);
    const part = partOf('banker');
    dealer.take(part, null);
    const calf = dealer.root.getObjectByName('calf_l')!;
    const [hip, foot] = [worldOf(dealer, 'thigh_l'), worldOf(dealer, 'calf_l')];
    foot.set(foot.x + 0.4 * (foot.x - hip.x), dealer.root.position.y + 0.085, foot.z - 0.05); // as the model stands
    const held = calf.worldToLocal(foot.clone());
    let farthest = 0;
    let shifted = 0;
    let [lowest, highest] = [2, 0];
    for (let ms = -11_000; ms < endOf(part.coup); ms += FRAME_MS * 2) {
      dealer.frame(DEALS_MS + ms, false);
      dealer.root.updateMatrixWorld(true);
      const now = calf.localToWorld(held.clone());
      farthest = Math.max(farthest, now.distanceTo(foot));
      const { x, y } = worldOf(dealer, 'pelvis');
      shifted = Math.max(shifted, Math.abs(x));
      [lowest, highest] = [Math.min(lowest, y), Math.max(highest, y)];
    }
    expect(shifted).toBeGreaterThan(0.03);
    expect(highest - lowest).toBeGreaterThan(0.1); // up from her stool
    expect(farthest).toBeLessThan(0.02);
  });
});

const everything = (dealer: Dealer): number[] => {
  const numbers: number[] = [];
  dealer.root.traverse((node) => numbers.push(...node.position.toArray(), ...node.quaternion.toArray()));
  return numbers;
};

const difference = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);

describe('two clients', () => {
  it('see the same, the one from the start and the other from the middle of it', () => {
    const [early, late] = [newDealer('mei'), newDealer('mei')];
    const part = partOf('banker');
    early.take({ ...part, coup: null, stacks: [] }, null);
    for (let ms = -11_000; ms < 60; ms += FRAME_MS) early.frame(DEALS_MS + ms, false);
    early.take(part, null);
    for (let ms = 60; ms < 5_000; ms += FRAME_MS) early.frame(DEALS_MS + ms, false);
    late.take(part, null);
    for (let ms = 5_000; ms < endOf(part.coup) + 3_000; ms += 37) {
      early.frame(DEALS_MS + ms, false);
      late.frame(DEALS_MS + ms, false);
      expect(difference(everything(early), everything(late))).toBeLessThan(1e-6);
    }
  });

  it('draw one moment alike, whatever they drew before', () => {
    const [one, other] = [newDealer('luca'), newDealer('luca')];
    const part = partOf('player');
    one.take(part, null);
    other.take(part, null);
    one.frame(DEALS_MS + 8_000, false);
    for (const ms of [12_000, 300, -9_000, 4_100, 15_000, 8_000]) other.frame(DEALS_MS + ms, false);
    expect(everything(other)).toEqual(everything(one));
  });
});

describe('a change of what is to be done', () => {
  const shifted = (part: Part & { coup: object }, ms: number): Part => ({
    ...part,
    coup: { ...part.coup, dealsUtcMs: DEALS_MS - ms },
  });

  it.each([
    ['skipped to the paying', 4_000, (part: ReturnType<typeof partOf>) => shifted(part, 9_000)],
    ['skipped in mid-turn', 4_100, (part: ReturnType<typeof partOf>) => shifted(part, 10_000)],
    ['a coup that is taken away', 700, (part: ReturnType<typeof partOf>) => ({ ...part, coup: null, stacks: [] })],
  ])('moves hands over, without a jump: %s', (_name, when, change) => {
    const dealer = newDealer('mei');
    const part = partOf('banker');
    dealer.take(part, null);
    const motion = motionOf(dealer, when - 400, when + BLEND_MS + 400, (ms) => {
      if (ms >= when && ms < when + FRAME_MS) dealer.take(change(part), null);
    });
    expect(motion.fastest).toBeLessThan(7);
    expect(motion.fastest * (FRAME_MS / 1000)).toBeLessThan(0.11);
  });

  it('twice in a row moves on from where she is', () => {
    const dealer = newDealer('mei');
    const part = partOf('banker');
    dealer.take(part, null);
    const motion = motionOf(dealer, 3_600, 4_800, (ms) => {
      if (ms >= 4_000 && ms < 4_000 + FRAME_MS) dealer.take(shifted(part, 8_000), null);
      if (ms >= 4_128 && ms < 4_128 + FRAME_MS) dealer.take({ ...part, coup: null, stacks: [] }, null);
    });
    expect(motion.fastest).toBeLessThan(7);
  });

  it('is over after a quarter of a second', () => {
    const [changed, fresh] = [newDealer('mei'), newDealer('mei')];
    const part = partOf('banker');
    changed.take(part, null);
    changed.frame(DEALS_MS + 4_000, false);
    const next = shifted(part, 9_000);
    changed.take(next, null);
    fresh.take(next, null);
    changed.frame(DEALS_MS + 4_016, false);
    fresh.frame(DEALS_MS + 4_016, false);
    expect(difference(everything(changed), everything(fresh))).toBeGreaterThan(0.05);
    for (const dealer of [changed, fresh]) dealer.frame(DEALS_MS + 4_016 + BLEND_MS, false);
    expect(difference(everything(changed), everything(fresh))).toBeLessThan(1e-6);
  });

  it('of chips that stand there before they count changes nothing', () => {
    const dealer = newDealer('mei');
    const part = partOf('banker');
    dealer.take(part, null);
    dealer.frame(DEALS_MS + 4_000, false);
    const before = everything(dealer);
    dealer.take({ ...part, stacks: [...part.stacks] }, null);
    dealer.frame(DEALS_MS + 4_000, false);
    expect(everything(dealer)).toEqual(before);
  });
});

describe('reduced motion', () => {
  it('cuts between two poses, and points at the winner while the result is called', () => {
    const dealer = newDealer('mei');
    const part = partOf('banker');
    dealer.take(part, null);
    const poses = new Map<string, number[]>();
    for (let ms = -9_000; ms < endOf(part.coup); ms += 50) {
      dealer.frame(DEALS_MS + ms, true);
      dealer.root.updateMatrixWorld(true);
      const hands = HANDS.flatMap((side) => worldOf(dealer, `hand_${side}`).toArray());
      const { at, duration } = part.coup.result;
      const key = hands.map((value) => value.toFixed(4)).join();
      poses.set(key, [...(poses.get(key) ?? []), ms]);
      if (ms >= at && ms < at + duration) expect(worldOf(dealer, 'hand_l').z).toBeGreaterThan(-0.35);
    }
    expect(poses.size).toBe(2);
  });
});

describe('a fast deal', () => {
  it.each(['four hands fast', 'six as_dealt fast kept'] as const)('is not chased by her hands: %s', (timeline) => {
    const dealer = newDealer('mei');
    const part = partOf(timeline.startsWith('four') ? 'tie' : 'banker', timelineOf(timeline), {
      closesUtcMs: null,
      dealsUtcMs: null,
    });
    dealer.take(part, null);
    const { fastest } = motionOf(dealer, -500, 3_000);
    expect(fastest).toBeLessThan(1.5);
  });
});

describe('at rest', () => {
  it('never stands quite still, and does not repeat itself', () => {
    const dealer = newDealer('mei');
    const seen = new Set<string>();
    for (let slot = 0; slot < 40; slot++) {
      dealer.frame(DEALS_MS + slot * 10_600, false);
      dealer.root.updateMatrixWorld(true);
      const look = dealer.root.getObjectByName('head')!.quaternion.toArray();
      seen.add(look.map((value) => value.toFixed(2)).join());
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it('keeps her hands on the rail and her motion small', () => {
    const dealer = newDealer('luca');
    const { fastest, hardest, at } = motionOf(dealer, -60_000, 0);
    expect(fastest).toBeLessThan(0.9);
    expect(hardest, at).toBeLessThan(12);
  });
});
