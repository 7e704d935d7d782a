/**
 * The 3D table on a page: puts it up, changes it for another tier without a gap, and says when the flat table has to
 * stand in. It touches no browser by itself, so that every fault can be rehearsed.
 */

import type { Chooser } from '../scene/chooser';
import { Pulse } from '../scene/pulse';
import type { TierName } from '../scene/quality';
import type { Area, SceneView, ScreenPoint, Stage, StageOptions } from '../scene/view';

/**
 * Why the flat table stands: `chosen` by the patron; `laying`, the 3D one is on its way; `none`, there is no WebGL;
 * `lost`, the graphics card went away a moment ago; `gone`, it did not come back; `broke`, an error while drawing;
 * `slow`, the cheapest tier held the page up.
 */
export type FlatWhy = 'chosen' | 'laying' | 'none' | 'lost' | 'gone' | 'broke' | 'slow';

export interface Wish extends Omit<StageOptions, 'quality'> {
  readonly quality: 'auto' | 'flat' | TierName;
}

/** What the host needs of its page. */
export interface HostPage {
  /** A new canvas below all others. */
  canvas(): HTMLCanvasElement;
  /** @throws NoWebGLError when the browser gives no context. */
  createStage(canvas: HTMLCanvasElement, options: StageOptions): Promise<Stage>;
  /** Calls back once after so many ms; answers how to call it off. */
  after(ms: number, act: () => void): () => void;
  /** Milliseconds of a clock that never goes back. */
  clock(): number;
  /** Another table stands now: lay out again. */
  changed(): void;
  complain(error: unknown): void;
}

/** A graphics card that has not come back by then is not waited for. */
export const PATIENCE_MS = 5_000;

interface Standing {
  readonly stage: Stage;
  readonly canvas: HTMLCanvasElement;
  readonly tier: TierName;
}

export class SceneHost {
  private standing: Standing | null = null;
  private flatWhy: FlatWhy | null = 'laying';
  private wish: Wish | null = null;
  private view: SceneView | null = null;
  private free: { top: number; bottom: number } | null = null;
  private nowUtcMs = 0;
  /** Counts the stages that were asked for; only the last one may stand. */
  private asked = 0;
  private building: TierName | null = null;
  private stopWaiting: (() => void) | null = null;
  private over = false;
  private readonly pulse = new Pulse();

  constructor(
    private readonly page: HostPage,
    private readonly chooser: Chooser,
  ) {}

  /** null while the 3D table stands. */
  get why(): FlatWhy | null {
    return this.flatWhy;
  }

  /** The stage that stands, for whoever asks where things are on the screen. */
  get stage(): Stage | null {
    return this.flatWhy === null ? (this.standing?.stage ?? null) : null;
  }

  get tier(): TierName | null {
    return this.standing?.tier ?? null;
  }

  /** Take what the patron wants; the rest of it is applied at once, another tier or dealer is built beside the old one. */
  want(wish: Wish): void {
    const before = this.wish;
    this.wish = wish;
    if (wish.quality === 'flat') {
      this.asked++;
      this.building = null;
      this.drop('chosen');
      return;
    }
    const { reducedMotion, cameraMoves, felt } = wish;
    this.standing?.stage.set({ reducedMotion, cameraMoves, felt });
    const gone = this.flatWhy !== null && this.flatWhy !== 'chosen' && this.flatWhy !== 'laying';
    if (before !== null && sameStage(before, wish) && (gone || this.standing !== null || this.building !== null)) return;
    void this.build();
  }

  /** Try once more, after the 3D table was given up. */
  retry(): void {
    if (this.over || this.standing !== null || this.building !== null || this.wish?.quality === 'flat') return;
    this.chooser.tryAgain();
    this.flatWhy = 'laying';
    this.page.changed();
    void this.build();
  }

  show(view: SceneView): void {
    this.view = view;
    if (this.flatWhy === null) this.guarded((stage) => stage.show(view));
  }

  resize(free: { top: number; bottom: number }): void {
    this.free = free;
    if (this.flatWhy === null) this.guarded((stage) => stage.resize(free));
  }

  /** Draws, if there is something to draw on; answers whether places on the screen are new. */
  frame(nowUtcMs: number): boolean {
    this.nowUtcMs = nowUtcMs;
    const { standing } = this;
    if (standing === null || this.flatWhy !== null) return false;
    const { page } = this;
    const startedMs = page.clock();
    let moved = false;
    try {
      moved = standing.stage.frame(nowUtcMs);
    } catch (error) {
      this.fall(error);
      return false;
    }
    if (this.wish?.quality === 'auto' && this.building === null) {
      const tier = this.chooser.frame(startedMs, page.clock() - startedMs);
      if (tier !== null) void this.build();
    }
    return moved;
  }

  /**
   * The browser is ready for a frame, drawn or not. Where it hardly ever is, bets come before beauty: unless the patron
   * has chosen a tier, the flat table stands in, at later visits from the start.
   */
  beat(ms: number): void {
    const measured = this.wish?.quality === 'auto' && this.building === null && this.tier === 'low';
    if (!measured || this.flatWhy !== null) this.pulse.rest();
    else if (this.pulse.beat(ms)) {
      this.chooser.giveUp();
      this.drop('slow');
    }
  }

  /** The page was hidden, or frames were left out on purpose: they are no measure. */
  rest(): void {
    this.chooser.rest();
    this.pulse.rest();
  }

  project(anchor: string): ScreenPoint {
    return this.standing?.stage.project(anchor) ?? { x: 0, y: 0 };
  }

  areaOutline(area: Area): ScreenPoint[] {
    return this.standing?.stage.areaOutline(area) ?? [];
  }

  dispose(): void {
    this.over = true;
    this.asked++;
    this.clear();
  }

  /** The old stage stays until the new one has drawn its first frame. */
  private async build(): Promise<void> {
    const { wish, page } = this;
    if (wish === null || wish.quality === 'flat' || this.over) return;
    if (wish.quality === 'auto' && this.chooser.none) {
      this.asked++;
      this.building = null;
      this.drop('slow');
      return;
    }
    const mine = ++this.asked;
    const tier = wish.quality === 'auto' ? this.chooser.tier : wish.quality;
    this.building = tier;
    if (this.flatWhy === 'chosen') {
      this.flatWhy = 'laying';
      page.changed();
    }
    const canvas = page.canvas();
    const stale = (): boolean => mine !== this.asked;
    let stage: Stage | null = null;
    try {
      const { quality: _, ...rest } = wish;
      stage = await page.createStage(canvas, { ...rest, quality: tier });
      if (!stale()) this.prepare(stage);
    } catch (error) {
      stage?.dispose();
      canvas.remove();
      if (stale()) return;
      this.building = null;
      page.complain(error);
      if (this.standing === null) this.drop(error instanceof Error && error.name === 'NoWebGLError' ? 'none' : 'broke');
      return;
    }
    if (stale()) {
      stage.dispose();
      canvas.remove();
      return;
    }
    this.building = null;
    this.clear();
    this.standing = { stage, canvas, tier };
    this.listen(this.standing);
    this.flatWhy = null;
    this.rest();
    page.changed();
  }

  /** Wishes may have changed while the stage was being built. */
  private prepare(stage: Stage): void {
    if (this.wish !== null) {
      const { reducedMotion, cameraMoves, felt } = this.wish;
      stage.set({ reducedMotion, cameraMoves, felt });
    }
    if (this.view !== null) stage.show(this.view);
    if (this.free !== null) stage.resize(this.free);
    stage.frame(this.nowUtcMs);
  }

  private listen(standing: Standing): void {
    const { canvas } = standing;
    const current = (): boolean => this.standing === standing;
    canvas.addEventListener('webglcontextlost', () => current() && this.lost());
    canvas.addEventListener('webglcontextrestored', () => current() && this.restored());
  }

  private lost(): void {
    this.flatWhy = 'lost';
    this.stopWaiting?.();
    this.stopWaiting = this.page.after(PATIENCE_MS, () => this.drop('gone'));
    this.page.changed();
  }

  /** The stage has been told before: its textures and buffers come back as they are drawn. */
  private restored(): void {
    const { standing } = this;
    if (standing === null || this.flatWhy !== 'lost') return;
    this.stopWaiting?.();
    this.stopWaiting = null;
    try {
      this.prepare(standing.stage);
    } catch (error) {
      this.fall(error);
      return;
    }
    this.flatWhy = null;
    this.rest();
    this.page.changed();
  }

  private guarded(act: (stage: Stage) => void): void {
    if (this.standing === null) return;
    try {
      act(this.standing.stage);
    } catch (error) {
      this.fall(error);
    }
  }

  private fall(error: unknown): void {
    this.page.complain(error);
    this.drop('broke');
  }

  private drop(why: FlatWhy): void {
    const known = this.flatWhy === why && this.standing === null;
    this.clear();
    this.flatWhy = why;
    if (!known) this.page.changed();
  }

  private clear(): void {
    this.stopWaiting?.();
    this.stopWaiting = null;
    const { standing } = this;
    this.standing = null;
    standing?.canvas.remove();
    standing?.stage.dispose();
  }
}

const sameStage = (one: Wish, other: Wish): boolean =>
  one.quality === other.quality && one.dealer === other.dealer && String(one.areas) === String(other.areas);
