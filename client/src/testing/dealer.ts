/** A dealer of bones alone, at work: for tests that measure. */

import { Vector3 } from 'three';
import timelines from '../../../tests/golden/timelines.json';
import { planStacks } from '../scene/chips/plan';
import { Dealer } from '../scene/dealer/dealer';
import type { Part } from '../scene/dealer/score';
import { LAB_COUPS, type LabCoupName, labDeal, labView } from '../scene/lab/coups';
import { type CoupTimes, coupTimes } from '../scene/timeline';
import type { Deal, Gesture } from '../scene/view';
import { skeletonOf } from './skeleton';

export const DEALERS = ['mei', 'luca'] as const;
export const DEALS_MS = 1_767_729_600_000;
export const FRAME_MS = 16;
export type TimelineName = keyof typeof timelines;

/** The timeline as the server wrote it. */
export const timelineOf = (name: TimelineName): Gesture[] => timelines[name] as Gesture[];

/** `timeline`: another one than the lab's. */
export function partOf(name: LabCoupName, timeline?: Gesture[], more: Partial<Part> = {}): Part & { coup: CoupTimes } {
  const deal: Deal = { ...labDeal(LAB_COUPS[name], DEALS_MS), ...(timeline === undefined ? {} : { timeline }) };
  return {
    leaving: null,
    stacks: planStacks(labView('dealing', deal)),
    closesUtcMs: DEALS_MS - 10_000,
    dealsUtcMs: DEALS_MS,
    newShoeUtcMs: null,
    ...more,
    coup: coupTimes(deal),
  };
}

export const newDealer = (who: (typeof DEALERS)[number]): Dealer => new Dealer(skeletonOf(who));

/** When the last gesture ends, ms since the deal. */
export const endOf = ({ clear, pay }: CoupTimes): number =>
  Number.isFinite(clear.at) ? clear.at + clear.duration : pay.at + pay.duration;

export function worldOf(dealer: Dealer, bone: string): Vector3 {
  const node = dealer.root.getObjectByName(bone);
  if (node === undefined) throw new Error(`no bone ${bone}`);
  return node.getWorldPosition(new Vector3());
}
