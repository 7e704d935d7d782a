/** The MIN/MAX sign on the felt. */

import { type CanvasTexture, Group, Mesh, PlaneGeometry } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { majorText } from '../chips/values';
import type { Batch } from '../craft/batch';
import { canvas, DISPLAY_FONT, type Pen, penOf, textureOf, UI_FONT } from '../craft/paint';
import type { Surfaces } from '../craft/surfaces';
import { FELT_Y, SIGN } from '../layout';

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
    const face = new Mesh(new PlaneGeometry(WIDTH, HEIGHT), surfaces.of({ colour: '#ffffff', map: this.texture }));
    face.rotation.x = LEAN;
    face.position.set(0, HEIGHT / 2 + 0.0055, -0.0005);
    this.group.add(face);
    this.group.position.set(SIGN.x, FELT_Y, SIGN.z);
    this.group.rotation.y = SIGN.yaw;
    this.group.name = 'sign';
  }

  write(minMinor: number, maxMinor: number): void {
    const words = `${minMinor} ${maxMinor}`;
    if (words === this.shown) return;
    this.shown = words;
    const { width, height } = PICTURE;
    this.pen.fillStyle = '#14110d';
    this.pen.fillRect(0, 0, width, height);
    this.pen.strokeStyle = '#d9ab55';
    this.pen.lineWidth = 5;
    this.pen.strokeRect(14, 14, width - 28, height - 28);
    this.line('MIN', majorText(minMinor), 93);
    this.line('MAX', majorText(maxMinor), 179);
    this.texture.needsUpdate = true;
  }

  private line(label: string, value: string, y: number): void {
    const { pen } = this;
    pen.textBaseline = 'middle';
    pen.textAlign = 'left';
    pen.fillStyle = '#e9c372';
    pen.font = `400 64px ${DISPLAY_FONT}, serif`;
    pen.fillText(label, 48, y);
    pen.textAlign = 'right';
    pen.fillStyle = '#fff6df';
    pen.font = `700 66px ${UI_FONT}, sans-serif`;
    pen.fillText(value, PICTURE.width - 46, y, 290);
  }
}
