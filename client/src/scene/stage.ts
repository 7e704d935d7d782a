/** The stage: takes a view, draws a moment. See view.ts for what it promises. */

import type { WebGLRenderer, WebGLRenderTarget } from 'three';
import { anchorAt } from './camera/anchors';
import { CameraMan } from './camera/camera_man';
import { textureBytes } from './cost';
import { fontsReady } from './craft/fonts';
import { Dealer } from './dealer/dealer';
import { changesShoe, NOTHING, type Part } from './dealer/score';
import { areaBorder, CARD, CARD_PLACES, FELT_Y } from './layout';
import { pixelRatio, type Tier, TIERS } from './quality';
import { createRenderer, isSoftware, releaseAll } from './renderer';
import { surroundings } from './room/lights';
import { buildTableSet, type TableSet } from './table_set';
import { type CoupTimes, coupTimes, hasEnded } from './timeline';
import type { Area, Deal, SceneView, ScreenPoint, Stage, StageOptions, StageStats } from './view';

const CARDS_IN_DECK = 52;
const ENVIRONMENT = 0.34;
/** Below this width pips and courts are no longer told apart at a glance. */
const SMALL_CARD_PX = 46;

/** @throws NoWebGLError when the browser gives no WebGL 2 context. */
export async function createStage(canvas: HTMLCanvasElement, options: StageOptions): Promise<Stage> {
  const tier = TIERS[options.quality];
  const renderer = createRenderer(canvas, tier);
  try {
    await fontsReady();
    const set = buildTableSet(tier, options.felt, renderer.capabilities.getMaxAnisotropy(), options.areas);
    const dealer = await Dealer.load(
      { shadows: tier.shadowSize > 0, multisampled: tier.multisampled, lambert: tier.lambert },
      options.dealer,
    );
    set.scene.add(dealer.root);
    const stage = new TableStage(canvas, renderer, tier, set, dealer, options);
    await stage.compile();
    return stage;
  } catch (error) {
    renderer.dispose();
    throw error;
  }
}

export class TableStage implements Stage {
  private readonly man = new CameraMan();
  private readonly software: boolean;
  private view: SceneView | null = null;
  private part: Part = NOTHING;
  private deal: Deal | null = null;
  private coup: CoupTimes | null = null;
  private leavingDeal: Deal | null = null;
  private leaving: CoupTimes | null = null;
  private environment: WebGLRenderTarget | null = null;
  private still: boolean;
  private moves: boolean;
  private free: { top: number; bottom: number };
  private devicePixels = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly renderer: WebGLRenderer,
    private readonly tier: Tier,
    private readonly parts: TableSet,
    private readonly dealer: Dealer,
    options: StageOptions,
  ) {
    this.still = options.reducedMotion;
    this.moves = options.cameraMoves;
    this.software = isSoftware(renderer);
    this.free = { top: 0, bottom: canvas.clientHeight };
    this.mirrorRoom();
    canvas.addEventListener('webglcontextlost', this.lost);
    canvas.addEventListener('webglcontextrestored', this.restored);
    this.resize(this.free);
  }

  /** Where the browser can, shaders are compiled beside everything else: the first frame is no hitch. */
  async compile(): Promise<void> {
    await this.renderer.compileAsync(this.parts.scene, this.man.camera);
  }

  set({ reducedMotion, cameraMoves, felt }: Parameters<Stage['set']>[0]): void {
    this.still = reducedMotion ?? this.still;
    this.moves = cameraMoves ?? this.moves;
    if (felt !== undefined) this.parts.dress(felt);
  }

  show(view: SceneView): void {
    const { parts: set } = this;
    this.view = view;
    if (view.deal !== this.deal || view.leaving !== this.leavingDeal) this.take(view.deal, view.leaving);
    set.stacks.plan(view);
    const { coup, leaving } = this;
    const { closesUtcMs, dealsUtcMs, newShoeUtcMs } = view;
    this.part = { coup, leaving, stacks: set.stacks.planned, closesUtcMs, dealsUtcMs, newShoeUtcMs };
    this.dealer.take(this.part, view.call);
    set.areaLights.point(view.hover, view.focus);
    set.sign.write(view.limits);
    const all = Math.max(1, view.decks * CARDS_IN_DECK);
    set.newShoe.show(view.cardsLeft, all, changesShoe(this.part) ? newShoeUtcMs : null);
  }

  private take(deal: Deal | null, leaving: Deal | null): void {
    if (deal !== this.deal) this.coup = deal === null ? null : coupTimes(deal);
    if (leaving !== this.leavingDeal) this.leaving = leaving === null ? null : coupTimes(leaving);
    this.deal = deal;
    this.leavingDeal = leaving;
  }

  /** The coup whose cards lie there: the one before until it has been swept away. */
  private lying(nowUtcMs: number): CoupTimes | null {
    const { leaving, coup } = this;
    if (leaving !== null && !hasEnded(leaving.clear, nowUtcMs - leaving.dealsUtcMs)) return leaving;
    return coup === null || hasEnded(coup.clear, nowUtcMs - coup.dealsUtcMs) ? null : coup;
  }

  frame(nowUtcMs: number): boolean {
    if (this.view === null || this.renderer.getContext().isContextLost()) return false;
    const moved = this.pose(nowUtcMs);
    this.draw();
    return moved;
  }

  /** Everything of a frame but the drawing: nothing is allocated here while nothing new begins. */
  pose(nowUtcMs: number): boolean {
    const { parts, coup, still } = this;
    if (window.devicePixelRatio !== this.devicePixels) this.resize(this.free);
    const ms = coup === null ? 0 : nowUtcMs - coup.dealsUtcMs;
    const shown = this.lying(nowUtcMs);
    const moved = this.man.frame(coup, ms, nowUtcMs, still || !this.moves, still);
    parts.cards.deal(shown);
    parts.cards.frame(shown, shown === null ? 0 : nowUtcMs - shown.dealsUtcMs, still);
    parts.shadows.clear(parts.fixedShadows);
    this.shadeCards();
    parts.stacks.frame(coup, this.leaving, nowUtcMs, still);
    parts.shadows.upload();
    parts.areaLights.frame(shown === coup ? coup : null, ms, still);
    parts.newShoe.frame(nowUtcMs, still);
    this.dealer.frame(nowUtcMs, still);
    return moved;
  }

  draw(): void {
    this.renderer.info.reset();
    this.renderer.render(this.parts.scene, this.man.camera);
  }

  private shadeCards(): void {
    const { poses } = this.parts.cards;
    for (let i = 0; i < poses.length; i++) {
      const pose = poses[i]!;
      if (!pose.visible) continue;
      const grounded = Math.max(0, 1 - (pose.y - FELT_Y) / 0.09);
      const width = CARD.width * 1.34 * grounded;
      this.parts.shadows.put(pose.x + 0.002, pose.z + 0.003, width, CARD.height * 1.26 * grounded, pose.yaw);
    }
  }

  resize(free: { top: number; bottom: number }): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.free = free;
    this.devicePixels = window.devicePixelRatio;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(pixelRatio(this.tier, this.devicePixels, width * height, this.software));
    this.renderer.setSize(width, height, false);
    this.man.resize({ width, height }, free);
    this.parts.cards.simplify(this.cardWidthPx() < SMALL_CARD_PX);
  }

  /** Width of a card of the hands on the screen, CSS pixels. */
  private cardWidthPx(): number {
    const { x, z } = CARD_PLACES.player[0]!;
    const left = this.man.project(x - CARD.width / 2, FELT_Y, z).x;
    return this.man.project(x + CARD.width / 2, FELT_Y, z).x - left;
  }

  project(anchor: string): ScreenPoint {
    return this.man.project(...anchorAt(anchor));
  }

  areaAt(x: number, y: number): Area | null {
    return this.man.areaAt(x, y);
  }

  areaOutline(area: Area): ScreenPoint[] {
    return areaBorder(area).map(({ x, z }) => this.man.project(x, FELT_Y, z));
  }

  stats(): StageStats {
    const { render, memory } = this.renderer.info;
    return {
      calls: render.calls,
      triangles: render.triangles,
      geometries: memory.geometries,
      textures: memory.textures,
      textureBytes: textureBytes(this.parts.scene, this.environment),
    };
  }

  /** Everything on the graphics card is gone: let go of it, so that three.js uploads it anew. */
  private readonly lost = (): void => {
    this.release();
  };

  /** Geometries and textures come back by themselves; what was rendered into a texture does not. */
  private readonly restored = (): void => {
    this.mirrorRoom();
  };

  private mirrorRoom(): void {
    if (this.tier.lambert) return;
    this.environment = surroundings(this.renderer);
    this.parts.scene.environment = this.environment.texture;
    this.parts.scene.environmentIntensity = ENVIRONMENT;
  }

  dispose(): void {
    this.canvas.removeEventListener('webglcontextlost', this.lost);
    this.canvas.removeEventListener('webglcontextrestored', this.restored);
    this.release();
    this.renderer.dispose();
  }

  private release(): void {
    releaseAll(this.parts.scene);
    this.parts.lights.dispose();
    this.environment?.dispose();
    this.environment = null;
  }
}
