/** What an area can show by itself: the winner's glow, the tint under a pointer, the outline of the focus. */

import {
  AdditiveBlending,
  type Blending,
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  NormalBlending,
  type Texture,
} from 'three';
import { clamp01, GLOW_MS } from '../craft/ease';
import { canvas, textureOf } from '../craft/paint';
import { AREA_NAMES, AREAS, BAND_INNER, BAND_OUTER, FELT_Y, polar } from '../layout';
import type { CoupTimes } from '../timeline';
import type { Area } from '../view';

interface Marks {
  readonly glow: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly tint: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly outline: Mesh<BufferGeometry, MeshBasicMaterial>;
}

const GOLD = '#ffd98a';
const RISE_MS = 240;

export class AreaLights {
  readonly group = new Group();
  private readonly marks: Readonly<Record<Area, Marks>>;

  constructor() {
    const glow = textureOf(sectorPicture((depth) => 0.22 + 0.78 * Math.exp(depth * 13)));
    const tint = textureOf(sectorPicture(() => 1));
    const outline = textureOf(sectorPicture((depth) => (depth > -0.028 ? 1 : 0)));
    const marks = (area: Area): Marks => {
      const geometry = sectorGeometry(area);
      return {
        glow: light(geometry, glow, GOLD, 0),
        tint: light(geometry, tint, AREAS[area].tint, 0.16),
        outline: light(geometry, outline, GOLD, 1, NormalBlending),
      };
    };
    this.marks = { player: marks('player'), tie: marks('tie'), banker: marks('banker') };
    for (const area of AREA_NAMES) this.group.add(...Object.values(this.marks[area]));
    this.group.name = 'area lights';
  }

  point(hover: Area | null, focus: Area | null): void {
    for (const area of AREA_NAMES) {
      this.marks[area].tint.visible = area === hover;
      this.marks[area].outline.visible = area === focus;
    }
  }

  /** From the call of the result until the table is cleared, one breath after another. */
  frame(coup: CoupTimes | null, ms: number, still: boolean): void {
    const shines = coup !== null && ms >= coup.result.at && ms < coup.clear.at + coup.clear.duration;
    for (const area of AREA_NAMES) {
      const { glow } = this.marks[area];
      glow.visible = shines && coup.outcome === area;
      if (glow.visible) glow.material.opacity = strength(coup!, ms, still);
    }
  }
}

function strength(coup: CoupTimes, ms: number, still: boolean): number {
  const since = ms - coup.result.at;
  const breath = still ? 0 : 0.2 * Math.sin((since / GLOW_MS) * 2 * Math.PI);
  const rise = still ? 1 : clamp01(since / RISE_MS);
  const fall = 1 - clamp01((ms - coup.clear.at) / Math.max(1, coup.clear.duration));
  return (0.5 + breath) * rise * fall;
}

function light(
  geometry: BufferGeometry,
  map: Texture,
  colour: string,
  opacity: number,
  blending: Blending = AdditiveBlending,
): Marks['glow'] {
  const material = new MeshBasicMaterial({ map, color: colour, transparent: true, opacity, side: DoubleSide });
  material.blending = blending;
  material.depthWrite = false;
  const mesh = new Mesh(geometry, material);
  mesh.position.y = FELT_Y + 0.001;
  mesh.renderOrder = 2;
  mesh.visible = false;
  return mesh;
}

/** White, as opaque as `opacity` says for a depth below the border of a rounded box (negative inside). */
function sectorPicture(opacity: (depth: number) => number): HTMLCanvasElement {
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

function sectorGeometry(area: Area): BufferGeometry {
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
