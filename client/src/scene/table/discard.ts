/** The discard holder. Its pile grows as the shoe empties. */

import { BoxGeometry, Group, Mesh } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { drawBack } from '../cards/art';
import type { Batch } from '../craft/batch';
import { canvas, textureOf } from '../craft/paint';
import type { Surfaces } from '../craft/surfaces';
import { CARD, DISCARD, FELT_Y } from '../layout';
import { paperEdges } from './tiles';

const FLOOR = 0.012;
const FULL_HEIGHT = 0.066;
const BACK_ROWS = 180;
const EDGE_ROWS = 76;

export class DiscardHolder {
  readonly group = new Group();
  private readonly pile: Mesh;

  constructor(batch: Batch, surfaces: Surfaces) {
    const holder = batch.within({ at: [DISCARD.x, FELT_Y, DISCARD.z], turn: [0, DISCARD.yaw, 0] });
    holder.add(new RoundedBoxGeometry(0.128, FLOOR, 0.168, 3, 0.005), surfaces.lacquer, { at: [0, FLOOR / 2, 0] });
    for (const side of [-1, 1]) {
      holder.add(new BoxGeometry(0.004, 0.078, 0.16), surfaces.acrylic, { at: [side * 0.056, 0.05, 0] });
      holder.add(new BoxGeometry(0.006, 0.004, 0.162), surfaces.brass, { at: [side * 0.056, 0.09, 0] });
    }
    holder.add(new BoxGeometry(0.112, 0.078, 0.004), surfaces.acrylic, { at: [0, 0.05, -0.078] });
    holder.add(new BoxGeometry(0.118, 0.004, 0.006), surfaces.brass, { at: [0, 0.09, -0.079] });

    const map = textureOf(pilePicture(), { anisotropy: surfaces.anisotropy });
    this.pile = new Mesh(pileGeometry(), surfaces.of({ colour: '#d9cfc6', roughness: 0.7, map }));
    this.pile.castShadow = true;
    this.pile.receiveShadow = true;
    this.group.name = 'discard';
    this.group.position.set(DISCARD.x, FELT_Y + FLOOR, DISCARD.z);
    this.group.rotation.y = DISCARD.yaw;
    this.group.add(this.pile);
    this.fill(0.5);
  }

  /** Another block of cards, as high as it is scaled. */
  copyOfPile(): Mesh {
    const pack = new Mesh(this.pile.geometry, this.pile.material);
    pack.castShadow = true;
    pack.name = 'pack';
    return pack;
  }

  /** share 1: the whole shoe lies here. */
  fill(share: number): void {
    const height = Math.min(1, Math.max(0, share)) * FULL_HEIGHT;
    this.pile.visible = height > 0.0004;
    this.pile.scale.y = height;
    this.pile.position.set(0, height / 2, 0.004);
  }
}

/** A card's back above, edges below. */
function pilePicture(): HTMLCanvasElement {
  return canvas(128, BACK_ROWS + EDGE_ROWS, (pen, width) => {
    drawBack(pen, width, BACK_ROWS);
    pen.drawImage(paperEdges(width, EDGE_ROWS), 0, BACK_ROWS);
  });
}

/** A box of height 1 whose top shows the back and whose sides show the edges. */
function pileGeometry(): BoxGeometry {
  const geometry = new BoxGeometry(CARD.width, 1, CARD.height);
  const edge = EDGE_ROWS / (BACK_ROWS + EDGE_ROWS);
  const normal = geometry.getAttribute('normal');
  const uv = geometry.getAttribute('uv');
  for (let i = 0; i < uv.count; i++) {
    const top = normal.getY(i) > 0.5;
    uv.setY(i, top ? edge + uv.getY(i) * (1 - edge) : uv.getY(i) * edge * 0.96);
  }
  return geometry;
}
