/** What the HUD shows and what it may ask for. `view` is replaced whole by main whenever something visible changed. */

import type { Area, BoardName, View } from '../model';
import { live } from '../settings/live';
import type { Settings, SettingsStore } from '../settings/settings';
import type { ShoeRecord } from '../wire/generated';
import type { FlatWhy } from '../main/scene_host';
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

/** What can lie over the table. Roads and history cover it; settings and help leave part of it in view. */
export type ScreenName = 'roads' | 'history' | 'settings' | 'help';

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
  /** Why the flat table stands; null while the scene does. */
  flatWhy: FlatWhy | null = $state('laying');
  /** Try once more to put up the scene; main says how. */
  retryScene: () => void = () => undefined;
  chipMinor: number = $state(0);
  hover: Area | null = $state(null);
  focus: Area | null = $state(null);
  screen: ScreenName | null = $state(null);
  board: BoardName = $state('big_road');
  private readonly kept: { readonly value: Settings };
  private readonly memory: Memory;

  constructor(
    view: View,
    readonly actions: Actions,
    readonly store: SettingsStore,
    storage: Storage | null,
    /** Back to the lobby. */
    readonly leave: () => void,
  ) {
    this.view = $state.raw(view);
    this.kept = live(store);
    this.memory = remembered(storage);
    this.board = this.memory.board();
    this.chipMinor = this.memory.chipMinor();
  }

  get settings(): Settings {
    return this.kept.value;
  }

  /** Nothing of the table is to be seen. */
  get covered(): boolean {
    return this.screen === 'roads' || this.screen === 'history';
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
    this.store.set({ shapes: !this.settings.shapes });
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
