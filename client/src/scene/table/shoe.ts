/** The shoe. Its block of cards grows shorter as cards are dealt, and the weight follows. */

import { BoxGeometry, CircleGeometry, ExtrudeGeometry, Group, Mesh, RepeatWrapping, Shape, Vector2 } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { drawBack } from '../cards/art';
import { type Batch, type Placement } from '../craft/batch';
import { canvas, drawMark, textureOf } from '../craft/paint';
import type { Surface, Surfaces } from '../craft/surfaces';
import { CARD, FELT_Y, SHOE } from '../layout';
import { paperEdges } from './tiles';

const WIDTH = 0.118;
/** Along the shoe; the mouth is at +z. */
const BLOCK_FRONT = 0.118;
const BLOCK_BACK = -0.12;
/** Seen from the side: (along, up). */
const SIDE: readonly (readonly [number, number])[] = [
  [-0.175, 0],
  [0.15, 0],
  [0.158, 0.012],
  [0.12, 0.074],
  [0.02, 0.128],
  [-0.16, 0.15],
  [-0.175, 0.14],
];
const BLOCK: readonly (readonly [number, number])[] = [
  [-0.095, 0.014],
  [BLOCK_FRONT, 0.014],
  [0.086, 0.07],
  [0.01, 0.106],
  [BLOCK_BACK, 0.112],
];

/** An empty shoe still shows a little of its block. */
const LEAST = 0.12;
/** The cut card lies about so many cards from the end. */
const CUT_FROM_END = 15;
/** Cards in the shoe lean back. */
const CUT_LEAN = 0.5;
/** Where the cut card lies when it is out, in the shoe's coordinates. */
const OUT = { x: 0.135, z: 0.02 } as const;

const sideShape = (points: readonly (readonly [number, number])[]): Shape =>
  new Shape(points.map(([z, y]) => new Vector2(z, y)));
const bar = (width: number, height: number, depth: number): RoundedBoxGeometry =>
  new RoundedBoxGeometry(width, height, depth, 2, Math.min(width, height, depth) * 0.3);

export class Shoe {
  /** The parts that move. */
  readonly group = new Group();
  private readonly cards: Mesh;
  private readonly weight: Mesh;
  private readonly cut: Mesh;

  constructor(batch: Batch, surfaces: Surfaces) {
    const placement: Placement = { at: [SHOE.x, FELT_Y, SHOE.z], turn: [0, SHOE.yaw, 0], scale: SHOE.scale };
    const shoe = batch.within(placement);
    buildBody(shoe, surfaces);
    buildMouth(shoe, surfaces);

    this.group.name = 'shoe';
    this.group.position.set(SHOE.x, FELT_Y, SHOE.z);
    this.group.rotation.y = SHOE.yaw;
    this.group.scale.setScalar(SHOE.scale);
    this.weight = thing(bar(WIDTH - 0.014, 0.06, 0.02), surfaces.brass);
    this.weight.rotation.x = -0.22;
    this.cards = block(surfaces);
    this.cut = thing(cutCard(), surfaces.of({ colour: '#c9962a', roughness: 0.38 }));
    this.group.add(this.cards, this.weight, this.cut);
    this.fill(416, 416);
  }

  /**
   * So many cards of a shoe of `all` are left: they slide down to the mouth. The cut card lies before the last few; once
   * those alone are left, it has come out, and lies on the felt beside the shoe.
   */
  fill(cardsLeft: number, all: number): void {
    const share = Math.min(1, Math.max(0, cardsLeft / Math.max(1, all)));
    const left = LEAST + (1 - LEAST) * share;
    this.setCut(cardsLeft, left);
    this.cards.scale.z = left;
    this.cards.position.z = BLOCK_FRONT * (1 - left);
    this.weight.position.set(0, 0.088 - 0.02 * (1 - left), BLOCK_FRONT + (BLOCK_BACK - BLOCK_FRONT) * left - 0.02);
  }

  private setCut(cardsLeft: number, left: number): void {
    const { cut } = this;
    if (cardsLeft > 0 && cardsLeft <= CUT_FROM_END) {
      cut.rotation.set(Math.PI / 2, 0, 0.24);
      cut.position.set(OUT.x, 0.0016 / SHOE.scale, OUT.z);
      return;
    }
    const behind = cardsLeft > 0 ? CUT_FROM_END / cardsLeft : 0;
    const z = BLOCK_FRONT - (BLOCK_FRONT - BLOCK_BACK) * left * (1 - behind);
    cut.rotation.set(-CUT_LEAN, 0, 0);
    cut.position.set(0, 0.062, z - 0.018);
  }
}

function thing(geometry: Mesh['geometry'], material: Surface): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

function buildBody(shoe: Batch, surfaces: Surfaces): void {
  const { lacquer, brass, acrylic } = surfaces;
  for (const side of [-1, 1]) {
    const wall = new ExtrudeGeometry(sideShape(SIDE), {
      depth: 0.008,
      bevelEnabled: true,
      bevelSize: 0.003,
      bevelThickness: 0.003,
      bevelSegments: 2,
    });
    shoe.add(wall, lacquer, { turn: [0, -Math.PI / 2, 0], at: [(side * WIDTH) / 2 + 0.004, 0, 0] });
  }
  shoe.add(bar(WIDTH, 0.012, 0.3), lacquer, { at: [0, 0.008, -0.01] });
  shoe.add(bar(WIDTH, 0.13, 0.01), lacquer, { at: [0, 0.072, -0.168] });
  shoe.add(new BoxGeometry(WIDTH + 0.006, 0.003, 0.185), acrylic, { at: [0, 0.143, -0.072], turn: [0.122, 0, 0] });
  shoe.add(bar(WIDTH + 0.02, 0.006, 0.008), brass, { at: [0, 0.1305, 0.0205], turn: [0.122, 0, 0] });
  shoe.add(bar(WIDTH + 0.02, 0.006, 0.008), brass, { at: [0, 0.1535, -0.165], turn: [0.122, 0, 0] });
  const badge = canvas(128, 128, (pen, width, height) => {
    pen.fillStyle = '#1a1710';
    pen.fillRect(0, 0, width, height);
    drawMark(pen, width / 2, height / 2, 44, '#f1cf86');
  });
  const enamel = surfaces.of({ colour: '#ffffff', roughness: 0.3, metalness: 0.9, map: textureOf(badge) });
  shoe.add(new CircleGeometry(0.027, 32), enamel, {
    at: [WIDTH / 2 + 0.0125, 0.068, -0.055],
    turn: [0, Math.PI / 2, 0],
  });
}

/** Face plate with a gap for the thumb, the next card peeping out of it, the lip. */
function buildMouth(shoe: Batch, surfaces: Surfaces): void {
  const half = WIDTH / 2;
  const plate = new Shape();
  plate.moveTo(-half, 0);
  plate.lineTo(-half, 0.07);
  plate.lineTo(half, 0.07);
  plate.lineTo(half, 0);
  plate.lineTo(0.024, 0);
  plate.quadraticCurveTo(0.024, 0.036, 0, 0.036);
  plate.quadraticCurveTo(-0.024, 0.036, -0.024, 0);
  plate.lineTo(-half, 0);
  const geometry = new ExtrudeGeometry(plate, {
    depth: 0.006,
    bevelEnabled: true,
    bevelSize: 0.0015,
    bevelThickness: 0.0015,
    bevelSegments: 2,
  });
  shoe.add(geometry, surfaces.lacquer, { at: [0, 0.014, 0.155], turn: [-0.55, 0, 0] });
  const back = textureOf(canvas(128, 180, drawBack), { anisotropy: surfaces.anisotropy });
  const peeping = surfaces.of({ colour: '#ffffff', map: back });
  shoe.add(new BoxGeometry(CARD.width, 0.0016, 0.07), peeping, { at: [0, 0.03, 0.14], turn: [0.95, 0, 0] });
  shoe.add(bar(WIDTH + 0.012, 0.007, 0.03), surfaces.brass, { at: [0, 0.006, 0.162] });
}

/** A slanted block with fine edges. */
function block(surfaces: Surfaces): Mesh {
  const geometry = new ExtrudeGeometry(sideShape(BLOCK), { depth: CARD.width, bevelEnabled: false });
  geometry.rotateY(-Math.PI / 2);
  geometry.translate(CARD.width / 2, 0, 0);
  const position = geometry.getAttribute('position');
  const uv = geometry.getAttribute('uv');
  for (let i = 0; i < position.count; i++) {
    uv.setXY(i, position.getX(i) * 4, position.getZ(i) * 3.6 + position.getY(i) * 0.6);
  }
  const map = textureOf(paperEdges(64, 512), { anisotropy: surfaces.anisotropy });
  map.wrapS = map.wrapT = RepeatWrapping;
  return thing(geometry, surfaces.of({ colour: '#c9c1b2', roughness: 0.85, mirror: 0.3, map }));
}

/** A sheet of plastic with round corners, upright. */
function cutCard(): ExtrudeGeometry {
  const [a, b, corner] = [(CARD.width + 0.004) / 2, CARD.height / 2, CARD.corner];
  const shape = new Shape();
  shape.moveTo(-a + corner, -b).lineTo(a - corner, -b).quadraticCurveTo(a, -b, a, -b + corner);
  shape.lineTo(a, b - corner).quadraticCurveTo(a, b, a - corner, b);
  shape.lineTo(-a + corner, b).quadraticCurveTo(-a, b, -a, b - corner);
  shape.lineTo(-a, -b + corner).quadraticCurveTo(-a, -b, -a + corner, -b);
  return new ExtrudeGeometry(shape, { depth: 0.0018, bevelEnabled: false, curveSegments: 4 });
}
