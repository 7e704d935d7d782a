/** One sheet with round corners for all cards. Face up is +y, the head points to -z; `side` is 0 on the face and 1 on the back. */

import { BufferGeometry, Float32BufferAttribute } from 'three';
import { CARD } from '../layout';

const COLUMNS = 10;
const ROWS = 12;
type Point = readonly [x: number, z: number];

/** -1 … 1, denser towards the ends so that the corner arcs are round. */
const ticks = (count: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => {
    const even = (i / count) * 2 - 1;
    return Math.sign(even) * Math.abs(even) ** 0.5;
  });

/** Corner vertices are pulled onto the corner's arc. */
function rounded(x: number, z: number): Point {
  const insideX = CARD.width / 2 - CARD.corner;
  const insideZ = CARD.height / 2 - CARD.corner;
  const beyondX = Math.abs(x) - insideX;
  const beyondZ = Math.abs(z) - insideZ;
  if (beyondX <= 0 || beyondZ <= 0) return [x, z];
  const pull = CARD.corner / Math.max(CARD.corner, Math.hypot(beyondX, beyondZ));
  return [Math.sign(x) * (insideX + beyondX * pull), Math.sign(z) * (insideZ + beyondZ * pull)];
}

export function cardGeometry(): BufferGeometry {
  const positions: number[] = [];
  const uvs: number[] = [];
  const sides: number[] = [];
  const index: number[] = [];
  const xs = ticks(COLUMNS).map((tick) => (tick * CARD.width) / 2);
  const zs = ticks(ROWS).map((tick) => (tick * CARD.height) / 2);
  const put = ([x, z]: Point, y: number, u: number, v: number, side: number): void => {
    positions.push(x, y, z);
    uvs.push(u, v);
    sides.push(side);
  };

  const addSheet = (side: 0 | 1): void => {
    const base = sides.length;
    const y = side === 0 ? CARD.thickness / 2 : -CARD.thickness / 2;
    for (const z of zs) {
      for (const x of xs) {
        const point = rounded(x, z);
        const u = 0.5 + (side === 0 ? point[0] : -point[0]) / CARD.width;
        put(point, y, u, 0.5 - point[1] / CARD.height, side);
      }
    }
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        const a = base + row * (COLUMNS + 1) + column;
        const c = a + COLUMNS + 1;
        if (side === 0) index.push(a, c, a + 1, a + 1, c, c + 1);
        else index.push(a, a + 1, c, a + 1, c + 1, c);
      }
    }
  };

  const addEdge = (): void => {
    const base = sides.length;
    const right = xs.map((x): Point => rounded(x, zs[0]!));
    const near = zs.slice(1).map((z): Point => rounded(xs.at(-1)!, z));
    const left = xs
      .slice(0, -1)
      .reverse()
      .map((x): Point => rounded(x, zs.at(-1)!));
    const far = zs
      .slice(0, -1)
      .reverse()
      .map((z): Point => rounded(xs[0]!, z));
    const rim = [...right, ...near, ...left, ...far];
    for (const point of rim) {
      put(point, CARD.thickness / 2, 0.03, 0.5, 0);
      put(point, -CARD.thickness / 2, 0.03, 0.5, 0);
    }
    for (let i = 0; i < rim.length - 1; i++) {
      const a = base + i * 2;
      index.push(a, a + 2, a + 1, a + 1, a + 2, a + 3);
    }
  };

  addSheet(0);
  addSheet(1);
  addEdge();
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs, 2));
  geometry.setAttribute('side', new Float32BufferAttribute(sides, 1));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}
