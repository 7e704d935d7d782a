/** What the HUD shows and what it may ask for. `view` is replaced whole by main whenever something visible changed. */

import type { Area, BoardName, View } from '../model';
import type { ShoeRecord } from '../wire/generated';
import type { FlatLayout } from './flat/layout';
import { remembered, type Memory } from './memory';
import type { Point, Places } from './places';

/** What a patron can do at the table; main turns it into commands. */
export interface Actions {
  stage(area: Area, amountMinor: number): void;
  undo(): void;
  clear(): void;
  double(): void;
  rebet(): void;
  submit(): void;
  refill(): void;
  /** Fetch a shoe of this table with its coups. */
  shoe(number: number): Promise<ShoeRecord>;
  /** Say why not: a code of the wire or of the page. */
  refuse(code: string): void;
  heard(): void;
}

export interface Spots {
  readonly points: Readonly<Record<string, Point>>;
  readonly outlines: Readonly<Record<Area, readonly Point[]>>;
}

const ANCHORS = [
  ...(['player', 'tie', 'banker'] as const).flatMap((area) => [`total-${area}`, `mine-${area}`]),
  'score-player',
  'score-banker',
];
const STILL_PX = 0.4;

export class Hud {
  view: View;
  /** Where things hang on the table, in pixels of the page. */
  spots: Spots = $state.raw({ points: {}, outlines: { player: [], tie: [], banker: [] } });
  /** The table underneath: flat until, or unless, the scene is there. */
  table: 'laying' | 'flat' | 'scene' = $state('laying');
  flat: FlatLayout | null = $state.raw(null);
  chipMinor: number = $state(0);
  hover: Area | null = $state(null);
  focus: Area | null = $state(null);
  roadsOpen: boolean = $state(false);
  board: BoardName = $state('big_road');
  shapeMarks: boolean = $state(false);
  private readonly memory: Memory;

  constructor(
    view: View,
    readonly actions: Actions,
    storage: Storage | null,
  ) {
    this.view = $state.raw(view);
    this.memory = remembered(storage);
    this.board = this.memory.board();
    this.shapeMarks = this.memory.shapeMarks();
    this.chipMinor = this.memory.chipMinor();
  }

  /** The chosen chip, or the middle of the rail as long as none of the rail's was chosen. */
  get chip(): number {
    const { chipsMinor } = this.view;
    if (chipsMinor.includes(this.chipMinor)) return this.chipMinor;
    return chipsMinor[Math.min(3, Math.floor(chipsMinor.length / 2))] ?? 0;
  }

  choose(chipMinor: number): void {
    this.chipMinor = chipMinor;
    this.memory.keep('chip', String(chipMinor));
  }

  activate(board: BoardName): void {
    this.board = board;
    this.memory.keep('board', board);
  }

  toggleMarks(): void {
    this.shapeMarks = !this.shapeMarks;
    this.memory.keep('marks', this.shapeMarks ? '1' : '');
  }

  /** Put the chosen chip on an area, or say why not. */
  put(area: Area): void {
    const why = this.view.buttons.areas;
    if (why !== null) this.actions.refuse(why);
    else if (this.chip > 0) this.actions.stage(area, this.chip);
  }

  /** Do it, or say why not. */
  press(button: 'bet' | 'undo' | 'clear' | 'double' | 'rebet'): void {
    const why = this.view.buttons[button];
    if (why !== null) this.actions.refuse(why);
    else if (button === 'bet') this.actions.submit();
    else this.actions[button]();
  }

  /** Follow the table: ask where everything hangs now. Cheap when nothing moved. */
  follow(places: Places): void {
    const points = Object.fromEntries(ANCHORS.map((anchor) => [anchor, places.project(anchor)]));
    const moved = ANCHORS.some((anchor) => {
      const old = this.spots.points[anchor];
      const now = points[anchor]!;
      return old === undefined || Math.abs(old.x - now.x) + Math.abs(old.y - now.y) > STILL_PX;
    });
    if (!moved) return;
    const outlines = {
      player: places.areaOutline('player'),
      tie: places.areaOutline('tie'),
      banker: places.areaOutline('banker'),
    };
    this.spots = { points, outlines };
  }
}
