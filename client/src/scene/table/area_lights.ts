/** What an area can show by itself: the winner's glow, the tint under a pointer, the outline of the focus. */

import {
  AdditiveBlending,
  type Blending,
  type BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  NormalBlending,
  type Texture,
} from 'three';
import { clamp01, GLOW_MS } from '../craft/ease';
import { textureOf } from '../craft/paint';
import { AREA_NAMES, AREAS, FELT_Y } from '../layout';
import type { CoupTimes } from '../timeline';
import type { Area } from '../view';
import { sectorGeometry, sectorPicture } from './sectors';

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

  constructor(areas: readonly Area[]) {
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
    for (const area of areas) this.group.add(...Object.values(this.marks[area]));
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
    for (let i = 0; i < AREA_NAMES.length; i++) {
      const area = AREA_NAMES[i]!;
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
