/** Named places that HTML is pinned to. */

import { FELT_Y, HAND_BOX, inArea, SHOE_MOUTH, type Spot, TRAY } from '../layout';
import type { Area } from '../view';
import type { Vec3 } from './lens';

const onFelt = ({ x, z }: Spot): Vec3 => [x, FELT_Y, z];
const SCORE_X = 0.228;
const EDGES: Readonly<Record<string, number>> = { total: 0, area: 0.5, mine: 0.965 };
const PLACES: Readonly<Record<string, Vec3>> = {
  'score-player': [-SCORE_X, FELT_Y, HAND_BOX.far],
  'score-banker': [SCORE_X, FELT_Y, HAND_BOX.far],
  head: [0, 1.5, -0.58],
  shoe: onFelt(SHOE_MOUTH),
  tray: onFelt(TRAY),
};

const isArea = (name: string | undefined): name is Area => name === 'player' || name === 'banker' || name === 'tie';

/** @throws RangeError for a name that nothing has. */
export function anchorAt(name: string): Vec3 {
  const place = PLACES[name];
  if (place !== undefined) return place;
  const [edge, area] = name.split('-');
  const v = EDGES[edge ?? ''];
  if (v === undefined || !isArea(area)) throw new RangeError(`the scene has no anchor "${name}"`);
  return onFelt(inArea(area, 0.5, v));
}
