/** Figures of the scene, for `make bench` and for the tests that hold its budgets. Called from outside the page. */

import { noise } from '../craft/pen';
import { createStage, type TableStage } from '../stage';
import type { Area, SceneView, StageOptions, StageStats } from '../view';
import { type LabCoup, labDeal, labView } from './coups';

export interface ScriptFigures {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** New on the heap for each frame, as far as the browser tells. */
  readonly bytesPerFrame: number;
}

export interface CoupFigures {
  readonly coups: number;
  readonly before: StageStats & { heapBytes: number };
  readonly after: StageStats & { heapBytes: number };
}

interface Memory {
  readonly memory?: { readonly usedJSHeapSize: number };
}

const FRAME_MS = 1000 / 60;
const GRID = 12;
const DEAL_UTC_MS = 1_767_729_600_000;

/** Needs `--js-flags=--expose-gc --enable-precise-memory-info`; 0 without them. */
function heapBytes(): number {
  (window as { gc?: () => void }).gc?.();
  return (performance as Memory).memory?.usedJSHeapSize ?? 0;
}

/** Script of a frame without the drawing, over a coup from idle to cleared table and at rest. */
export function measureScript(stage: TableStage, coup: LabCoup): ScriptFigures {
  const deal = labDeal(coup, DEAL_UTC_MS);
  const last = Math.max(...deal.timeline.map(({ at_ms, dur_ms }) => at_ms + dur_ms));
  stage.show(labView('dealing', deal));
  const run = (times: number[]): void => {
    for (let ms = -1000; ms < last + 2000; ms += FRAME_MS) {
      const began = performance.now();
      stage.pose(DEAL_UTC_MS + ms);
      times.push(performance.now() - began);
    }
  };
  run([]);
  const times: number[] = [];
  run(times);
  times.sort((one, other) => one - other);
  return {
    frames: times.length,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    p95Ms: times[Math.floor(times.length * 0.95)] ?? 0,
    bytesPerFrame: measureAllocation(stage),
  };
}

const ALLOCATION_FRAMES = 400;

/** The table at rest, chips on it, nothing new: the smallest of some runs, for the browser allocates by itself too. */
function measureAllocation(stage: TableStage): number {
  stage.show(labView('betting', null));
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) {
    const before = heapBytes();
    const from = DEAL_UTC_MS + 100_000 + run * 50_000;
    for (let frame = 0; frame < ALLOCATION_FRAMES; frame++) stage.pose(from + frame * FRAME_MS);
    runs.push(((performance as Memory).memory?.usedJSHeapSize ?? 0) - before);
  }
  return Math.round(Math.min(...runs.slice(1)) / ALLOCATION_FRAMES);
}

const FRAMES_EACH = 8;
/** Software draws slowly: of so many coups one is drawn, the others are only posed. */
const DRAWN_EVERY = 5;
/** Until then shaders are compiled, and code is optimised. */
const WARM_UP = 60;

/** Plays so many different coups, some frames each; memory is taken once all kinds of things have been seen, and last. */
export function playCoups(stage: TableStage, coups: number): CoupFigures {
  const random = noise(29);
  const cards = [...'SHDC'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));
  const draw = (count: number): string[] => Array.from({ length: count }, () => cards[Math.floor(random() * 52)]!);
  const outcomes: readonly Area[] = ['player', 'banker', 'tie'];
  const figures = (): CoupFigures['before'] => ({ ...stage.stats(), heapBytes: heapBytes() });
  let now = DEAL_UTC_MS;
  let before = figures();
  for (let number = 0; number < coups; number++) {
    if (number === WARM_UP) before = figures();
    const coup: LabCoup = {
      player: draw(random() > 0.5 ? 3 : 2),
      banker: draw(random() > 0.5 ? 3 : 2),
      outcome: outcomes[Math.floor(random() * 3)]!,
    };
    now += 60_000;
    const view: SceneView = labView('dealing', labDeal(coup, now));
    view.cardsLeft = 416 - ((number * 5) % 400);
    view.others = { player: Math.floor(random() * 5e6), tie: Math.floor(random() * 1e5), banker: Math.floor(random() * 5e6) };
    stage.show(view);
    for (let frame = 0; frame < FRAMES_EACH; frame++) stage.pose(now + 14_000 * random());
    if (number % DRAWN_EVERY === 0) stage.frame(now + 12_000 * random());
    stage.show(labView('betting', null));
    stage.pose(now + 20_000);
  }
  return { coups, before, after: figures() };
}

/** Opens and leaves a stage so many times; answers how many of their canvases are still in memory. */
export async function openAndLeave(times: number, options: StageOptions): Promise<number> {
  const canvases: WeakRef<HTMLCanvasElement>[] = [];
  const visit = async (): Promise<void> => {
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    canvases.push(new WeakRef(canvas));
    const stage = await createStage(canvas, options);
    stage.show(labView('betting', null));
    stage.frame(DEAL_UTC_MS);
    stage.dispose();
    canvas.remove();
  };
  for (let time = 0; time < times; time++) await visit();
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    heapBytes();
  }
  return canvases.filter((one) => one.deref() !== undefined).length;
}

/** How light the canvas is in each field of a coarse grid, 0 … 255, right after a frame at `utcMs`. */
export function pictureOf(stage: TableStage, canvas: HTMLCanvasElement, utcMs: number): number[] {
  stage.frame(utcMs);
  const { width, height } = canvas;
  const gl = canvas.getContext('webgl2')!;
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const sums = new Array<number>(GRID * GRID).fill(0);
  for (let i = 0; i < width * height; i++) {
    const field = Math.floor(((i % width) * GRID) / width) + GRID * Math.floor((Math.floor(i / width) * GRID) / height);
    sums[field] = sums[field]! + pixels[4 * i]! + pixels[4 * i + 1]! + pixels[4 * i + 2]!;
  }
  return sums.map((sum) => (sum * GRID * GRID) / (3 * width * height));
}
