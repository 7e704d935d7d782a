/**
 * The dealers close up, for development: /dealer-lab.html with
 *   who=female,male  shots=front,closed,… (names in dealer_shots.ts)  tile=WIDTHxHEIGHT  columns=N  quality
 *   type=image/webp  quality_of_file=0…1  glb=ADDRESS (another model instead of the committed one; * stands for female or male).
 * One tile after another, in the light of the room, in one picture. The pose is simple: no choreography is needed here.
 */

import { Bone, Color, Mesh, type Object3D, PerspectiveCamera, Scene, Vector3 } from 'three';
import { type DealerName, loadDealer, loadModel } from '../dealer/load';
import { TIERS } from '../quality';
import { createRenderer } from '../renderer';
import { Lights, surroundings } from '../room/lights';
import type { StageOptions } from '../view';
import { SHOTS, type Shot } from './dealer_shots';

declare global {
  interface Window {
    /** The finished picture as a data URL. */
    sheet?: string;
  }
}

const query = new URLSearchParams(location.search);
const text = (name: string, otherwise: string): string => query.get(name) ?? otherwise;
const tier = TIERS[text('quality', 'high') as StageOptions['quality']];
const [tileWidth, tileHeight] = text('tile', '480x480').split('x').map(Number) as [number, number];
const columns = Number(text('columns', '4'));
const names = text('shots', 'front,quarter,above,closed').split(',');
const ENVIRONMENT = 0.34;
/** Lowered, as at the table. */
const STANDS_AT = new Vector3(0, -0.13, -0.6);

const canvas = document.querySelector('canvas')!;
const renderer = createRenderer(canvas, tier);
renderer.autoClear = false;
renderer.setScissorTest(true);
renderer.setSize(window.innerWidth, window.innerHeight, false);
const scene = new Scene();
scene.background = new Color('#2a211b');
scene.add(new Lights(tier.shadowSize, tier.lambert).group);
if (!tier.lambert) {
  scene.environment = surroundings(renderer).texture;
  scene.environmentIntensity = ENVIRONMENT;
}
const camera = new PerspectiveCamera(30, tileWidth / tileHeight, 0.05, 20);
const look = { shadows: tier.shadowSize > 0, multisampled: tier.multisampled, lambert: tier.lambert };

const glb = query.get('glb');
const cast = (text('who', 'female,male').split(',') as DealerName[]).map((who) =>
  glb === null ? loadDealer(who, look) : loadModel(glb.replace('*', who), look),
);
let tile = 0;
// loaded first: a picture does not outlast a wait
for (const root of await Promise.all(cast)) {
  root.position.copy(STANDS_AT);
  scene.add(root);
  for (const name of names) draw(SHOTS[name]!, root);
  scene.remove(root);
}
// before the browser lets go of what was drawn
window.sheet = canvas.toDataURL(text('type', 'image/png'), Number(text('quality_of_file', '0.9')));

function draw(shot: Shot, root: Object3D): void {
  pose(root, shot);
  aim(root, shot);
  const [column, row] = [tile % columns, Math.floor(tile / columns)];
  const y = window.innerHeight - (row + 1) * tileHeight;
  renderer.setViewport(column * tileWidth, y, tileWidth, tileHeight);
  renderer.setScissor(column * tileWidth, y, tileWidth, tileHeight);
  renderer.clear();
  renderer.render(scene, camera);
  tile += 1;
}

/** Upright, elbows bent, hands before the body. */
function pose(root: Object3D, { face = {}, nod = 0 }: Shot): void {
  const turn = (name: string, x: number, y: number, z: number): void => {
    const bone = root.getObjectByName(name);
    if (bone instanceof Bone) bone.rotation.set(x, y, z, 'YXZ');
  };
  for (const [side, sign] of [['l', 1], ['r', -1]] as const) {
    turn(`upperarm_${side}`, 0.25, 0, sign * -0.45);
    turn(`lowerarm_${side}`, -1.35, sign * -0.75, 0);
    turn(`eye_${side}`, -0.4 * nod, 0, 0);
  }
  turn('head', nod, 0, 0);
  root.traverse((node) => {
    if (!(node instanceof Mesh) || node.morphTargetInfluences === undefined) return;
    for (const [name, index] of Object.entries(node.morphTargetDictionary ?? {})) node.morphTargetInfluences[index] = face[name] ?? 0;
    if (node.name === 'teeth') node.visible = (face['aa'] ?? 0) + (face['ee'] ?? 0) + (face['oo'] ?? 0) > 0;
  });
  root.updateMatrixWorld(true);
}

function aim(root: Object3D, shot: Shot): void {
  const [from, to] = [new Vector3(...shot.camera), new Vector3(...shot.aim)];
  const bone = shot.bone === undefined ? undefined : root.getObjectByName(shot.bone);
  if (bone !== undefined) {
    const origin = bone.getWorldPosition(new Vector3());
    for (const point of [from, to]) point.add(origin);
  }
  camera.fov = shot.fov;
  camera.position.copy(from);
  camera.lookAt(to);
  camera.updateProjectionMatrix();
}
