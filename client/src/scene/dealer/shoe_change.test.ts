import { describe, expect, it } from 'vitest';
import { DEALERS, DEALS_MS, newDealer, partOf, worldOf } from '../../testing/dealer';
import { DISCARD, FELT_Y, SHOE } from '../layout';
import { changesShoe, type Part } from './score';
import { changeStage, FRESH, packPose, posePack, SHOE_CHANGE_MS, SPENT } from './shoe_change';
import { HANDS } from './skeleton';

const BROUGHT = DEALS_MS - 60_000;
const opening: Part = { ...partOf('banker'), coup: null, stacks: [], newShoeUtcMs: BROUGHT };
const at = (ms: number) => posePack(ms, packPose());

describe('the packs of a new shoe', () => {
  it('the spent one leaves the holder and goes below the table', () => {
    expect(changeStage(SPENT.lifts - 1)).toBe(0);
    expect(at(SPENT.lifts)).toMatchObject({ visible: true, x: DISCARD.x, z: DISCARD.z });
    const gone = at(SPENT.to - 1);
    expect(gone.y + gone.height / 2).toBeLessThan(FELT_Y);
    expect(at(SPENT.to).visible).toBe(false);
  });

  it('the fresh one comes up from there and ends in the shoe', () => {
    const first = at(FRESH.comes);
    expect(first.visible).toBe(true);
    expect(first.y + first.height / 2).toBeLessThan(FELT_Y);
    const last = at(FRESH.to - 1);
    expect(last.x).toBeCloseTo(SHOE.x, 3);
    expect(last.z).toBeCloseTo(SHOE.z, 3);
    expect(last.yaw).toBeCloseTo(SHOE.yaw, 3);
    expect(changeStage(SHOE_CHANGE_MS)).toBe(4);
  });

  it('neither passes through the table or the holder on its way', () => {
    for (let ms = SPENT.lifts; ms < FRESH.to; ms += 16) {
      const { visible, x, y, z, height } = at(ms);
      const overFelt = z > -0.36 && Math.hypot(x - DISCARD.x, z - DISCARD.z) > 0.02;
      if (visible && overFelt && Math.hypot(x - SHOE.x, z - SHOE.z) > 0.02) expect(y - height / 2).toBeGreaterThan(FELT_Y);
    }
  });
});

describe.each(DEALERS)('%s', (who) => {
  it('has both hands at the fresh pack, and reaches it', () => {
    const dealer = newDealer(who);
    dealer.take(opening, null);
    for (let ms = FRESH.from; ms <= FRESH.to; ms += 16) {
      dealer.frame(BROUGHT + ms, false);
      dealer.root.updateMatrixWorld(true);
      const pack = at(ms);
      for (const side of HANDS) {
        expect(dealer.held(side, BROUGHT + ms)).toEqual({ what: 'pack' });
        expect(dealer.rig.missed[side]).toBeLessThan(1e-6);
        const hand = worldOf(dealer, `middle_03_${side}`);
        expect(Math.hypot(hand.x - pack.x, hand.z - pack.z)).toBeLessThan(0.13);
      }
    }
  });
});

describe('a new shoe', () => {
  it('is brought before all eyes only where there is a clock and time for it', () => {
    expect(changesShoe(opening)).toBe(true);
    expect(changesShoe({ ...opening, closesUtcMs: null })).toBe(false);
    expect(changesShoe({ ...opening, closesUtcMs: BROUGHT + 4_000 })).toBe(false);
    expect(changesShoe({ ...opening, newShoeUtcMs: null })).toBe(false);
  });
});
