/** The outline of the felt, and profiles swept along it: trim, track, rail. */

import { BufferGeometry, CatmullRomCurve3, Float32BufferAttribute, Vector3 } from 'three';
import { ARC_CENTRE, FELT_RADIUS } from '../layout';

const ARC_END = 1.17;
const ARC_STEPS = 22;
const POINTS = 150;
/** From the end of the arc round to the dealer's right-hand corner. */
const FLANK: readonly (readonly [number, number])[] = [
  [1.285, -0.105],
  [1.33, -0.22],
  [1.31, -0.335],
  [1.225, -0.405],
  [1.1, -0.425],
];

/** From the dealer's right corner (x < 0) round the front to the other one; y is 0. */
export function feltOutline(): Vector3[] {
  const half: (readonly [number, number])[] = [];
  for (let i = 0; i <= ARC_STEPS; i++) {
    const x = (ARC_END * i) / ARC_STEPS;
    half.push([x, ARC_CENTRE.z + Math.sqrt(FELT_RADIUS ** 2 - x ** 2)]);
  }
  half.push(...FLANK);
  const mirrored = half
    .slice(1)
    .reverse()
    .map(([x, z]) => [-x, z] as const);
  const points = [...mirrored, ...half].map(([x, z]) => new Vector3(x, 0, z));
  return new CatmullRomCurve3(points, false, 'centripetal').getPoints(POINTS);
}

/** Metres out of the felt, and height. */
export type ProfilePoint = readonly [out: number, y: number];

/** `repeat` is in pictures per metre along the outline. */
export function sweep(outline: readonly Vector3[], profile: readonly ProfilePoint[], repeat = 1): BufferGeometry {
  const positions: number[] = [];
  const uvs: number[] = [];
  const index: number[] = [];
  const n = profile.length;
  let length = 0;
  outline.forEach((point, i) => {
    const along = tangentAt(outline, i);
    if (i > 0) length += point.distanceTo(outline[i - 1]!);
    profile.forEach(([out, y], k) => {
      positions.push(point.x - along.z * out, y, point.z + along.x * out);
      uvs.push(length * repeat, k / (n - 1));
    });
  });
  for (let i = 0; i < outline.length - 1; i++) {
    for (let k = 0; k < n - 1; k++) {
      const a = i * n + k;
      index.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs, 2));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

export function tangentAt(outline: readonly Vector3[], i: number): Vector3 {
  const before = outline[Math.max(0, i - 1)]!;
  const after = outline[Math.min(outline.length - 1, i + 1)]!;
  return after.clone().sub(before).normalize();
}
