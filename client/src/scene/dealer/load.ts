/** Loads a dealer and makes the materials fit the light of the room. */

import {
  type Material,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Object3D,
  ShaderChunk,
  type WebGLProgramParametersWithUniforms,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import luca from './luca.glb?url';
import mei from './mei.glb?url';

export type DealerName = 'female' | 'male';

/** Both have the same bones and morphs. */
const MODELS: Readonly<Record<DealerName, string>> = { female: mei, male: luca };

export interface DealerLook {
  readonly shadows: boolean;
  readonly multisampled: boolean;
  /** Cheap materials for slow machines. */
  readonly lambert: boolean;
}

const CASTS_NO_SHADOW = new Set(['hair', 'locks', 'wisps', 'lash', 'lidshadow', 'eyes', 'teeth']);
const TAKES_NO_SHADOW = new Set(['lash', 'lidshadow', 'locks', 'wisps']);
/** Drawn over what is there, in this order. */
const CLEAR = ['lidshadow', 'wisps', 'lash'];
/** Below the table top, out of sight. */
const UNSEEN = new Set(['trousers']);

export function loadDealer(who: DealerName, look: DealerLook): Promise<Object3D> {
  return loadModel(MODELS[who], look);
}

/** @throws when there is no readable model at the address. */
export async function loadModel(url: string, look: DealerLook): Promise<Object3D> {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  const { scene } = await loader.loadAsync(url);
  scene.traverse((node) => {
    if (node instanceof Mesh) dress(node, look);
  });
  return scene;
}

function dress(mesh: Mesh, look: DealerLook): void {
  const original = mesh.material as Material;
  const { name } = original;
  mesh.visible = name !== 'teeth' && !UNSEEN.has(name); // the rig shows the teeth while the mouth is open
  mesh.frustumCulled = false;
  mesh.castShadow = look.shadows && !CASTS_NO_SHADOW.has(name);
  mesh.receiveShadow = look.shadows && !TAKES_NO_SHADOW.has(name);
  if (CLEAR.includes(name)) {
    original.depthWrite = false;
    mesh.renderOrder = 1 + CLEAR.indexOf(name);
  }
  if (original instanceof MeshStandardMaterial) tune(original, look);
  if (look.lambert && original instanceof MeshStandardMaterial) mesh.material = cheap(original);
  else if (look.multisampled) steady(original);
}

function tune(material: MeshStandardMaterial, look: DealerLook): void {
  const { name } = material;
  if (name === 'hair' || name === 'locks') {
    material.alphaToCoverage = look.multisampled;
    material.envMapIntensity = 0.6;
  }
  if (name === 'shirt') {
    material.color.set('#c8c4bd'); // pure white blows out under the key
    material.roughness = 0.82;
  }
  if (name === 'skin') softenSkin(material);
}

function cheap(from: MeshStandardMaterial): MeshLambertMaterial {
  const { name, map, color, vertexColors, transparent, alphaTest, side, depthWrite } = from;
  from.dispose();
  return new MeshLambertMaterial({ name, map, color, vertexColors, transparent, alphaTest, side, depthWrite });
}

/** Light wraps past the terminator and turns red there: a stand-in for light that scatters below the skin. */
function softenSkin(material: MeshStandardMaterial): void {
  const soft = `const vec3 wrap = vec3( 0.42, 0.20, 0.13 );
    vec3 softNL = clamp( ( dot( geometryNormal, directLight.direction ) + wrap ) / ( 1.0 + wrap ), 0.0, 1.0 );
    reflectedLight.directDiffuse += softNL * directLight.color * BRDF_Lambert`;
  const lights = ShaderChunk.lights_physical_pars_fragment.replace(
    /reflectedLight\.directDiffuse \+= irradiance \* BRDF_Lambert/,
    soft,
  );
  patch(material, 'dealer skin', (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <lights_physical_pars_fragment>', lights);
  });
}

/**
 * Under multisampling a value is interpolated for the middle of a pixel that its triangle may not cover: narrow ones
 * sparkle dark. Sampled at the centroid of what is covered, they do not.
 */
function steady(material: Material): void {
  patch(material, 'centroid', (shader) => {
    shader.vertexShader = centroid(shader.vertexShader);
    shader.fragmentShader = centroid(shader.fragmentShader);
  });
}

const INCLUDE = /^[ \t]*#include +<([\w\d./]+)>/gm;

const unrolled = (source: string): string =>
  source.replace(INCLUDE, (_, name: string) => unrolled(ShaderChunk[name as keyof typeof ShaderChunk]));
const centroid = (source: string): string => unrolled(source).replace(/^(\s*)varying /gm, '$1centroid varying ');

type Patch = (shader: WebGLProgramParametersWithUniforms) => void;

/** Adds one more change to a material's program. */
function patch(material: Material, key: string, change: Patch): void {
  const [before, named] = [material.onBeforeCompile, material.customProgramCacheKey()];
  const first = Object.hasOwn(material, 'onBeforeCompile');
  material.onBeforeCompile = (shader, renderer) => {
    if (first) before.call(material, shader, renderer);
    change(shader);
  };
  material.customProgramCacheKey = () => `${first ? named : ''} ${key}`;
}
