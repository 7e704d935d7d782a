/** The cards of the coup: one instanced mesh, one texture whose cells are redrawn when a new coup is shown. */

import {
  type CanvasTexture,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Quaternion,
  Vector3,
} from 'three';
import { cellOffset, type Grid, useAtlas } from '../craft/atlas';
import { canvas, type Pen, penOf, textureOf } from '../craft/paint';
import type { Surfaces } from '../craft/surfaces';
import { CARD } from '../layout';
import type { CoupTimes } from '../timeline';
import { drawBack, drawFace } from './art';
import { cardGeometry } from './geometry';
import { type CardPose, cardTurn, hiddenCard, poseCard } from './motion';

const MOST = 6;
const GRID: Grid = { columns: 4, rows: 2 };
const BACK_CELL = 7;

export class Cards {
  readonly mesh: InstancedMesh;
  /** Poses of the last frame, for shadows and hands. */
  readonly poses: CardPose[] = Array.from({ length: MOST }, hiddenCard);
  private readonly pen: Pen;
  private readonly texture: CanvasTexture;
  private readonly bend: InstancedBufferAttribute;
  private readonly cellWidth: number;
  private readonly cellHeight: number;
  private readonly codes: string[] = [];
  private bold = false;
  private dealt: CoupTimes | null = null;
  private readonly matrix = new Matrix4();
  private readonly position = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly size = new Vector3(1, 1, 1);

  constructor(surfaces: Surfaces, cellWidth: number) {
    this.cellWidth = cellWidth;
    this.cellHeight = Math.round((cellWidth * CARD.height) / CARD.width);
    const picture = canvas(cellWidth * GRID.columns, this.cellHeight * GRID.rows, () => undefined);
    this.pen = penOf(picture);
    for (let cell = 0; cell < GRID.columns * GRID.rows; cell++) {
      this.inCell(cell, () => drawBack(this.pen, this.cellWidth, this.cellHeight));
    }
    this.texture = textureOf(picture, { anisotropy: surfaces.anisotropy });
    const material = surfaces.of({ colour: '#d3dae6', roughness: 0.55, mirror: 0.55, map: this.texture });
    useAtlas(material, GRID, { backCell: BACK_CELL, halfWidth: CARD.width / 2 });
    const geometry = cardGeometry();
    const cells = new InstancedBufferAttribute(new Float32Array(MOST * 2), 2);
    for (let card = 0; card < MOST; card++) cells.setXY(card, ...cellOffset(card, GRID));
    this.bend = new InstancedBufferAttribute(new Float32Array(MOST), 1);
    this.bend.setUsage(DynamicDrawUsage);
    geometry.setAttribute('cell', cells);
    geometry.setAttribute('bend', this.bend);
    this.mesh = new InstancedMesh(geometry, material, MOST);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.name = 'cards';
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  /** Simple faces with large signs, for screens on which a card is small. */
  simplify(bold: boolean): void {
    if (bold === this.bold) return;
    this.bold = bold;
    const codes = this.codes.splice(0);
    codes.forEach((code, cell) => this.drawCell(cell, code));
    this.texture.needsUpdate = true;
  }

  /** Draw the faces of a coup; those that are there already stay. */
  deal(coup: CoupTimes | null): void {
    if (coup === null || coup === this.dealt) return;
    this.dealt = coup;
    let changed = false;
    coup.cards.slice(0, MOST).forEach(({ code }, cell) => {
      if (this.codes[cell] === code) return;
      changed = true;
      this.drawCell(cell, code);
    });
    if (changed) this.texture.needsUpdate = true;
  }

  private drawCell(cell: number, code: string): void {
    this.codes[cell] = code;
    this.inCell(cell, () => drawFace(this.pen, code, this.cellWidth, this.cellHeight, this.bold));
  }

  frame(coup: CoupTimes | null, ms: number, still: boolean): void {
    for (let i = 0; i < MOST; i++) {
      const pose = this.poses[i]!;
      const card = coup?.cards[i];
      if (coup === null || card === undefined) pose.visible = false;
      else poseCard(coup, card, ms, pose, still);
      this.place(i, pose);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    this.bend.needsUpdate = true;
  }

  private place(i: number, pose: CardPose): void {
    this.size.setScalar(pose.visible ? 1 : 0);
    this.matrix.compose(this.position.set(pose.x, pose.y, pose.z), cardTurn(pose, this.rotation), this.size);
    this.mesh.setMatrixAt(i, this.matrix);
    this.bend.setX(i, pose.bend);
  }

  private inCell(cell: number, draw: () => void): void {
    this.pen.save();
    this.pen.translate((cell % GRID.columns) * this.cellWidth, Math.floor(cell / GRID.columns) * this.cellHeight);
    this.pen.beginPath();
    this.pen.rect(0, 0, this.cellWidth, this.cellHeight);
    this.pen.clip();
    draw();
    this.pen.restore();
  }
}
