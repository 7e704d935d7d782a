/** What a frame of her leaves for the collector. */

/// <reference types="node" />

import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { DEALS_MS, endOf, FRAME_MS, newDealer, partOf } from '../../testing/dealer';

// as it is written: when the engine compiles, and what it then notes and joins, depends on the machine
setFlagsFromString('--no-opt');

/** A number on the heap, as the engine boxes it between functions. */
const NUMBER_BYTES = 16;

/** What the sampler tells, as the inspector's protocol has it. */
interface Profile {
  readonly head: ProfileNode;
  readonly samples: readonly { readonly nodeId: number; readonly size: number }[];
}
interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string };
  readonly children: readonly ProfileNode[];
}

/** Some frames of a round are drawn, in every gesture, for the sampler stops at each of their many numbers. */
const STEP_MS = 60 * FRAME_MS;

/** The places below `inside` where something bigger than a number was allocated, with how often. */
function places(profile: Profile, inside: string): Map<string, number> {
  const named = new Map<number, string>();
  const walk = (node: ProfileNode, above: string): void => {
    const here = above || node.callFrame.functionName === inside ? `${above} ${node.callFrame.functionName}` : '';
    named.set(node.id, here);
    for (const child of node.children) walk(child, here);
  };
  walk(profile.head, '');
  const found = new Map<string, number>();
  for (const { nodeId, size } of profile.samples) {
    const place = named.get(nodeId);
    if (place && size > NUMBER_BYTES) found.set(`${place}: ${size} bytes`, (found.get(`${place}: ${size} bytes`) ?? 0) + 1);
  }
  return found;
}

it('leaves nothing behind but numbers', { timeout: 120_000 }, async () => {
  const dealer = newDealer('mei');
  const part = partOf('banker');
  dealer.take(part, { atUtcMs: DEALS_MS, letters: 400 });
  let frames = 0;
  const round = (): void => {
    frames = 0;
    for (let ms = -12_000; ms < endOf(part.coup) + 4_000; ms += STEP_MS) {
      dealer.frame(DEALS_MS + ms, false);
      frames++;
    }
  };
  for (let i = 0; i < 3; i++) round(); // the first make what is kept
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 1,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  round();
  const profile = (await session.post('HeapProfiler.stopSampling')).profile as unknown as Profile;
  session.disconnect();
  expect(profile.samples.length).toBeGreaterThan(frames); // it sees the numbers
  // what the engine notes of its own comes now and then; a gesture's own is in a sixth of the frames
  const often = [...places(profile, 'round')].filter(([, times]) => times > frames / 10);
  expect(often).toEqual([]);
});
