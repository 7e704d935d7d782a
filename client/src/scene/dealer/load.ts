/** Loads a dealer and makes the materials fit the light of the room. */

import { type Material, Mesh, MeshLambertMaterial, MeshStandardMaterial, type Object3D, ShaderChunk } from 'three';
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

const CASTS_NO_SHADOW = new Set(['hair', 'locks', 'lash', 'lidshadow', 'eyes', 'teeth']);
const TAKES_NO_SHADOW = new Set(['lash', 'lidshadow', 'locks']);
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
  if (name === 'lidshadow' || name === 'lash') {
    original.depthWrite = false;
    mesh.renderOrder = name === 'lash' ? 2 : 1;
  }
  if (original instanceof MeshStandardMaterial) tune(original, look);
  if (look.lambert && original instanceof MeshStandardMaterial) mesh.material = cheap(original);
}

function tune(material: MeshStandardMaterial, look: DealerLook): void {
  const { name } = material;
  if (name === 'hair' || name === 'locks') {
    material.alphaToCoverage = look.multisampled;
    material.envMapIntensity = 0.6;
  }
  if (name === 'shirt') {
    material.color.set('#d9d5ce'); // pure white blows out under the key
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
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <lights_physical_pars_fragment>', lights);
  };
  material.customProgramCacheKey = () => 'dealer skin';
}
