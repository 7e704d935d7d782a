/** Everything that stands in the room, put together once. */

import { Color, Scene } from 'three';
import { Cards } from './cards/cards';
import { chipMaterial, ChipField } from './chips/field';
import { FIELD_CHIPS, Stacks } from './chips/stacks';
import { buildTray, TRAY_CHIPS } from './chips/tray';
import { Batch } from './craft/batch';
import { Surfaces } from './craft/surfaces';
import { AREA_NAMES, DISCARD, SHOE, SIGN, TRAY } from './layout';
import type { Tier } from './quality';
import { Lights } from './room/lights';
import { Room } from './room/room';
import { AreaLights } from './table/area_lights';
import { DiscardHolder } from './table/discard';
import { FeltTop } from './table/felt';
import { feltOf } from './table/felts';
import { contactShadows, dashedRings, type GroundMarks, solidRings } from './table/ground_marks';
import { feltOutline } from './table/outline';
import { NewShoe } from './table/new_shoe';
import { buildRail } from './table/rail';
import { Shoe } from './table/shoe';
import { Sign } from './table/sign';
import type { Area } from './view';

const TRAY_SEGMENTS = 14;
const NIGHT = '#0b0807';

export interface TableSet {
  readonly scene: Scene;
  readonly lights: Lights;
  readonly cards: Cards;
  readonly stacks: Stacks;
  readonly areaLights: AreaLights;
  readonly newShoe: NewShoe;
  readonly sign: Sign;
  readonly shadows: GroundMarks;
  /** How many of the shadows belong to things that never move. */
  readonly fixedShadows: number;
  /** Another felt, by its name. */
  dress(felt: string): void;
}

export function buildTableSet(tier: Tier, feltName: string, anisotropy: number, areas: readonly Area[] = AREA_NAMES): TableSet {
  const scene = new Scene();
  scene.background = new Color(NIGHT);
  const surfaces = new Surfaces(tier.lambert, Math.min(tier.anisotropy, anisotropy));
  const outline = feltOutline();

  const batch = new Batch();
  const rail = buildRail(batch, surfaces, outline);
  const top = new FeltTop(surfaces, outline, tier.printWidth, areas);
  const room = new Room();
  const chips = chipMaterial(surfaces);
  const trayChips = new ChipField(chips, TRAY_CHIPS, TRAY_SEGMENTS, false);
  buildTray(batch, surfaces, trayChips);
  const shoe = new Shoe(batch, surfaces);
  const discard = new DiscardHolder(batch, surfaces);
  const newShoe = new NewShoe(shoe, discard);
  const sign = new Sign(batch, surfaces);

  const shadows = contactShadows(tier.contactOpacity);
  const fixedShadows = putFixedShadows(shadows);
  const [solid, dashed] = [solidRings(), dashedRings()];
  const field = new ChipField(chips, FIELD_CHIPS, tier.chipSegments, true);
  const lights = new Lights(tier.shadowSize, tier.lambert);
  const cards = new Cards(surfaces, tier.faceWidth);
  const areaLights = new AreaLights(areas);
  scene.add(
    lights.group,
    room.group,
    top.group,
    batch.build('props'),
    rail.stitches,
    trayChips.mesh,
    shoe.group,
    discard.group,
    newShoe.pack,
    sign.group,
    areaLights.group,
    shadows.mesh,
    solid.mesh,
    dashed.mesh,
    field.mesh,
    cards.mesh,
  );
  const stacks = new Stacks(field, { shadows, solid, dashed });
  const dress = (name: string): void => {
    for (const worn of [top, rail, room, lights]) worn.dress(feltOf(name));
  };
  dress(feltName);
  return { scene, lights, cards, stacks, areaLights, newShoe, sign, shadows, fixedShadows, dress };
}

function putFixedShadows(shadows: GroundMarks): number {
  shadows.put(SHOE.x, SHOE.z, 0.24, 0.46, SHOE.yaw);
  shadows.put(DISCARD.x, DISCARD.z, 0.2, 0.25, DISCARD.yaw);
  shadows.put(TRAY.x, TRAY.z, 0.7, 0.2);
  shadows.put(SIGN.x, SIGN.z, 0.22, 0.11, SIGN.yaw);
  return shadows.mesh.count;
}
