/** Materials by what they are made of. The low tier gets Lambert, which costs a fraction; its metals shine by colour alone. */

import { Color, DoubleSide, MeshLambertMaterial, MeshStandardMaterial, type Texture } from 'three';

export type Surface = MeshStandardMaterial | MeshLambertMaterial;

export interface Look {
  readonly colour: string;
  readonly roughness?: number;
  readonly metalness?: number;
  readonly map?: Texture;
  readonly bumpMap?: Texture;
  readonly bumpScale?: number;
  /** How strongly the surroundings are mirrored. */
  readonly mirror?: number;
  /** Below 1: transparent, and no shadow is thrown. */
  readonly opacity?: number;
  readonly bothSides?: boolean;
}

export class Surfaces {
  private readonly made = new Map<string, Surface>();

  constructor(
    readonly lambert: boolean,
    readonly anisotropy: number,
  ) {}

  of(look: Look): Surface {
    const material = this.lambert ? lambertOf(look) : standardOf(look);
    material.dithering = true; // no bands in the dim parts
    if (look.map !== undefined) material.map = look.map;
    if (look.bumpMap !== undefined && !this.lambert) {
      material.bumpMap = look.bumpMap;
      material.bumpScale = look.bumpScale ?? 1;
    }
    if (look.opacity !== undefined) {
      material.transparent = true;
      material.opacity = look.opacity;
      material.depthWrite = false;
    }
    if (look.bothSides === true) material.side = DoubleSide;
    return material;
  }

  /** Materials that several props share, so that their parts can be merged. */
  get brass(): Surface {
    return this.shared('brass', { colour: '#d9ab55', roughness: 0.26, metalness: 1 });
  }

  get lacquer(): Surface {
    return this.shared('lacquer', { colour: '#18161b', roughness: 0.24, mirror: 1.5 });
  }

  get acrylic(): Surface {
    return this.shared('acrylic', { colour: '#c8dde2', roughness: 0.05, opacity: 0.2, bothSides: true });
  }

  private shared(name: string, look: Look): Surface {
    const material = this.made.get(name) ?? this.of(look);
    this.made.set(name, material);
    return material;
  }
}

function standardOf(look: Look): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color: look.colour });
  material.roughness = look.roughness ?? 0.5;
  material.metalness = look.metalness ?? 0;
  material.envMapIntensity = look.mirror ?? 1;
  return material;
}

function lambertOf(look: Look): MeshLambertMaterial {
  const colour = new Color(look.colour);
  const material = new MeshLambertMaterial({ color: colour });
  if ((look.metalness ?? 0) > 0.5) material.emissive = colour.clone().multiplyScalar(0.12);
  return material;
}
