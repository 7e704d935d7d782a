/** Getting a renderer, and giving back what a scene holds on the graphics card. */

import {
  InstancedMesh,
  Material,
  Mesh,
  NeutralToneMapping,
  PCFShadowMap,
  Points,
  type Scene,
  SkinnedMesh,
  Texture,
  WebGLRenderer,
} from 'three';
import { isSoftwareName, type Tier } from './quality';
import { NoWebGLError } from './view';

const EXPOSURE = 1.06;

/** @throws NoWebGLError when the browser gives no WebGL 2 context. */
export function createRenderer(canvas: HTMLCanvasElement, tier: Tier): WebGLRenderer {
  const attributes: WebGLContextAttributes = {
    antialias: tier.multisampled,
    alpha: false,
    stencil: false,
    powerPreference: 'high-performance',
  };
  const context = canvas.getContext('webgl2', attributes);
  if (context === null) throw new NoWebGLError();
  let renderer: WebGLRenderer;
  try {
    renderer = new WebGLRenderer({ canvas, context, ...attributes });
  } catch (error) {
    throw new NoWebGLError(error);
  }
  renderer.toneMapping = NeutralToneMapping;
  renderer.toneMappingExposure = EXPOSURE;
  renderer.shadowMap.enabled = tier.shadowSize > 0;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.info.autoReset = false;
  return renderer;
}

/** Whether the processor draws, because there is no graphics card for us. */
export function isSoftware(renderer: WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return isSoftwareName(String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL)));
}

/** Everything is uploaded again when it is drawn again. */
export function releaseAll(scene: Scene): void {
  scene.traverse((node) => {
    if (!(node instanceof Mesh || node instanceof Points)) return;
    node.geometry.dispose();
    for (const material of [node.material].flat()) if (material instanceof Material) disposeMaterial(material);
    if (node instanceof InstancedMesh) node.dispose();
    if (node instanceof SkinnedMesh) node.skeleton.dispose();
  });
}

function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) if (value instanceof Texture) value.dispose();
  material.dispose();
}
