/** The MIN/MAX sign on the felt. */

import { type CanvasTexture, Group, Mesh, PlaneGeometry } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { majorText } from '../chips/values';
import type { Batch } from '../craft/batch';
import { canvas, DISPLAY_FONT, type Pen, penOf, textureOf, UI_FONT } from '../craft/paint';
import type { Surfaces } from '../craft/surfaces';
import { AREA_NAMES, AREAS, FELT_Y, SIGN } from '../layout';
import type { SceneView } from '../view';

const WIDTH = 0.15;
const HEIGHT = 0.078;
const LEAN = -0.5;
const PICTURE = { width: 512, height: 266 } as const;

export class Sign {
  readonly group = new Group();
  private readonly pen: Pen;
  private readonly texture: CanvasTexture;
  private shown = '';

  constructor(batch: Batch, surfaces: Surfaces) {
    const sign = batch.within({ at: [SIGN.x, FELT_Y, SIGN.z], turn: [0, SIGN.yaw, 0] });
    const plate = new RoundedBoxGeometry(WIDTH + 0.008, HEIGHT + 0.008, 0.005, 2, 0.002);
    sign.add(plate, surfaces.brass, { at: [0, HEIGHT / 2 + 0.004, -0.004], turn: [LEAN, 0, 0] });

    const picture = canvas(PICTURE.width, PICTURE.height, () => undefined);
    this.pen = penOf(picture);
    this.texture = textureOf(picture, { anisotropy: surfaces.anisotropy });
    const face = new Mesh(new PlaneGeometry(WIDTH, HEIGHT), surfaces.of({ colour: '#ffffff', roughness: 0.8, mirror: 0.3, map: this.texture }));
    face.rotation.x = LEAN;
    face.position.set(0, HEIGHT / 2 + 0.0055, -0.0005);
    this.group.add(face);
    this.group.position.set(SIGN.x, FELT_Y, SIGN.z);
    this.group.rotation.y = SIGN.yaw;
    this.group.name = 'sign';
  }

  /** One pair where all areas have the same, else a line for each; nothing while the limits are unknown. */
  write(limits: SceneView['limits']): void {
    const lines = limits === null ? [] : signLines(limits);
    const words = lines.flat().join('|');
    if (words === this.shown) return;
    this.shown = words;
    const { width, height } = PICTURE;
    this.pen.fillStyle = '#14110d';
    this.pen.fillRect(0, 0, width, height);
    this.pen.strokeStyle = '#d9ab55';
    this.pen.lineWidth = 5;
    this.pen.strokeRect(14, 14, width - 28, height - 28);
    const size = lines.length > 2 ? 46 : 66;
    lines.forEach(([label, value], i) => this.line(label, value, size, (height * (i + 1)) / (lines.length + 1) + (i - (lines.length - 1) / 2) * 14));
    this.texture.needsUpdate = true;
  }

  private line(label: string, value: string, size: number, y: number): void {
    const { pen } = this;
    pen.textBaseline = 'middle';
    pen.textAlign = 'left';
    pen.fillStyle = '#e9c372';
    pen.font = `400 ${size * 0.96}px ${DISPLAY_FONT}, serif`;
    pen.fillText(label, 44, y, 190);
    pen.textAlign = 'right';
    pen.fillStyle = '#fff6df';
    pen.font = `700 ${size}px ${UI_FONT}, sans-serif`;
    pen.fillText(value, PICTURE.width - 42, y, 290);
  }
}

/** What the sign says: labels and values. The felt prints the same names. */
export function signLines(limits: NonNullable<SceneView['limits']>): [label: string, value: string][] {
  const lines = AREA_NAMES.flatMap((area) => (limits[area] === undefined ? [] : [{ ...limits[area], label: AREAS[area].label }]));
  const [first] = lines;
  if (first === undefined) return [];
  const same = lines.every((one) => one.minMinor === first.minMinor && one.maxMinor === first.maxMinor);
  if (same) return [['MIN', majorText(first.minMinor)], ['MAX', majorText(first.maxMinor)]];
  return lines.map(({ label, minMinor, maxMinor }) => [label, `${shortText(minMinor)}–${shortText(maxMinor)}`]);
}

/** 2_500_000 minor units as "25K": the sign is small. */
function shortText(minor: number): string {
  return minor >= 1_000_000 && minor % 100_000 === 0 ? `${majorText(minor / 1000)}K` : majorText(minor);
}
