/** The only place where the parts of the page meet. */

import './tokens.css';
import '@fontsource/marcellus/400.css';
import '@fontsource-variable/hanken-grotesk/index.css';
import { mount } from 'svelte';
import { flatPlaces } from './hud/flat/layout';
import { Hud } from './hud/hud.svelte';
import HudRoot from './hud/Hud.svelte';
import { freeRows, type Places } from './hud/places';
import { chooseQuality, loadStage } from './main/scene';
import { sceneView } from './main/scene_view';
import { Table } from './main/table';
import { type View, viewer } from './model';
import type { Stage } from './scene/view';
import { listTables } from './wire/api';
import { retryDelayMs } from './wire/backoff';
import type { TableRow } from './wire/generated';

/** The least time between two frames at `?quality=low`: while something moves, and while the dealer only breathes. */
const LOW_MOVING_MS = 200;
const LOW_RESTING_MS = 1_000;
const MOVES_FOR_MS = 1_500;
const REFRESH_MS = 50;

const query = new URLSearchParams(location.search);
const quality = chooseQuality(query.get('quality'));
const table = new Table(() => refresh());
const look = viewer();
const app = document.getElementById('app')!;

function layer<Tag extends 'canvas' | 'div'>(tag: Tag, id: string): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.id = id;
  element.setAttribute('aria-hidden', 'true');
  app.append(element);
  return element;
}
const canvas = layer('canvas', 'scene');
layer('div', 'vignette');

const hud = new Hud(look(table.state, table.clock.nowUtcMs()), table.actions, storage());
const flat = flatPlaces((layout) => (hud.flat = layout));
let places: Places = flat;
let stage: Stage | null = null;
let root: HTMLElement | null = null;

function laidOut(element: HTMLElement): void {
  root = element;
  const dock = element.querySelector('.dock')?.getBoundingClientRect().top ?? 0;
  document.documentElement.style.setProperty('--dock', `${Math.round(window.innerHeight - dock)}px`);
  places.resize(freeRows(element));
  hud.follow(places);
}
mount(HudRoot, { target: app, props: { hud, laidOut } });

function stand(on: Stage | null): void {
  stage = on;
  places = on ?? flat;
  hud.table = on === null ? 'flat' : 'scene';
  shown = null;
  if (root !== null) laidOut(root);
}

let shown: View | null = null;
let shownFocus = '';
let drawnMs = 0;
let changedMs = 0;
let next = 0;

/** Bring the HUD to the present; free when nothing visible has changed. Not left to frames, which a busy GPU holds up. */
function refresh(): void {
  const view = look(table.state, table.clock.nowUtcMs());
  if (hud.view === view) return;
  hud.view = view;
  if (document.documentElement.dataset.felt !== view.felt) document.documentElement.dataset.felt = view.felt;
}
setInterval(() => document.hidden || refresh(), REFRESH_MS);

function frame(): void {
  if (document.hidden) return;
  next = requestAnimationFrame(frame);
  refresh();
  if (stage === null || hud.roadsOpen) return;
  const now = table.clock.nowUtcMs();
  const { view } = hud;
  const focus = `${hud.hover} ${hud.focus}`;
  try {
    const ms = performance.now();
    if (shown !== view || shownFocus !== focus) {
      stage.show(sceneView(view, hud.hover, hud.focus));
      if (shown?.clock.seconds === view.clock.seconds || view.clock.seconds === 0) changedMs = ms;
      [shown, shownFocus] = [view, focus];
    }
    const moving = view.phase === 'dealing' || ms - changedMs < MOVES_FOR_MS;
    if (quality === 'low' && ms - drawnMs < (moving ? LOW_MOVING_MS : LOW_RESTING_MS)) return;
    stage.frame(now);
    hud.follow(stage);
    drawnMs = performance.now();
  } catch (error) {
    console.warn('The 3D table broke; the flat one takes over.', error);
    const broken = stage;
    stand(null);
    broken.dispose();
  }
}
document.addEventListener('visibilitychange', () => {
  cancelAnimationFrame(next);
  if (!document.hidden) next = requestAnimationFrame(frame);
});
next = requestAnimationFrame(frame);

/** Guest and tables, asked for until they come. */
async function findTable(): Promise<TableRow | null> {
  for (let attempt = 0; ; attempt++) {
    try {
      await table.visit();
      const rows = await listTables();
      const wanted = query.get('table');
      return rows.find((row) => wanted === null || row.terms.table === wanted) ?? null;
    } catch (error) {
      table.complain(error);
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt)));
    }
  }
}

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const row = await findTable();
if (row === null) table.actions.refuse('UNKNOWN_TABLE');
else table.open(row.terms.table);
stand(
  await loadStage(canvas, {
    quality,
    felt: row?.terms.felt ?? 'emerald',
    dealer: 'female',
    cameraMoves: true,
    reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }),
);
