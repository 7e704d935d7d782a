/** A visit to one table: its socket, its HUD, its stage; all of it goes with `leave`. */

import { mount, unmount } from 'svelte';
import { flatPlaces } from '../hud/flat/layout';
import type { Accounts } from '../account/accounts.svelte';
import { Book } from '../history/book.svelte';
import { Hud, type Past } from '../hud/hud.svelte';
import HudRoot from '../hud/Hud.svelte';
import { freeRows, type Places } from '../hud/places';
import { AREAS, type View, viewer } from '../model';
import { feltOf } from '../settings/felts';
import { isReduced } from '../settings/motion';
import type { Watch } from '../protection/watch.svelte';
import type { SettingsStore } from '../settings/settings';
import type { Sound } from '../sound';
import { getCoup, getHistory, listTables } from '../wire/api';
import { retryDelayMs } from '../wire/backoff';
import type { CoupRecord, TableRow } from '../wire/events';
import { ReplayRun } from './replay';
import { askedQuality, drawsInSoftware, hostScene } from './scene';
import type { SceneHost } from './scene_host';
import { sceneView } from './scene_view';
import { Table } from './table';

/** The least time between two frames where the processor draws them: while something moves, and while the dealer only breathes. */
const LOW_MOVING_MS = 200;
const LOW_RESTING_MS = 1_000;
const MOVES_FOR_MS = 1_500;
const REFRESH_MS = 50;

export interface House {
  readonly app: HTMLElement;
  readonly settings: SettingsStore;
  readonly accounts: Accounts;
  readonly watch: Watch;
  readonly sound: Pick<Sound, 'hear' | 'rest'>;
  readonly storage: Storage | null;
  /** `?quality=` of the address; it stands above the setting. */
  readonly quality: string | null;
  /** Back to the lobby. */
  leave(): void;
  /** There is no such table. */
  turnAway(): void;
  /** There is a session. */
  met(): void;
}

export class Seat {
  private readonly table: Table;
  private readonly look = viewer();
  private readonly hud: Hud;
  private readonly layers: HTMLElement;
  private readonly page: Record<string, unknown>;
  private readonly flat: Places = flatPlaces(
    () => this.hud.view.laid,
    (layout) => (this.hud.flat = layout),
  );
  private readonly ends: (() => void)[] = [];
  private readonly host: SceneHost;
  private readonly slow = drawsInSoftware();
  private row: TableRow | null = null;
  private root: HTMLElement | null = null;
  private left = false;
  private replay: ReplayRun | null = null;

  private shown: View | null = null;
  private shownFocus = '';
  private drawnMs = 0;
  private changedMs = 0;
  private next = 0;

  constructor(
    private readonly house: House,
    private readonly name: string,
  ) {
    const { app, settings, storage } = house;
    this.table = new Table(() => this.refresh(), settings, house.accounts);
    this.layers = document.createElement('div');
    this.layers.setAttribute('aria-hidden', 'true');
    this.layers.innerHTML = '<div id="vignette"></div>';
    app.append(this.layers);
    const first = this.look(this.table.state, this.table.clock.nowUtcMs());
    this.hud = new Hud(first, this.table.actions, settings, this.past(), storage, () => house.leave());
    this.hud.accounts = house.accounts;
    this.hud.watch = house.watch;
    this.host = hostScene(this.layers, storage, () => this.changed());
    this.hud.retryScene = () => this.host.retry();
    this.page = mount(HudRoot, { target: app, props: { hud: this.hud, laidOut: (root: HTMLElement) => this.laidOut(root) } });
    this.ends.push(settings.subscribe(() => this.dress()));
    const refreshing = setInterval(() => document.hidden || this.refresh(), REFRESH_MS);
    this.ends.push(() => clearInterval(refreshing));
    const seen = (): void => {
      cancelAnimationFrame(this.next);
      this.host.rest();
      if (!document.hidden) this.next = requestAnimationFrame(this.frame);
    };
    document.addEventListener('visibilitychange', seen);
    this.ends.push(() => document.removeEventListener('visibilitychange', seen));
    this.next = requestAnimationFrame(this.frame);
    void this.sitDown();
  }

  leave(): void {
    this.left = true;
    cancelAnimationFrame(this.next);
    for (const end of this.ends) end();
    this.table.close();
    this.house.sound.rest();
    void unmount(this.page);
    this.host.dispose();
    this.layers.remove();
  }

  private async sitDown(): Promise<void> {
    const row = await this.findTable();
    if (this.left) return;
    if (row === null) {
      this.house.turnAway();
      return;
    }
    this.table.open(row.terms.table);
    this.row = row;
    this.dress();
  }

  private past(): Past {
    return {
      book: new Book(getHistory),
      play: async ({ table, coup }) => {
        try {
          this.play(await getCoup(table, coup));
        } catch (error) {
          this.table.complain(error);
        }
      },
      again: () => this.replay !== null && this.play(this.replay.record),
      close: () => this.stop(),
    };
  }

  /** Show a coup of the past; the live table goes on beneath. */
  play(record: CoupRecord): void {
    if (this.left) return;
    const { hud } = this;
    this.replay = new ReplayRun(record, this.table.clock.nowUtcMs(), this.table.state.roads);
    hud.screen = null;
    hud.replay = { coup: record.dealt.coup, tableName: record.terms.name, over: false };
    this.refresh();
  }

  private stop(): void {
    this.replay = null;
    this.hud.replay = null;
    this.refresh();
  }

  /** Guest and tables, asked for until they come. */
  private async findTable(): Promise<TableRow | null> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.table.visit();
        this.house.met();
        const rows = await listTables();
        this.hud.tables = rows.map(({ terms }) => terms);
        return rows.find((row) => row.terms.table === this.name) ?? null;
      } catch (error) {
        if (this.left) return null;
        this.table.complain(error);
        await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt)));
      }
    }
  }

  /** What the patron wants of table and scene, applied at once. */
  private dress(): void {
    const { terms } = this.row ?? {};
    if (terms === undefined) return;
    const { value } = this.house.settings;
    const felt = feltOf(terms.felts ?? [], terms.felt, value.felt);
    if (document.documentElement.dataset['felt'] !== felt) document.documentElement.dataset['felt'] = felt;
    this.host.want({
      quality: askedQuality(this.house.quality) ?? value.quality,
      felt,
      dealer: terms.dealer === 'male' ? 'male' : 'female',
      areas: AREAS.filter((area) => terms.areas.some((one) => one.area === area)),
      reducedMotion: isReduced(value, matchMedia('(prefers-reduced-motion: reduce)').matches),
      cameraMoves: value.cameraMoves,
    });
  }

  private laidOut(element: HTMLElement): void {
    this.root = element;
    const dock = element.querySelector('.dock')?.getBoundingClientRect().top ?? 0;
    document.documentElement.style.setProperty('--dock', `${Math.round(window.innerHeight - dock)}px`);
    this.flat.resize(freeRows(element));
    this.host.resize(freeRows(element));
    this.hud.follow(this.places);
  }

  private get places(): Places {
    return this.host.why === null ? this.host : this.flat;
  }

  /** Another table stands: the flat one, the 3D one, or the 3D one in another tier. */
  private changed(): void {
    const { why } = this.host;
    this.hud.flatWhy = why;
    this.hud.table = why === null ? 'scene' : why === 'laying' ? 'laying' : 'flat';
    this.shown = null;
    if (this.root !== null) this.laidOut(this.root);
  }

  /** Bring the HUD to the present; free when nothing visible has changed. Not left to frames, which a busy GPU holds up. */
  private refresh(): void {
    const { hud, replay, table } = this;
    const nowUtcMs = table.clock.nowUtcMs();
    const view = replay === null ? this.look(table.state, nowUtcMs) : replay.view(nowUtcMs);
    if (hud.view !== view) {
      const relaid = String(hud.view.laid) !== String(view.laid);
      hud.view = view;
      if (relaid && this.root !== null) this.laidOut(this.root);
    }
    if (replay === null && view.ended !== null) this.house.watch.paid(this.name, view.ended);
    if (replay?.over(nowUtcMs) === true && hud.replay?.over === false) hud.replay = { ...hud.replay, over: true };
    this.house.sound.hear(view, nowUtcMs);
  }

  private readonly frame = (): void => {
    if (document.hidden || this.left) return;
    this.next = requestAnimationFrame(this.frame);
    this.refresh();
    const { hud, host } = this;
    if (host.why !== null || hud.covered) {
      host.rest();
      return;
    }
    const { view } = hud;
    const focus = `${hud.hover} ${hud.focus}`;
    const ms = performance.now();
    host.beat(ms);
    if (host.why !== null) return;
    const fresh = this.shown === null;
    if (this.shown !== view || this.shownFocus !== focus) {
      host.show(sceneView(view, hud.hover, hud.focus));
      if (this.shown?.clock.seconds === view.clock.seconds || view.clock.seconds === 0) this.changedMs = ms;
      [this.shown, this.shownFocus] = [view, focus];
    }
    const moving = view.phase === 'dealing' || ms - this.changedMs < MOVES_FOR_MS;
    if (this.slow && ms - this.drawnMs < (moving ? LOW_MOVING_MS : LOW_RESTING_MS)) return;
    const nowUtcMs = this.table.clock.nowUtcMs();
    const moved = host.frame(this.replay?.moment(nowUtcMs) ?? nowUtcMs);
    if (moved || fresh) hud.follow(this.places);
    this.drawnMs = performance.now();
  };
}
