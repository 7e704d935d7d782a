/** A warm key above the patron, a weak fill, warm rims from the room. The key alone throws shadows. */

import {
  DepthFormat,
  DepthTexture,
  DirectionalLight,
  Group,
  HemisphereLight,
  LessEqualCompare,
  type Light,
  LinearFilter,
  PMREMGenerator,
  RedFormat,
  SpotLight,
  UnsignedShortType,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import type { Felt } from '../table/felts';

type Vec3 = readonly [number, number, number];

export class Lights {
  readonly group = new Group();
  private readonly key = new SpotLight('#ffefdb', 11.5, 6, 0.6, 0.95, 1.6);

  /** shadowSize 0: no shadows. `cheap`: no mirrored surroundings are there to fill, a dome of light does it. */
  constructor(shadowSize: number, cheap: boolean) {
    const { key } = this;
    key.position.set(0.45, 2.95, 1);
    key.target.position.set(0, 1, -0.22);
    if (shadowSize > 0) {
      key.castShadow = true;
      key.shadow.mapSize.set(shadowSize, shadowSize);
      key.shadow.camera.near = 0.9;
      key.shadow.camera.far = 4.4;
      key.shadow.bias = -0.0003;
      key.shadow.normalBias = 0.008;
      key.shadow.radius = 4;
      key.shadow.map = shadowMap(shadowSize);
    }
    this.group.name = 'lights';
    this.group.add(key, key.target);
    this.direct('#fff1e4', 0.62, [-1.5, 1.5, 2.4]);
    this.direct('#ffcf96', 1.9, [-1.1, 2.3, -1.9]);
    if (cheap) this.group.add(new HemisphereLight('#fff4e6', '#4a3626', 0.85));
    else this.direct('#ffb877', 0.9, [1.6, 1.9, -1.6]);
  }

  private direct(colour: string, strength: number, from: Vec3): void {
    const light: Light = new DirectionalLight(colour, strength);
    light.position.set(...from);
    this.group.add(light);
  }

  dress(felt: Felt): void {
    this.key.color.set(felt.key);
  }

  dispose(): void {
    this.key.dispose();
  }
}

/** As three.js would make it, but 16 bits deep and with one channel of colour: a third of the memory. */
function shadowMap(size: number): WebGLRenderTarget {
  const depthTexture = new DepthTexture(size, size, UnsignedShortType);
  depthTexture.format = DepthFormat;
  depthTexture.compareFunction = LessEqualCompare;
  depthTexture.minFilter = depthTexture.magFilter = LinearFilter;
  return new WebGLRenderTarget(size, size, { format: RedFormat, depthTexture });
}

/** What brass and lacquer mirror. It lives on the graphics card only: build it again when the context was lost. */
export function surroundings(renderer: WebGLRenderer): WebGLRenderTarget {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  const target = generator.fromScene(room, 0.04);
  room.dispose();
  generator.dispose();
  return target;
}
