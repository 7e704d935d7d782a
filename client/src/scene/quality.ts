/** What each tier of quality spends, and which one a machine is first thought able to afford. */

import type { StageOptions } from './view';

export type TierName = StageOptions['quality'];

/** From the cheapest to the dearest. */
export const TIER_NAMES: readonly TierName[] = ['low', 'medium', 'high'];

export interface Tier {
  /** Pixels per CSS pixel: at most so many, and never more than so many in all. */
  readonly mostRatio: number;
  readonly mostPixels: number;
  readonly multisampled: boolean;
  /** Side of the shadow map; 0: no shadows. */
  readonly shadowSize: number;
  readonly lambert: boolean;
  readonly anisotropy: number;
  /** Width of the print on the felt, and of a card's face, in pixels. */
  readonly printWidth: number;
  readonly faceWidth: number;
  readonly chipSegments: number;
  readonly contactOpacity: number;
}

export const TIERS: Readonly<Record<TierName, Tier>> = {
  high: {
    mostRatio: 2,
    mostPixels: 6_000_000,
    multisampled: true,
    shadowSize: 2048,
    lambert: false,
    anisotropy: 8,
    printWidth: 4096,
    faceWidth: 320,
    chipSegments: 26,
    contactOpacity: 0.42,
  },
  medium: {
    mostRatio: 1.5,
    mostPixels: 2_400_000,
    multisampled: true,
    shadowSize: 1024,
    lambert: false,
    anisotropy: 4,
    printWidth: 2048,
    faceWidth: 256,
    chipSegments: 20,
    contactOpacity: 0.46,
  },
  low: {
    mostRatio: 1,
    mostPixels: 700_000,
    multisampled: false,
    shadowSize: 0,
    lambert: true,
    anisotropy: 2,
    printWidth: 2048,
    faceWidth: 224,
    chipSegments: 16,
    contactOpacity: 0.62,
  },
};

/** A processor that draws instead of a graphics card gets so many pixels in all, in every tier. */
const SOFTWARE_PIXELS = 230_000;
const LEAST_RATIO = 0.5;

/** Pixels per CSS pixel for a canvas of so many CSS pixels on a screen with `device` pixels per CSS pixel. */
export function pixelRatio(tier: Tier, device: number, cssPixels: number, software = false): number {
  const pixels = software && tier.lambert ? Math.min(SOFTWARE_PIXELS, tier.mostPixels) : tier.mostPixels;
  const ratio = Math.min(device, tier.mostRatio, Math.sqrt(pixels / Math.max(1, cssPixels)));
  return Math.max(LEAST_RATIO, ratio);
}

/** What can be asked of a browser before anything is drawn. */
export interface Machine {
  readonly cores: number;
  /** Fingers point: a phone or a tablet. */
  readonly coarse: boolean;
  /** The processor draws, there is no graphics card. */
  readonly software: boolean;
}

/** A first guess; measuring corrects it. */
export function guessTier({ cores, coarse, software }: Machine): TierName {
  if (software) return 'low';
  return cores <= 2 || coarse ? 'medium' : 'high';
}

/** Whether the name of a WebGL renderer says that the processor draws. */
export const isSoftwareName = (name: string): boolean => /swiftshader|llvmpipe|software|basic render/i.test(name);
