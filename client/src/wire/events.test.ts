import { describe, expect, it } from 'vitest';
import golden from '../../../tests/golden/coup.json';
import { type CoupDealt, type Snapshot, unpacked } from './events';
import type { ServerEvent } from './generated';

const told = golden.told as unknown as ServerEvent[];
const find = (type: string): unknown => {
  const event = told.find((one) => one.type === type);
  return event && unpacked(event);
};

describe('what everybody is told', () => {
  it('has names for the gestures, the roads and the limits', () => {
    const dealt = find('coup_dealt') as CoupDealt;
    expect(dealt.timeline[0]).toEqual({ act: 'draw', at_ms: expect.any(Number), dur_ms: expect.any(Number), side: 'player', index: 0 });
    const banker = dealt.timeline.filter((one) => one.act === 'turn' && one.side === 'banker');
    expect(banker.map((one) => one.index)).toEqual(dealt.banker_cards.map((_, index) => index));
    expect(banker.at(-1)?.points).toBe(dealt.banker_points);
    expect(dealt.timeline.at(-1)).toEqual({ act: 'clear', at_ms: expect.any(Number), dur_ms: expect.any(Number) });
    expect(dealt.roads.counts.coups).toBe(1);
    expect(dealt.roads.boards.bead_plate).toHaveLength(1);
    expect(Object.keys(dealt.roads.if_player)).toEqual(['big_eye_boy', 'small_road', 'cockroach_road']);
    const snapshot = find('snapshot') as Snapshot;
    expect(snapshot.opened?.areas.map((one) => [one.area, one.pays_numerator])).toEqual([['player', 1], ['banker', 1], ['tie', 8]]);
  });

  it('is otherwise left as it came', () => {
    const receipt = told.find((one) => one.type === 'receipt');
    expect(receipt && unpacked(receipt)).toBe(receipt);
  });
});
