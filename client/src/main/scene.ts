/** Puts a scene host on a page of a browser. The scene itself is heavy, and fetched after the HUD stands. */

import { Chooser, rememberedTiers } from '../scene/chooser';
import { guessTier, isSoftwareName, type TierName } from '../scene/quality';
import type { Stage, StageOptions } from '../scene/view';
import { SceneHost } from './scene_host';

/** A host whose canvases are the first children of `layer`. `changed` is called when another table stands. */
export function hostScene(layer: HTMLElement, storage: Storage | null, changed: () => void): SceneHost {
  const guess = guessTier({
    cores: navigator.hardwareConcurrency ?? 4,
    coarse: matchMedia('(pointer: coarse)').matches,
    software: drawsInSoftware(),
  });
  return new SceneHost(
    {
      canvas: () => {
        const canvas = document.createElement('canvas');
        canvas.id = 'scene';
        canvas.setAttribute('aria-hidden', 'true');
        layer.prepend(canvas);
        return canvas;
      },
      createStage,
      after: (ms, act) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
      clock: () => performance.now(),
      changed,
      complain: (error) => console.warn('The 3D table cannot be shown; the flat one stands in.', error),
    },
    new Chooser(guess, rememberedTiers(storage)),
  );
}

async function createStage(canvas: HTMLCanvasElement, options: StageOptions): Promise<Stage> {
  const scene = await import('../scene/stage');
  return await scene.createStage(canvas, options);
}

export type Quality = TierName;

/** A stage alone, or null where none is to be had. */
export async function loadStage(canvas: HTMLCanvasElement, options: StageOptions): Promise<Stage | null> {
  try {
    return await createStage(canvas, options);
  } catch (error) {
    console.warn('The 3D table cannot be shown; the flat one stays.', error);
    return null;
  }
}

/** What was asked for in the address, else a guess. */
export function chooseQuality(asked: string | null): TierName {
  const known = askedQuality(asked);
  if (known !== null && known !== 'flat') return known;
  return guessTier({ cores: navigator.hardwareConcurrency ?? 4, coarse: false, software: drawsInSoftware() });
}

/** What was asked for in the address, when it makes sense. */
export function askedQuality(asked: string | null): TierName | 'flat' | null {
  return asked === 'low' || asked === 'medium' || asked === 'high' || asked === 'flat' ? asked : null;
}

let software: boolean | null = null;

/** Whether WebGL is drawn by the processor: everything else on the page then competes with it. */
export function drawsInSoftware(): boolean {
  software ??= isSoftwareName(rendererName());
  return software;
}

function rendererName(): string {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return '';
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL);
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return String(name);
}
