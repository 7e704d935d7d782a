/** What the dealer lab can show: a camera, the gaze and a face for each tile. */

import type { Vec3 } from '../camera/lens';

export interface Shot {
  /** Metres from a bone, turned with it: where the camera is, and what it looks at. Without a bone: world space. */
  readonly bone?: string;
  readonly camera: Vec3;
  readonly aim: Vec3;
  /** Degrees. */
  readonly fov: number;
  readonly face?: Readonly<Record<string, number>>;
  /** Pitch of the head, radians. */
  readonly nod?: number;
}

/** The face that the dealer makes when nothing happens. */
const REST = { smile: 0.66, browUp: 0.48 } as const;
export const TABLE_CAMERA: Vec3 = [0, 2.06, 1.52];

const head = (camera: Vec3, aim: Vec3, fov: number, face: Shot['face'] = REST): Shot => ({ bone: 'head', camera, aim, fov, face });
const near = (face?: Shot['face']): Shot => head([0.02, 0.09, 0.72], [0, 0.05, 0.04], 21, face);

export const SHOTS: Readonly<Record<string, Shot>> = {
  front: near(),
  closed: near({ ...REST, blinkL: 1, blinkR: 1 }),
  half: near({ ...REST, blinkL: 0.4, blinkR: 0.4 }),
  smile: near({ smile: 1, browUp: 0.5 }),
  calm: near({}),
  aa: near({ aa: 1, smile: 0.3 }),
  ee: near({ ee: 1, smile: 0.3 }),
  oo: near({ oo: 1, smile: 0.3 }),
  mm: near({ mm: 1, smile: 0.3 }),
  quarter: head([0.46, 0.1, 0.56], [0, 0.05, 0.02], 21),
  left: head([-0.46, 0.1, 0.56], [0, 0.05, 0.02], 21),
  side: head([0.72, 0.08, 0.03], [0, 0.05, 0.01], 21),
  above: head([0.06, 0.46, 0.62], [0, 0.055, 0.01], 22),
  behind: head([-0.38, 0.3, -0.6], [0, 0.06, 0], 22),
  nape: head([0.05, 0.06, -0.7], [0, 0.02, 0], 20),
  eyes: head([0.02, 0.06, 0.5], [0, 0.045, 0.06], 13),
  mouth: head([0.05, 0.0, 0.5], [0, -0.02, 0.06], 13),
  /** As large on the screen as at 1280 x 720. */
  table: { camera: TABLE_CAMERA, aim: [0, 1.29, -0.5], fov: 17, nod: 0.14 },
  lowered: { camera: TABLE_CAMERA, aim: [0, 1.29, -0.5], fov: 17, nod: 0.45 },
  chest: { camera: [0, 1.5, 0.75], aim: [0, 1.16, -0.5], fov: 24 },
  sleeve: { camera: [0.8, 1.5, 0.5], aim: [0.2, 1.1, -0.5], fov: 22 },
  hand: { bone: 'hand_l', camera: [0.1, 0.34, 0.28], aim: [0, -0.01, 0.05], fov: 26 },
  palm: { bone: 'hand_l', camera: [-0.34, 0.05, 0.2], aim: [0, -0.01, 0.05], fov: 26 },
};
