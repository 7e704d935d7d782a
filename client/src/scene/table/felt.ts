/** The felt with its print. Another felt is another colour of the cloth and of the ink: nothing is drawn anew. */

import {
  type BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  Mesh,
  RedFormat,
  Shape,
  ShapeGeometry,
  type Texture,
  Vector2,
  type Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { textureOf } from '../craft/paint';
import type { Surface, Surfaces } from '../craft/surfaces';
import { AREAS, FELT_Y } from '../layout';
import type { Felt } from './felts';
import { feltPrint, SHEET } from './print';
import { sectorGeometry, sectorPicture } from './sectors';
import { feltTexture } from './tiles';
import type { Area } from '../view';

/** How strongly an area is tinted in its colour. */
const TINT = 0.17;

export class FeltTop {
  readonly group = new Group();
  private readonly cloth: Surface;
  private readonly ink: Surface;

  constructor(surfaces: Surfaces, outline: readonly Vector3[], printWidth: number, areas: readonly Area[]) {
    const geometry = feltGeometry(outline);
    const { anisotropy } = surfaces;
    this.cloth = surfaces.of({ colour: '#ffffff', roughness: 0.97, mirror: 0.35, map: feltTexture(anisotropy) });
    const base = new Mesh(geometry, this.cloth);
    base.position.y = FELT_Y;
    base.receiveShadow = true;
    base.name = 'felt';

    const tint = surfaces.of({ colour: '#ffffff', roughness: 0.9, mirror: 0.35, opacity: TINT });
    tint.map = textureOf(sectorPicture(() => 1));
    tint.vertexColors = true;
    const tints = above(new Mesh(tintGeometry(areas), tint), 0.0003, 'tints');

    this.ink = surfaces.of({ colour: '#ffffff', roughness: 0.8, mirror: 0.4, opacity: 1 });
    stencil(this.ink, printTexture(printWidth, areas, anisotropy));
    const print = above(new Mesh(geometry, this.ink), 0.0004, 'print');
    print.renderOrder = 1;
    this.group.add(base, tints, print);
    this.group.name = 'top';
  }

  dress(felt: Felt): void {
    this.cloth.color.set(felt.albedo);
    this.ink.color.set(felt.print);
  }
}

function above(mesh: Mesh<BufferGeometry, Surface>, height: number, name: string): Mesh {
  mesh.position.y = FELT_Y + height;
  mesh.receiveShadow = true;
  mesh.material.polygonOffset = true;
  mesh.material.polygonOffsetFactor = -1;
  mesh.name = name;
  return mesh;
}

/** How much ink lies where, in one channel: a quarter of the memory that a coloured sheet would take. */
function printTexture(width: number, areas: readonly Area[], anisotropy: number): Texture {
  const texture = textureOf(feltPrint(width, areas), { anisotropy, colour: false });
  texture.format = RedFormat;
  return texture;
}

function stencil(ink: Surface, amount: Texture): void {
  ink.alphaMap = amount;
  ink.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <alphamap_fragment>',
      'diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).r;',
    );
  };
  ink.customProgramCacheKey = () => 'stencil';
}

function tintGeometry(areas: readonly Area[]): BufferGeometry {
  const colour = new Color();
  return mergeGeometries(
    areas.map((area) => {
      const geometry = sectorGeometry(area);
      const { count } = geometry.getAttribute('position');
      colour.set(AREAS[area].tint);
      const colours = Array.from({ length: count }, () => [colour.r, colour.g, colour.b]).flat();
      geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
      geometry.setAttribute('normal', new Float32BufferAttribute(Array.from({ length: count }, () => [0, 1, 0]).flat(), 3));
      return geometry;
    }),
  );
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
