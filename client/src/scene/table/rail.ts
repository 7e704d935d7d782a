/** Around the felt: brass trim, walnut track, padded rail with its stitches, apron, the dealer's edge. */

import { BoxGeometry, InstancedMesh, LatheGeometry, Matrix4, Quaternion, Vector2, Vector3 } from 'three';
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
const PAD = { x: 0.064, y: 0.04 } as const;
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
  buildEnds(batch, surfaces, outline);
  batch.add(sweep(outline, APRON), surfaces.of({ colour: '#1a0f0b', roughness: 0.55, bothSides: true }));
  return { stitches: stitches(surfaces, outline), dress: (felt) => void leather.color.set(felt.pad) };
}

/** Where the rail ends on the dealer's side: a brass collar around the leather, and a finial that closes it. */
function buildEnds(batch: Batch, surfaces: Surfaces, outline: readonly Vector3[]): void {
  const collar = padProfile(1.07);
  batch.add(sweep(outline.slice(0, 2), collar), surfaces.brass);
  batch.add(sweep(outline.slice(-2), collar), surfaces.brass);
  for (const [i, inwards] of [[0, 1], [outline.length - 1, -1]] as const) {
    const end = outline[i]!;
    const along = tangentAt(outline, i).multiplyScalar(inwards);
    const at = [end.x - along.z * PAD_OUT * inwards, FELT_Y + 0.004, end.z + along.x * PAD_OUT * inwards] as const;
    const turn = [0, Math.atan2(along.x, along.z), 0] as const;
    batch.add(finial(), surfaces.brass, { at, turn });
  }
}

/** Turned brass: a flat dome, a bead and a button; the axis points out of the rail, to -z. */
function finial(): LatheGeometry {
  const profile = [
    [0, -0.036],
    [0.24, -0.033],
    [0.34, -0.026],
    [0.34, -0.02],
    [0.5, -0.019],
    [0.8, -0.014],
    [1.0, -0.006],
    [1.07, 0],
    [1.07, 0.006],
  ].map(([radius, along]) => new Vector2(radius!, along));
  const geometry = new LatheGeometry(profile, 32);
  return geometry.rotateX(Math.PI / 2).scale(PAD.x, PAD.y, 1) as LatheGeometry;
}

function padProfile(swell = 1): ProfilePoint[] {
  return Array.from({ length: PAD_STEPS + 1 }, (_, i): ProfilePoint => {
    const angle = Math.PI * (1.08 - (i / PAD_STEPS) * 1.34);
    return [PAD_OUT + Math.cos(angle) * PAD.x * swell, FELT_Y + 0.004 + Math.sin(angle) * PAD.y * swell];
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
