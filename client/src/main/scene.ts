/** Fetches the scene, which is heavy, after the HUD stands; answers null where there is none to be had. */

import type { Stage, StageOptions } from '../scene/view';

export type Quality = StageOptions['quality'];

export async function loadStage(canvas: HTMLCanvasElement, options: StageOptions): Promise<Stage | null> {
  try {
    const { createStage } = await import('../scene/stage');
    return await createStage(canvas, options);
  } catch (error) {
    console.warn('The 3D table cannot be shown; the flat one stays.', error);
    return null;
  }
}

/** What was asked for in the address, else what the machine looks able to do. */
export function chooseQuality(asked: string | null): Quality {
  if (asked === 'low' || asked === 'medium' || asked === 'high') return asked;
  const weak = (navigator.hardwareConcurrency ?? 4) <= 2 || matchMedia('(pointer: coarse)').matches;
  return weak ? 'medium' : 'high';
}
