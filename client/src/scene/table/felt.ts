/** The felt with its print. */

import { type BufferGeometry, Group, Mesh, Shape, ShapeGeometry, Vector2, type Vector3 } from 'three';
import { textureOf } from '../craft/paint';
import type { Surfaces } from '../craft/surfaces';
import { FELT_Y } from '../layout';
import type { Felt } from './felts';
import { feltPrint, SHEET } from './print';
import { feltTexture } from './tiles';

export function buildFelt(surfaces: Surfaces, felt: Felt, outline: readonly Vector3[], printWidth: number): Group {
  const group = new Group();
  const geometry = feltGeometry(outline);
  const { anisotropy } = surfaces;
  const cloth = surfaces.of({ colour: felt.albedo, roughness: 0.97, mirror: 0.35, map: feltTexture(anisotropy) });
  const base = new Mesh(geometry, cloth);
  base.position.y = FELT_Y;
  base.receiveShadow = true;
  base.name = 'felt';

  const map = textureOf(feltPrint(printWidth, felt.print), { anisotropy });
  const ink = surfaces.of({ colour: '#ffffff', roughness: 0.8, mirror: 0.4, map, opacity: 1 });
  ink.polygonOffset = true;
  ink.polygonOffsetFactor = -1;
  const print = new Mesh(geometry, ink);
  print.position.y = FELT_Y + 0.0004;
  print.receiveShadow = true;
  print.renderOrder = 1;
  print.name = 'print';
  group.add(base, print);
  return group;
}

function feltGeometry(outline: readonly Vector3[]): BufferGeometry {
  const geometry = new ShapeGeometry(new Shape(outline.map(({ x, z }) => new Vector2(x, -z))));
  geometry.rotateX(-Math.PI / 2);
  const position = geometry.getAttribute('position');
  const uv = geometry.getAttribute('uv');
  for (let i = 0; i < position.count; i++) {
    const u = (position.getX(i) - SHEET.left) / (SHEET.right - SHEET.left);
    uv.setXY(i, u, 1 - (position.getZ(i) - SHEET.far) / (SHEET.near - SHEET.far));
  }
  return geometry;
}
