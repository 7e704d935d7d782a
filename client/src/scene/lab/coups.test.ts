import { expect, it } from 'vitest';
import { type TimelineName, timelineOf } from '../../testing/dealer';
import { LAB_COUPS, type LabCoupName, labTimeline } from './coups';

const SAME: readonly (readonly [LabCoupName, TimelineName])[] = [
  ['tie', 'four hands'],
  ['five', 'five_player hands'],
  ['stands', 'five_banker hands'],
  ['banker', 'six hands'],
];

it.each(SAME)('the lab times %s as the server times %s', (coup, timeline) => {
  const told = timelineOf(timeline).map(({ points: _, ...gesture }) => gesture);
  expect(labTimeline(LAB_COUPS[coup])).toEqual(told);
});
