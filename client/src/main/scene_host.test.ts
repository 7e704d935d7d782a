import { describe, expect, it } from 'vitest';
import { Chooser, rememberedTiers } from '../scene/chooser';
import type { TierName } from '../scene/quality';
import { labView } from '../scene/lab/coups';
import { NoWebGLError, type Stage, type StageOptions } from '../scene/view';
import { PATIENCE_MS, SceneHost, type Wish } from './scene_host';

const WISH: Wish = { quality: 'high', felt: 'emerald', dealer: 'female', reducedMotion: false, cameraMoves: true };

class FakeStage implements Stage {
  disposed = false;
  frames: number[] = [];
  shown: unknown[] = [];
  felts: (string | undefined)[] = [];
  breaks: Error | null = null;

  constructor(readonly options: StageOptions) {}

  show(view: unknown): void {
    this.shown.push(view);
  }
  set({ felt }: { felt?: string }): void {
    this.felts.push(felt);
  }
  frame(nowUtcMs: number): boolean {
    if (this.breaks !== null) throw this.breaks;
    this.frames.push(nowUtcMs);
    return true;
  }
  resize(): void {}
  project = (): { x: number; y: number } => ({ x: 0, y: 0 });
  areaAt = (): null => null;
  areaOutline = (): [] => [];
  stats(): ReturnType<Stage['stats']> {
    return { calls: 0, triangles: 0, geometries: 0, textures: 0, textureBytes: 0 };
  }
  dispose(): void {
    this.disposed = true;
  }
}

class FakeCanvas extends EventTarget {
  there = true;
  remove(): void {
    this.there = false;
  }
}

interface Rehearsal {
  readonly host: SceneHost;
  readonly stages: FakeStage[];
  readonly canvases: FakeCanvas[];
  /** What stood after each change. */
  readonly log: string[];
  /** The tiers that a later visit knows to be too dear. */
  failed(): TierName[];
  /** Lets the n-th stage that was asked for be there, or fail. */
  built(n: number, error?: Error): Promise<void>;
  pass(ms: number): void;
  live(): number;
}

function browserStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) };
}

function rehearse(
  guess: TierName = 'high',
  cost: Readonly<Record<TierName, number>> = { low: 5, medium: 10, high: 10 },
  storage = browserStorage(),
): Rehearsal {
  const stages: FakeStage[] = [];
  const canvases: FakeCanvas[] = [];
  const waiting: { stand(): void; fail(error: Error): void }[] = [];
  const log: string[] = [];
  let timers: { at: number; act: () => void }[] = [];
  let nowMs = 0;
  const chooser = new Chooser(guess, rememberedTiers(storage));
  const host: SceneHost = new SceneHost(
    {
      canvas: () => {
        const canvas = new FakeCanvas();
        canvases.push(canvas);
        return canvas as unknown as HTMLCanvasElement;
      },
      createStage: (_canvas, options) =>
        new Promise((resolve, reject) => {
          waiting.push({
            stand: () => {
              const stage = new FakeStage(options);
              stages.push(stage);
              resolve(stage);
            },
            fail: reject,
          });
        }),
      after: (ms, act) => {
        const timer = { at: nowMs + ms, act };
        timers.push(timer);
        return () => (timers = timers.filter((one) => one !== timer));
      },
      clock: () => nowMs,
      changed: () => log.push(host.why ?? `scene ${host.tier}`),
      complain: () => undefined,
    },
    chooser,
  );
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 8; i++) await Promise.resolve();
  };
  return {
    host,
    stages,
    canvases,
    log,
    failed: () => [...rememberedTiers(storage).failed],
    async built(n, error) {
      if (error === undefined) waiting[n]!.stand();
      else waiting[n]!.fail(error);
      await settle();
    },
    pass(ms) {
      const end = nowMs + ms;
      while (nowMs < end) {
        nowMs += Math.max(17, cost[host.tier ?? 'low']);
        host.beat(nowMs);
        host.frame(nowMs);
        const due = timers.filter((timer) => timer.at <= nowMs);
        timers = timers.filter((timer) => timer.at > nowMs);
        for (const timer of due) timer.act();
      }
    },
    live: () => canvases.filter((canvas) => canvas.there).length,
  };
}

async function standing(): Promise<Rehearsal> {
  const one = rehearse();
  one.host.want(WISH);
  one.host.show(labView('betting', null));
  await one.built(0);
  return one;
}

describe('the 3D table on a page', () => {
  it('stands once it is there, with what was to be shown in the meantime', async () => {
    const { host, stages, log } = await standing();
    expect(log).toEqual(['scene high']);
    expect(host.why).toBe(null);
    expect(stages[0]!.shown).toHaveLength(1);
    expect(stages[0]!.frames).toHaveLength(1);
  });

  it('says that there is no WebGL, and tries again when asked', async () => {
    const one = rehearse();
    one.host.want(WISH);
    await one.built(0, new NoWebGLError());
    expect(one.log).toEqual(['none']);
    expect(one.live()).toBe(0);
    one.host.retry();
    await one.built(1);
    expect(one.log).toEqual(['none', 'laying', 'scene high']);
  });

  it('changes the tier without a gap: the old stage goes when the new one has drawn', async () => {
    const one = await standing();
    one.host.want({ ...WISH, quality: 'low' });
    expect([one.host.why, one.live(), one.stages[0]!.disposed]).toEqual([null, 2, false]);
    await one.built(1);
    expect(one.log).toEqual(['scene high', 'scene low']);
    expect(one.stages.map(({ disposed }) => disposed)).toEqual([true, false]);
    expect(one.stages[1]!.frames).toHaveLength(1);
    expect(one.live()).toBe(1);
  });

  it('keeps the old tier when the new one cannot be had', async () => {
    const one = await standing();
    one.host.want({ ...WISH, quality: 'low' });
    await one.built(1, new Error('no memory'));
    expect([one.host.why, one.host.tier, one.live()]).toEqual([null, 'high', 1]);
  });

  it('throws away what comes after something newer was asked for', async () => {
    const one = rehearse();
    one.host.want(WISH);
    one.host.want({ ...WISH, quality: 'medium' });
    one.host.want({ ...WISH, quality: 'low' });
    await one.built(2);
    await one.built(0);
    await one.built(1);
    expect(one.log).toEqual(['scene low']);
    expect(one.stages.map(({ options, disposed }) => [options.quality, disposed])).toEqual([
      ['low', false],
      ['high', true],
      ['medium', true],
    ]);
    expect(one.live()).toBe(1);
  });

  it('applies another felt at once, to the stage that stands and to the one that comes', async () => {
    const one = await standing();
    one.host.want({ ...WISH, felt: 'teal' });
    expect(one.stages[0]!.felts.at(-1)).toBe('teal');
    expect(one.live()).toBe(1);
    one.host.want({ ...WISH, quality: 'low', felt: 'teal' });
    one.host.want({ ...WISH, quality: 'low', felt: 'onyx' });
    await one.built(1);
    expect(one.stages[1]!.felts.at(-1)).toBe('onyx');
  });

  it('gives way to the flat table when the patron wants it, and comes back', async () => {
    const one = await standing();
    one.host.want({ ...WISH, quality: 'flat' });
    expect([one.log.at(-1), one.live(), one.stages[0]!.disposed]).toEqual(['chosen', 0, true]);
    one.host.want(WISH);
    await one.built(1);
    expect(one.log.slice(-2)).toEqual(['laying', 'scene high']);
  });

  it('is flat from the start when the patron wants that, without fetching a scene', async () => {
    const one = rehearse();
    one.host.want({ ...WISH, quality: 'flat' });
    expect([one.log, one.canvases.length]).toEqual([['chosen'], 0]);
  });
});

describe('when the graphics card goes away', () => {
  it('the flat table stands in at once, and the 3D one comes back with the present', async () => {
    const one = await standing();
    one.canvases[0]!.dispatchEvent(new Event('webglcontextlost'));
    expect(one.host.why).toBe('lost');
    const newest = labView('closing', null);
    one.host.show(newest);
    one.pass(1_000);
    const drawn = one.stages[0]!.frames.length;
    one.canvases[0]!.dispatchEvent(new Event('webglcontextrestored'));
    expect(one.log).toEqual(['scene high', 'lost', 'scene high']);
    expect(one.stages[0]!.shown.at(-1)).toBe(newest);
    expect(one.stages[0]!.frames).toHaveLength(drawn + 1);
    one.pass(2 * PATIENCE_MS);
    expect(one.host.why).toBe(null);
  });

  it('is not waited for longer than five seconds; then a retry is offered, and works', async () => {
    const one = await standing();
    one.canvases[0]!.dispatchEvent(new Event('webglcontextlost'));
    one.pass(PATIENCE_MS - 100);
    expect(one.host.why).toBe('lost');
    one.pass(200);
    expect([one.host.why, one.live(), one.stages[0]!.disposed]).toEqual(['gone', 0, true]);
    one.host.want({ ...WISH, felt: 'teal' });
    expect(one.host.why).toBe('gone');
    one.host.retry();
    await one.built(1);
    expect(one.log).toEqual(['scene high', 'lost', 'gone', 'laying', 'scene high']);
  });

  it('a loss while another tier is being built ends with that tier', async () => {
    const one = await standing();
    one.host.want({ ...WISH, quality: 'low' });
    one.canvases[0]!.dispatchEvent(new Event('webglcontextlost'));
    await one.built(1);
    one.pass(2 * PATIENCE_MS);
    expect([one.host.why, one.host.tier, one.live()]).toEqual([null, 'low', 1]);
  });
});

describe('an error while drawing', () => {
  it('leaves the flat table, and nothing behind', async () => {
    const one = await standing();
    one.stages[0]!.breaks = new Error('shader');
    expect(one.host.frame(5)).toBe(false);
    expect([one.host.why, one.live(), one.stages[0]!.disposed]).toEqual(['broke', 0, true]);
  });
});

describe('the tier by measurement', () => {
  it('is rebuilt one step down where frames are slow, and the failure is remembered', async () => {
    const one = rehearse('high', { low: 5, medium: 15, high: 60 });
    one.host.want({ ...WISH, quality: 'auto' });
    await one.built(0);
    one.pass(6_000);
    await one.built(1);
    expect([one.host.tier, one.failed(), one.live()]).toEqual(['medium', ['high'], 1]);
    one.pass(60_000);
    expect(one.canvases).toHaveLength(2);
  });

  it('is left alone where a tier was asked for', async () => {
    const one = rehearse('high', { low: 5, medium: 60, high: 60 });
    one.host.want({ ...WISH, quality: 'high' });
    await one.built(0);
    one.pass(30_000);
    expect(one.canvases).toHaveLength(1);
  });

  it('gives way to the flat table where even the cheapest tier holds the page up, until it is asked for again', async () => {
    const one = rehearse('low', { low: 700, medium: 700, high: 700 });
    one.host.want({ ...WISH, quality: 'auto' });
    await one.built(0);
    one.pass(12_000);
    expect([one.host.why, one.live(), one.stages[0]!.disposed]).toEqual(['slow', 0, true]);
    one.host.want({ ...WISH, quality: 'auto', felt: 'teal' });
    expect(one.canvases).toHaveLength(1);
    one.host.retry();
    await one.built(1);
    expect([one.host.why, one.live()]).toEqual([null, 1]);
  });

  it('is not put up again at the next visit where it held the page up, until the patron asks for it', async () => {
    const storage = browserStorage();
    const [TOO_DEAR, DEAR] = [{ low: 700, medium: 700, high: 700 }, { low: 30, medium: 60, high: 60 }];
    const auto = { ...WISH, quality: 'auto' } as const;
    const first = rehearse('medium', TOO_DEAR, storage);
    first.host.want({ ...auto, quality: 'low' });
    await first.built(0);
    first.pass(12_000);
    expect([first.host.why, first.failed()]).toEqual([null, []]);
    first.host.want(auto);
    await first.built(1);
    first.pass(12_000);
    await first.built(2);
    first.pass(12_000);
    expect([first.host.why, first.failed()]).toEqual(['slow', ['medium', 'low']]);

    const second = rehearse('high', DEAR, storage);
    second.host.want(auto);
    expect([second.host.why, second.canvases.length]).toEqual(['slow', 0]);
    second.host.want({ ...WISH, quality: 'low' });
    second.host.want(auto);
    await second.built(0);
    expect([second.host.why, second.live()]).toEqual(['slow', 0]);
    second.host.retry();
    await second.built(1);
    second.pass(12_000);
    expect([second.host.why, second.host.tier, second.failed()]).toEqual([null, 'low', ['medium']]);
  });

  it('stays, slow as it is, where the patron has chosen it', async () => {
    const one = rehearse('low', { low: 700, medium: 700, high: 700 });
    one.host.want({ ...WISH, quality: 'low' });
    await one.built(0);
    one.pass(60_000);
    expect([one.host.why, one.live()]).toEqual([null, 1]);
  });
});

it('leaves no canvas and no stage behind, however often a table is opened and left', async () => {
  for (let visit = 0; visit < 10; visit++) {
    const one = await standing();
    one.host.want({ ...WISH, quality: 'low' });
    one.host.dispose();
    await one.built(1);
    expect(one.live()).toBe(0);
    expect(one.stages.every(({ disposed }) => disposed)).toBe(true);
  }
});
