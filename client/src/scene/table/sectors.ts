/** The shape of a betting area as a mesh, and pictures that fill it. */

import { BufferGeometry, Float32BufferAttribute } from 'three';
import { canvas } from '../craft/paint';
import { AREAS, BAND_INNER, BAND_OUTER, polar } from '../layout';
import type { Area } from '../view';

/** White, as opaque as `opacity` says for a depth below the border of a rounded box (negative inside). */
export function sectorPicture(opacity: (depth: number) => number): HTMLCanvasElement {
  const corner = 0.075;
  const aspect = 1.45;
  return canvas(256, 128, (pen, width, height) => {
    const image = pen.createImageData(width, height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const dx = Math.abs((x + 0.5) / width - 0.5) * aspect - (aspect / 2 - corner);
        const dy = Math.abs((y + 0.5) / height - 0.5) - (0.5 - corner);
        const depth = Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
        const at = (y * width + x) * 4;
        image.data.fill(255, at, at + 3);
        image.data[at + 3] = depth > 0 ? 0 : 255 * Math.min(1, opacity(depth));
      }
    }
    pen.putImageData(image, 0, 0);
  });
}

export function sectorGeometry(area: Area): BufferGeometry {
  const steps = 28;
  const { from, to } = AREAS[area];
  const positions: number[] = [];
  const uvs: number[] = [];
  const index: number[] = [];
  for (let i = 0; i <= steps; i++) {
    for (const side of [0, 1] as const) {
      const { x, z } = polar(from + ((to - from) * i) / steps, side === 1 ? BAND_OUTER : BAND_INNER);
      positions.push(x, 0, z);
      uvs.push(i / steps, side);
    }
    if (i < steps) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs, 2));
  geometry.setIndex(index);
  return geometry;
}
