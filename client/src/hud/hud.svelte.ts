/** What the HUD shows and what it may ask for. `view` is replaced whole by main whenever something visible changed. */

import type { Accounts } from '../account/accounts.svelte';
import type { Facts } from '../i18n';
import type { Area, BoardName, ButtonName, View } from '../model';
import type { Book } from '../history/book.svelte';
import { live } from '../settings/live';
import type { Settings, SettingsStore } from '../settings/settings';
import type { FlatWhy } from '../main/scene_host';
import type { HistoryCoup, ShoeRecord } from '../wire/generated';
import type { Watch } from '../protection/watch.svelte';
import type { FlatLayout } from './flat/layout';
import { remembered, type Memory } from './memory';
import type { Point, Places } from './places';

/** What a patron can do at the table; main turns it into commands. */
export interface Actions {
  stage(area: Area, amountMinor: number): void;
  undo(): void;
  clear(): void;
  double(): void;
  /** The last bet again, so many times over. */
  rebet(times: 1 | 2): void;
  /** BET, or DEAL. */
  submit(): void;
  /** Do not wait for the gestures of this coup. */
  skip(): void;
  refill(): void;
  /** Fetch a shoe of this table with its coups. */
  shoe(number: number): Promise<ShoeRecord>;
  /** Say why not: a code of the wire or of the page. */
  refuse(code: string, facts?: Facts): void;
  heard(): void;
}

/** What can lie over the table. Roads and history cover it; settings, limits and help leave part of it in view. */
export type ScreenName = 'roads' | 'history' | 'settings' | 'help' | 'account' | 'protection';

export interface Replay {
  readonly coup: number;
  readonly tableName: string;
  /** Everything has been shown. */
  readonly over: boolean;
}

/** What main does with coups of the past. */
export interface Past {
  readonly book: Book;
  /** Show a coup again; says by itself when it cannot be had. */
  play(coup: Pick<HistoryCoup, 'table' | 'coup'>): Promise<void>;
  again(): void;
  close(): void;
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
  /** Why the flat table stands; null while the scene does. */
  flatWhy: FlatWhy | null = $state('laying');
  /** Who plays here; null where nobody asks, as in the lab. */
  accounts: Accounts | null = $state.raw(null);
  /** Try once more to put up the scene; main says how. */
  retryScene: () => void = () => undefined;
  chipMinor: number = $state(0);
  hover: Area | null = $state(null);
  focus: Area | null = $state(null);
  screen: ScreenName | null = $state(null);
  /** The tables of the house, for those who choose among them. */
  tables: readonly { readonly table: string; readonly name: string }[] = $state.raw([]);
  /** A coup of the past that is shown again; the view is then of that coup. */
  replay: Replay | null = $state.raw(null);
  board: BoardName = $state('big_road');
  /** What protects the patron, and how long this sitting lasts; null where nobody watches. */
  watch: Watch | null = $state.raw(null);
  private readonly kept: { readonly value: Settings };
  private readonly memory: Memory;

  constructor(
    view: View,
    readonly actions: Actions,
    readonly store: SettingsStore,
    readonly past: Past,
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
    if (!this.view.laid.includes(area)) this.actions.refuse('UNKNOWN_AREA', { area });
    else if (this.may('areas') && this.chip > 0) this.actions.stage(area, this.chip);
  }

  /** Do it, or say why not. */
  press(button: Exclude<ButtonName, 'areas'>): void {
    if (!this.may(button)) return;
    const { actions } = this;
    switch (button) {
      case 'bet':
        return actions.submit();
      case 'rebet':
        return actions.rebet(1);
      case 'rebetX2':
        return actions.rebet(2);
      case 'undo':
      case 'clear':
      case 'double':
      case 'skip':
        return actions[button]();
    }
  }

  /** Asked of the model; what may not be is said in words. In a replay nothing may be, and everybody sees why. */
  private may(button: ButtonName): boolean {
    if (this.replay !== null) return false;
    const why = this.view.why[button];
    if (why !== null) this.actions.refuse(why.reason, why.facts);
    return why === null;
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
