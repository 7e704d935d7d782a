/** Around the felt: brass trim, walnut track, padded rail with its stitches, apron, the dealer's edge. */

import { BoxGeometry, InstancedMesh, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import type { Batch } from '../craft/batch';
import type { Surfaces } from '../craft/surfaces';
import { FELT_Y } from '../layout';
import type { Felt } from './felts';
import { type ProfilePoint, sweep, tangentAt } from './outline';
import { leatherTexture, woodTexture } from './tiles';

const at = (...points: ProfilePoint[]): ProfilePoint[] => points.map(([out, y]) => [out, FELT_Y + y]);
const TRIM = at([-0.002, -0.004], [-0.002, 0.006], [0.002, 0.009], [0.008, 0.009], [0.012, 0.006]);
const TRACK = at([0.011, 0.004], [0.014, 0.007], [0.03, 0.0085], [0.052, 0.008], [0.068, 0.006]);
const APRON = at([0.19, -0.02], [0.17, -0.12], [0.1, -0.24]);
const PAD_OUT = 0.128;
const PAD_STEPS = 16;
const STITCHES = 230;

export interface Rail {
  readonly stitches: InstancedMesh;
  dress(felt: Felt): void;
}

export function buildRail(batch: Batch, surfaces: Surfaces, outline: readonly Vector3[]): Rail {
  const { anisotropy } = surfaces;
  batch.add(sweep(outline, TRIM), surfaces.brass);
  const wood = surfaces.of({ colour: '#a98a78', roughness: 0.42, map: woodTexture(anisotropy) });
  batch.add(sweep(outline, TRACK, 1.4), wood);
  const edge = new RoundedBoxGeometry(2.26, 0.03, 0.045, 3, 0.012);
  const uv = edge.getAttribute('uv');
  for (let i = 0; i < uv.count; i++) uv.setXY(i, uv.getX(i) * 2, uv.getY(i) * 0.4);
  batch.add(edge, wood, { at: [0, FELT_Y - 0.004, -0.445] });

  const leather = surfaces.of({
    colour: '#ffffff',
    roughness: 0.46,
    mirror: 0.9,
    bumpMap: leatherTexture(anisotropy),
    bumpScale: 1.1,
  });
  batch.add(sweep(outline, padProfile()), leather);
  for (const end of [outline[0]!, outline.at(-1)!]) {
    const cap = new SphereGeometry(1, 24, 16).scale(0.03, 0.04, 0.064);
    batch.add(cap, leather, { at: [end.x, FELT_Y + 0.004, end.z - PAD_OUT] });
  }
  batch.add(sweep(outline, APRON), surfaces.of({ colour: '#1a0f0b', roughness: 0.55, bothSides: true }));
  return { stitches: stitches(surfaces, outline), dress: (felt) => void leather.color.set(felt.pad) };
}

function padProfile(): ProfilePoint[] {
  return Array.from({ length: PAD_STEPS + 1 }, (_, i): ProfilePoint => {
    const angle = Math.PI * (1.08 - (i / PAD_STEPS) * 1.34);
    return [PAD_OUT + Math.cos(angle) * 0.064, FELT_Y + 0.004 + Math.sin(angle) * 0.04];
  });
}

function stitches(surfaces: Surfaces, outline: readonly Vector3[]): InstancedMesh {
  const thread = surfaces.of({ colour: '#c9a25c', roughness: 0.7 });
  const mesh = new InstancedMesh(new BoxGeometry(0.009, 0.0012, 0.0016), thread, STITCHES);
  const [matrix, turn, up, one] = [new Matrix4(), new Quaternion(), new Vector3(0, 1, 0), new Vector3(1, 1, 1)];
  for (let i = 0; i < STITCHES; i++) {
    const place = (i / STITCHES) * (outline.length - 1);
    const whole = Math.floor(place);
    const point = outline[whole]!.clone().lerp(outline[whole + 1] ?? outline[whole]!, place % 1);
    const along = tangentAt(outline, whole);
    turn.setFromAxisAngle(up, Math.atan2(-along.z, along.x));
    matrix.compose(new Vector3(point.x - along.z * 0.092, FELT_Y + 0.0372, point.z + along.x * 0.092), turn, one);
    mesh.setMatrixAt(i, matrix);
  }
  mesh.name = 'stitches';
  mesh.frustumCulled = false;
  return mesh;
}
