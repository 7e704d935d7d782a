/** The room behind: four draw calls of flat pictures. The whole of it leans towards the camera, so that verticals stay vertical. */

import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  type CanvasTexture,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { canvas, noise, penOf, textureOf } from '../craft/paint';
import type { Felt } from '../table/felts';
import { bokehPicture, columnPicture, glowPicture, paintWall, WALL } from './room_art';

const LEAN = -0.44;
const BOKEH = 64;
/** x, z and size. */
const COLUMNS = [
  [-1.42, -2.3, 1],
  [1.42, -2.3, 1],
  [-2.75, -2.9, 1.1],
  [2.75, -2.9, 1.1],
] as const;
/** x, y, z, size and strength; the last one lifts the dealer off the wall. */
const GLOWS = [
  [-1.42, 0.36, -2.2, 1, 0.7],
  [1.42, 0.36, -2.2, 1, 0.7],
  [-2.75, 0.42, -2.7, 1, 0.5],
  [2.75, 0.42, -2.7, 1, 0.5],
  [-0.78, 1.15, -3.4, 0.8, 0.5],
  [0.78, 1.15, -3.4, 0.8, 0.5],
  [0, 0.1, -1.6, 2.9, 0.34],
] as const;

/** One light in so many shines in the felt's own colour. */
const LAMP_SHARE = 0.14;

export class Room {
  readonly group = new Group();
  private readonly wall: CanvasTexture;
  private readonly lights: Bokeh;
  private worn: Felt | null = null;

  constructor() {
    this.wall = textureOf(canvas(WALL.width, WALL.height, () => undefined));
    const material = new MeshBasicMaterial({ map: this.wall, dithering: true });
    const wall = new Mesh(new PlaneGeometry(11.8, 4.55), material);
    wall.position.set(0, 0.22, -4.4);
    this.lights = bokeh();
    this.group.name = 'room';
    this.group.add(wall, columns(), glows(), this.lights.points);
    this.group.position.set(0, 1.12, -0.62);
    this.group.rotation.x = LEAN;
  }

  /** The niches of the wall and some of the lights take the colour of the felt. */
  dress(felt: Felt): void {
    if (felt === this.worn) return;
    this.worn = felt;
    paintWall(penOf(this.wall.image as HTMLCanvasElement), felt.niche);
    this.wall.needsUpdate = true;
    this.lights.colour(felt.lamp);
  }
}

/** Right-hand columns are lit from the other side. */
function columns(): Mesh {
  const planes = COLUMNS.map(([x, z, size]) =>
    new PlaneGeometry(0.36 * size, 3.6).scale(x > 0 ? -1 : 1, 1, 1).translate(x, 0, z),
  );
  return new Mesh(
    mergeGeometries(planes),
    new MeshBasicMaterial({ map: textureOf(columnPicture()), side: DoubleSide, dithering: true }),
  );
}

function glows(): Mesh {
  const planes = GLOWS.map(([x, y, z, size, strength]) => {
    const plane = new PlaneGeometry(size, size).translate(x, y, z);
    const count = plane.getAttribute('position').count;
    plane.setAttribute('color', new BufferAttribute(new Float32Array(count * 3).fill(strength), 3));
    return plane;
  });
  const material = new MeshBasicMaterial({ map: textureOf(glowPicture()), vertexColors: true, transparent: true, dithering: true });
  material.blending = AdditiveBlending;
  material.depthWrite = false;
  return new Mesh(mergeGeometries(planes), material);
}

interface Bokeh {
  readonly points: Points;
  colour(lamp: string): void;
}

function bokeh(): Bokeh {
  const random = noise(23);
  const positions = new Float32Array(BOKEH * 3);
  const sizes = new Float32Array(BOKEH);
  const colours = new BufferAttribute(new Float32Array(BOKEH * 3), 3);
  const lamps: (readonly [light: number, strength: number])[] = [];
  const colour = new Color();
  for (let i = 0; i < BOKEH; i++) {
    const side = random() > 0.5 ? 1 : -1;
    const x = side * (0.45 + random() * 3.4);
    positions.set([x, -0.45 + random() ** 1.1 * 1.7, -1.9 - random() * 2], i * 3);
    colour.setHSL(0.07 + random() * 0.06, 0.85, 0.55).multiplyScalar(0.1 + random() * 0.26);
    colours.setXYZ(i, colour.r, colour.g, colour.b);
    if (random() < LAMP_SHARE) lamps.push([i, 0.34 + 0.3 * random()]);
    sizes[i] = 0.56 + random() * 1.6;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('color', colours);
  geometry.setAttribute('relativeSize', new BufferAttribute(sizes, 1));
  return {
    points: new Points(geometry, bokehMaterial()),
    colour(lamp) {
      for (const [light, strength] of lamps) {
        colour.set(lamp).multiplyScalar(strength);
        colours.setXYZ(light, colour.r, colour.g, colour.b);
      }
      colours.needsUpdate = true;
    },
  };
}

function bokehMaterial(): PointsMaterial {
  const material = new PointsMaterial({
    map: textureOf(bokehPicture()),
    vertexColors: true,
    size: 0.14,
    transparent: true,
  });
  material.blending = AdditiveBlending;
  material.depthWrite = false;
  material.onBeforeCompile = (shader) => {
    const code = shader.vertexShader.replace('gl_PointSize = size;', 'gl_PointSize = size * relativeSize;');
    shader.vertexShader = `attribute float relativeSize;\n${code}`;
  };
  return material;
}
