/** What a frame of her costs. */

/// <reference types="node" />

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DEALS_MS, endOf, FRAME_MS, newDealer, partOf } from '../../testing/dealer';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const used = (): number => process.memoryUsage().heapUsed;

describe('a frame', () => {
  const dealer = newDealer('mei');
  const part = partOf('banker');
  dealer.take(part, { atUtcMs: DEALS_MS, letters: 400 });
  const round = (): number => {
    let frames = 0;
    for (let ms = -12_000; ms < endOf(part.coup) + 4_000; ms += FRAME_MS) {
      dealer.frame(DEALS_MS + ms, false);
      frames++;
    }
    return frames;
  };

  it('leaves nothing behind but numbers', () => {
    let bytes = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 6; i++) {
      collect();
      const before = used();
      const frames = round();
      bytes = Math.min(bytes, (used() - before) / frames);
    }
    // what remains, about a kilobyte, are numbers that the engine boxes between functions; the sampler shows no other
    expect(bytes).toBeLessThan(2_048);
  });

  it('takes well under half a millisecond', () => {
    const begun = performance.now();
    const frames = round();
    expect((performance.now() - begun) / frames).toBeLessThan(0.4);
  });
});
