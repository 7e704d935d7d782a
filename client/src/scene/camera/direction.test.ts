import { describe, expect, it } from 'vitest';
import { PUSH_MS } from '../craft/ease';
import { LAB_COUPS, labDeal } from '../lab/coups';
import { coupTimes } from '../timeline';
import { direct, type Direction, tableView } from './direction';

const coup = coupTimes(labDeal(LAB_COUPS.banker, 0));
const at = (ms: number): Direction => direct(coup, ms, tableView());
const EVER = 1e7;

describe('the camera', () => {
  it('stands at the table view without a coup, long before one and long after', () => {
    expect(direct(null, 0, { dealing: 1, result: 1, side: 1 })).toEqual(tableView());
    for (const ms of [-PUSH_MS * 2, EVER]) expect(at(ms)).toMatchObject({ dealing: 0, result: 0 });
  });

  it('is close while cards are dealt, and closer to the winner at the result', () => {
    expect(at(coup.cards[1]!.draw.at)).toMatchObject({ dealing: 1, result: 0 });
    expect(at(coup.pay.at)).toEqual({ dealing: 1, result: 1, side: 1 });
    for (const outcome of ['player', 'tie'] as const) {
      const other = coupTimes(labDeal(LAB_COUPS[outcome], 0));
      expect(direct(other, other.pay.at, tableView()).side).toBe(outcome === 'player' ? -1 : 0);
    }
  });

  it('never jumps', () => {
    let last = at(-1000);
    const step = 16;
    for (let ms = -1000; ms < coup.clear.at + 3000; ms += step) {
      const now = at(ms);
      expect(Math.abs(now.dealing - last.dealing)).toBeLessThan(0.13);
      expect(Math.abs(now.result - last.result)).toBeLessThan(0.13);
      last = now;
    }
  });

  it('comes back where nothing is cleared', () => {
    const { clear: _, ...rest } = coup;
    const stays = { ...rest, clear: { at: Number.POSITIVE_INFINITY, duration: 0 } };
    expect(direct(stays, stays.pay.at + stays.pay.duration + PUSH_MS * 2, tableView())).toMatchObject({ dealing: 0, result: 0 });
  });

  it('keeps one framing when it is told to', () => {
    for (let ms = -500; ms < coup.clear.at; ms += 100) expect(direct(coup, ms, tableView(), true)).toEqual(tableView());
  });
});
