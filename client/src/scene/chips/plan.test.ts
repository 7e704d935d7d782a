import { describe, expect, it } from 'vitest';
import { LAB_COUPS, labDeal, labView } from '../lab/coups';
import { areaOf, CHIP, FELT_Y, TRAY } from '../layout';
import { coupTimes } from '../timeline';
import type { Area } from '../view';
import { ChipDrops } from './drops';
import { COLLECTING, poseStack, putChips, type StackPose } from './motion';
import { type PlannedStack, planStacks } from './plan';
import type { ChipValue } from './values';

const dealt = (outcome: Area): { stacks: PlannedStack[]; coup: ReturnType<typeof coupTimes> } => {
  const deal = labDeal(LAB_COUPS[outcome], 0);
  return { stacks: planStacks(labView('dealing', deal)), coup: coupTimes(deal) };
};
const pose = (): StackPose => ({ x: 0, y: 0, z: 0, scale: 0 });
const own = (stacks: readonly PlannedStack[], area: Area): PlannedStack =>
  stacks.find((one) => one.own && one.area === area)!;

describe('stacks on the areas', () => {
  it('stand inside their area, and no two in the same place', () => {
    const { stacks } = dealt('banker');
    const spots = stacks.flatMap(({ area, at, win, winAt }) =>
      win.length > 0
        ? [
            { area, at },
            { area, at: winAt },
          ]
        : [{ area, at }],
    );
    for (const { area, at } of spots) expect(areaOf(at)).toBe(area);
    spots.forEach(({ at: a }, i) =>
      spots
        .slice(i + 1)
        .forEach(({ at: b }) => expect(Math.hypot(a.x - b.x, a.z - b.z)).toBeGreaterThan(2 * CHIP.radius * 0.95)),
    );
  });

  it('know what becomes of them', () => {
    expect(own(dealt('banker').stacks, 'banker')).toMatchObject({ fate: 'won' });
    expect(own(dealt('banker').stacks, 'player')).toMatchObject({ fate: 'lost', win: [] });
    expect(own(dealt('tie').stacks, 'player')).toMatchObject({ fate: 'stays', win: [] });
    const others = (outcome: Area, area: Area): string | undefined =>
      dealt(outcome).stacks.find((one) => !one.own && one.area === area)?.fate;
    expect(others('tie', 'banker')).toBe('stays');
    expect(others('player', 'banker')).toBe('lost');
    expect(others('player', 'player')).toBe('won');
  });

  it('split a tower into two columns', () => {
    const view = {
      ...labView('betting', null),
      mine: [{ area: 'banker' as const, amountMinor: 2_498_000, placed: true, returnedMinor: null }],
    };
    const columns = planStacks(view).filter((one) => one.own);
    expect(columns.map((one) => one.chips.length)).toEqual([10, 7]);
  });
});

describe('settling', () => {
  it('takes a losing stack to the tray and away', () => {
    const { stacks, coup } = dealt('banker');
    const lost = own(stacks, 'player');
    expect(poseStack(lost, 'stake', coup, coup.collect.at, pose())).toMatchObject({ ...lost.at, scale: 1 });
    const late = poseStack(lost, 'stake', coup, coup.collect.at + coup.collect.duration * COLLECTING.over, pose());
    expect(late.z).toBeLessThan(TRAY.z + 0.02);
    expect(poseStack(lost, 'stake', coup, coup.collect.at + coup.collect.duration, pose()).scale).toBe(0);
  });

  it('sets the win beside a winning stack, which stays', () => {
    const { stacks, coup } = dealt('banker');
    const won = own(stacks, 'banker');
    expect(poseStack(won, 'win', coup, coup.pay.at, pose()).scale).toBe(0);
    const paid = poseStack(won, 'win', coup, coup.pay.at + coup.pay.duration, pose());
    expect(paid.x).toBeCloseTo(won.winAt.x, 6);
    expect(paid.z).toBeCloseTo(won.winAt.z, 6);
    expect(paid.scale).toBe(1);
    expect(poseStack(won, 'stake', coup, coup.clear.at, pose())).toMatchObject({ ...won.at, scale: 1 });
  });

  it('clears what is left', () => {
    const { stacks, coup } = dealt('tie');
    for (const stack of stacks) {
      expect(poseStack(stack, 'stake', coup, coup.clear.at + coup.clear.duration, pose()).scale).toBe(0);
    }
  });

  it('leaves staged chips for the coup that comes', () => {
    const deal = labDeal(LAB_COUPS.banker, 0);
    const coup = coupTimes(deal);
    const staged = own(planStacks(labView('dealing', deal, false)), 'player');
    expect(poseStack(staged, 'stake', coup, coup.clear.at + 5_000, pose())).toMatchObject({ ...staged.at, scale: 1 });
  });
});

describe('chips that are added', () => {
  const view = (amountMinor: number): PlannedStack[] =>
    planStacks({
      ...labView('betting', null),
      others: {},
      mine: [{ area: 'tie', amountMinor, placed: false, returnedMinor: null }],
    });
  const heights = (stack: PlannedStack, drops: ChipDrops, now: number): number[] => {
    const ys: number[] = [];
    const put = (_value: ChipValue, _x: number, y: number): void => void ys.push(y);
    putChips(stack.chips, poseStack(stack, 'stake', null, 0, pose()), 1, drops.at(stack.id, now), put);
    return ys;
  };

  it('fall onto those that stand, and come to rest', () => {
    const drops = new ChipDrops();
    drops.notice(view(10_000));
    const [stack] = view(12_000);
    drops.notice([stack!]);
    const resting = [FELT_Y + 0.0004 + CHIP.height / 2, FELT_Y + 0.0004 + CHIP.height * 1.5];
    const [bottom, top] = heights(stack!, drops, 1_000);
    expect(bottom).toBeCloseTo(resting[0]!, 6);
    expect(top).toBeGreaterThan(resting[1]! + 0.05);
    expect(heights(stack!, drops, 2_000)[1]).toBeCloseTo(resting[1]!, 6);
  });

  it('stand at once for one who has just come', () => {
    const drops = new ChipDrops();
    drops.notice(view(12_000));
    expect(drops.at('mine-tie-0', 0)).toBeNull();
  });
});
