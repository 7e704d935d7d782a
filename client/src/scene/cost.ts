/** What the scene keeps on the graphics card, added up from the textures themselves: three.js only counts them. */

import {
  type BufferGeometry,
  DepthTexture,
  FloatType,
  HalfFloatType,
  LinearFilter,
  Material,
  Mesh,
  NearestFilter,
  Points,
  RedFormat,
  type RenderTarget,
  RGFormat,
  type Scene,
  SkinnedMesh,
  SpotLight,
  Texture,
  UnsignedShortType,
} from 'three';

/** Bytes of all textures that a scene's materials, skeletons, surroundings and shadows use, mipmaps included. */
export function textureBytes(scene: Scene, environment: RenderTarget | null): number {
  const textures = new Set<Texture>();
  const geometries = new Set<BufferGeometry>();
  let bytes = environment === null ? 0 : targetBytes(environment);
  scene.traverse((node) => {
    if (node instanceof Mesh || node instanceof Points) {
      for (const material of [node.material].flat()) if (material instanceof Material) collect(material, textures);
    }
    if (node instanceof SkinnedMesh && node.skeleton.boneTexture !== null) textures.add(node.skeleton.boneTexture);
    if (node instanceof Mesh) geometries.add(node.geometry);
    if (node instanceof SpotLight && node.shadow.map !== null) bytes += targetBytes(node.shadow.map);
  });
  for (const texture of textures) bytes += bytesOf(texture);
  for (const geometry of geometries) bytes += morphBytes(geometry);
  return Math.round(bytes);
}

function collect(material: Material, into: Set<Texture>): void {
  for (const value of Object.values(material)) if (value instanceof Texture) into.add(value);
}

/** three.js keeps morph targets in a texture of floats: one texel a vertex for each attribute that is morphed. */
function morphBytes({ morphAttributes, attributes }: BufferGeometry): number {
  const { position, normal, color } = morphAttributes;
  const stride = color !== undefined ? 3 : normal !== undefined ? 2 : 1;
  return (position?.length ?? 0) * (attributes['position']?.count ?? 0) * stride * 16;
}

function targetBytes(target: RenderTarget): number {
  const depth = target.depthTexture;
  return bytesOf(target.texture) + (depth === null ? 0 : bytesOf(depth));
}

function bytesOf(texture: Texture): number {
  const { width = 0, height = 0, depth = 1 } = (texture.image ?? {}) as { width?: number; height?: number; depth?: number };
  const plain = texture.minFilter === NearestFilter || texture.minFilter === LinearFilter;
  const mipmaps = texture.generateMipmaps && !plain ? 4 / 3 : 1;
  return width * height * depth * texelBytes(texture) * mipmaps;
}

function texelBytes(texture: Texture): number {
  if (texture instanceof DepthTexture) return texture.type === UnsignedShortType ? 2 : 4;
  const channels = texture.format === RedFormat ? 1 : texture.format === RGFormat ? 2 : 4;
  return channels * (texture.type === FloatType ? 4 : texture.type === HalfFloatType ? 2 : 1);
}
