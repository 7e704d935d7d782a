/** The stage: takes a view, draws a moment. See view.ts for what it promises. */

import type { WebGLRenderer, WebGLRenderTarget } from 'three';
import { anchorAt } from './camera/anchors';
import { CameraMan } from './camera/camera_man';
import { fontsReady } from './craft/fonts';
import { Dealer } from './dealer/dealer';
import { areaBorder, CARD, FELT_Y } from './layout';
import { type Tier, TIERS } from './quality';
import { createRenderer, releaseAll } from './renderer';
import { surroundings } from './room/lights';
import { buildTableSet, type TableSet } from './table_set';
import { type CoupTimes, coupTimes, hasEnded } from './timeline';
import { type Area, type Deal, type SceneView, type ScreenPoint, type Stage, type StageOptions } from './view';

const CARDS_IN_DECK = 52;
const ENVIRONMENT = 0.34;

/** @throws NoWebGLError when the browser gives no WebGL 2 context. */
export async function createStage(canvas: HTMLCanvasElement, options: StageOptions): Promise<Stage> {
  const tier = TIERS[options.quality];
  const renderer = createRenderer(canvas, tier);
  try {
    await fontsReady();
    const set = buildTableSet(tier, options.felt, renderer.capabilities.getMaxAnisotropy());
    const dealer = await Dealer.load(
      { shadows: tier.shadowSize > 0, multisampled: tier.multisampled, lambert: tier.lambert },
      options.dealer,
    );
    set.scene.add(dealer.root);
    return new TableStage(canvas, renderer, tier, set, dealer, options.reducedMotion);
  } catch (error) {
    renderer.dispose();
    throw error;
  }
}

class TableStage implements Stage {
  private readonly man = new CameraMan();
  private view: SceneView | null = null;
  private deal: Deal | null = null;
  private coup: CoupTimes | null = null;
  private environment: WebGLRenderTarget | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly renderer: WebGLRenderer,
    private readonly tier: Tier,
    private readonly parts: TableSet,
    private readonly dealer: Dealer,
    private still: boolean,
  ) {
    this.mirrorRoom();
    canvas.addEventListener('webglcontextlost', this.lost);
    canvas.addEventListener('webglcontextrestored', this.restored);
    this.resize({ top: 0, bottom: canvas.clientHeight });
  }

  show(view: SceneView): void {
    const { parts: set } = this;
    this.view = view;
    if (view.deal !== this.deal) this.take(view.deal);
    set.stacks.plan(view);
    set.areaLights.point(view.hover, view.focus);
    if (view.limits !== null) set.sign.write(view.limits.player.minMinor, view.limits.player.maxMinor);
    const left = view.cardsLeft / Math.max(1, view.decks * CARDS_IN_DECK);
    set.shoe.fill(left);
    set.discard.fill(1 - left);
    this.man.go(view.phase === 'dealing' ? 'dealing' : 'betting', this.still);
  }

  set({ reducedMotion }: Partial<Pick<StageOptions, 'reducedMotion' | 'cameraMoves' | 'felt'>>): void {
    if (reducedMotion !== undefined) this.still = reducedMotion;
  }

  private take(deal: Deal | null): void {
    this.deal = deal;
    this.coup = deal === null ? null : coupTimes(deal);
    this.parts.cards.deal(this.coup);
    this.dealer.deal(this.coup);
  }

  frame(nowUtcMs: number): void {
    const { renderer, parts: set, coup, still } = this;
    if (this.view === null || renderer.getContext().isContextLost()) return;
    const ms = coup === null ? 0 : nowUtcMs - coup.dealsUtcMs;
    const shown = coup === null || hasEnded(coup.clear, ms) ? null : coup;
    this.man.frame(nowUtcMs);
    set.cards.frame(shown, ms, still);
    set.shadows.clear(set.fixedShadows);
    this.shadeCards();
    set.stacks.frame(coup, ms, nowUtcMs, still);
    set.shadows.upload();
    set.areaLights.frame(shown, ms, still);
    this.dealer.frame(nowUtcMs, ms, still);
    renderer.info.reset();
    renderer.render(set.scene, this.man.camera);
  }

  private shadeCards(): void {
    for (const pose of this.parts.cards.poses) {
      if (!pose.visible) continue;
      const grounded = Math.max(0, 1 - (pose.y - FELT_Y) / 0.09);
      const [width, depth] = [CARD.width * 1.34 * grounded, CARD.height * 1.26 * grounded];
      this.parts.shadows.put(pose.x + 0.002, pose.z + 0.003, width, depth, pose.yaw);
    }
  }

  resize(free: { top: number; bottom: number }): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(this.tier.pixelRatio(window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.man.resize({ width, height }, free);
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

  stats(): { calls: number; triangles: number; geometries: number; textures: number } {
    const { render, memory } = this.renderer.info;
    return {
      calls: render.calls,
      triangles: render.triangles,
      geometries: memory.geometries,
      textures: memory.textures,
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
