/** Drawn pictures as textures. */

import { CanvasTexture, RepeatWrapping, SRGBColorSpace } from 'three';

export * from './pen';

export interface TextureOptions {
  readonly colour?: boolean;
  readonly repeat?: readonly [number, number];
  readonly anisotropy?: number;
}

export function textureOf(picture: HTMLCanvasElement, options: TextureOptions = {}): CanvasTexture {
  const texture = new CanvasTexture(picture);
  if (options.colour !== false) texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = options.anisotropy ?? 4;
  if (options.repeat !== undefined) {
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.repeat.set(...options.repeat);
  }
  return texture;
}
