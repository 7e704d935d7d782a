/** What each tier of quality spends. */

import type { StageOptions } from './view';

export interface Tier {
  /** Pixels per CSS pixel, at most. */
  readonly pixelRatio: (device: number) => number;
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

export const TIERS: Readonly<Record<StageOptions['quality'], Tier>> = {
  high: {
    pixelRatio: (device) => Math.min(device, 2),
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
    pixelRatio: (device) => Math.min(device, 1.25),
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
    pixelRatio: () => 0.5,
    multisampled: false,
    shadowSize: 0,
    lambert: true,
    anisotropy: 2,
    printWidth: 2048,
    faceWidth: 192,
    chipSegments: 16,
    contactOpacity: 0.62,
  },
};
