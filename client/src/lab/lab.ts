/**
 * The HUD at a scripted moment: `hud-lab.html?state=betting|empty|placed|closing|dealing|result|paid|lost|refused|poor`,
 * with `quality`, `felt`, `dealer`, `toast=1` (a refusal), `large=1` (large cards), `roads=1`, `at=<ms>` (moves the moment),
 * `flat=none|lost|gone|…` (no scene, and why), `run=1` (time runs on).
 */

import '../tokens.css';
import '@fontsource/marcellus/400.css';
import '@fontsource-variable/hanken-grotesk/index.css';
import { mount } from 'svelte';
import { flatPlaces } from '../hud/flat/layout';
import { Book } from '../history/book.svelte';
import { type Actions, Hud, type Past } from '../hud/hud.svelte';
import HudRoot from '../hud/Hud.svelte';
import { freeRows, type Places } from '../hud/places';
import type { FlatWhy } from '../main/scene_host';
import { sceneView } from '../main/scene_view';
import { apply, type LocalEvent, START, view } from '../model';
import { settingsStore } from '../settings/settings';
import type { TierName } from '../scene/quality';
import * as fixture from '../testing/fixture';
import type { ServerEvent } from '../wire/events';

const query = new URLSearchParams(location.search);
const name = query.get('state') ?? 'betting';
const STAKES = { banker: 750_000, tie: 20_000 };
const { AT, CLOSES, DEALS, OPENED } = fixture;

const before: (ServerEvent | LocalEvent)[] = [
  { type: 'link', status: 'online', latencyMs: 28, atUtcMs: OPENED },
  fixture.welcome,
  fixture.snapshot(),
  fixture.you({ last_stakes: STAKES, can_refill: name === 'poor', balance_minor: name === 'poor' ? 1_550 : 11_824_000 }),
];
const stakedEvents: ServerEvent[] = [fixture.staged(STAKES)];
const placedEvents: ServerEvent[] = [fixture.receipt(STAKES)];
const totals = { player: 1_480_000, tie: 92_000, banker: 4_910_000 };
const dealtEvents: ServerEvent[] = [
  ...placedEvents,
  fixture.locked(102, totals),
  fixture.dealt(),
  fixture.settled(STAKES, name === 'lost' ? {} : { banker: 1_462_500 }),
];
const refusedEvents: (ServerEvent | LocalEvent)[] = [
  ...stakedEvents,
  { type: 'asked', atUtcMs: OPENED, command: { type: 'stage', request_id: 'x', coup: fixture.COUP, area: 'banker', amount_minor: 2_500_000 } },
  { type: 'refused', request_id: 'x', coup: fixture.COUP, code: 'ABOVE_MAX', facts: { area: 'banker', max_minor: 2_500_000 }, automatic: false },
];

const SCENES: Record<string, [(ServerEvent | LocalEvent)[], number]> = {
  betting: [stakedEvents, DEALS - 34_000],
  empty: [[], DEALS - 52_000],
  poor: [[], DEALS - 52_000],
  placed: [placedEvents, DEALS - 18_000],
  closing: [[...placedEvents, fixture.locked(102, totals)], CLOSES + 2_000],
  dealing: [dealtEvents, DEALS + 8_700],
  result: [dealtEvents, DEALS + AT.result + 500],
  paid: [dealtEvents, DEALS + AT.pay + 500],
  lost: [dealtEvents, DEALS + AT.pay + 500],
  refused: [refusedEvents, DEALS - 30_000],
};

const [events, moment] = SCENES[name] ?? SCENES['betting']!;
const toast = query.has('toast') ? refusedEvents.slice(-2) : [];
const state = [...before, ...events, ...toast].reduce(apply, START);
const began = performance.now();
const now = (): number =>
  moment + Number(query.get('at') ?? 0) + (query.has('run') ? performance.now() - began : 0);

const SCREENS = ['roads', 'settings', 'help', 'history'] as const;
const nothing = (): void => undefined;
const actions: Actions = {
  stage: nothing,
  undo: nothing,
  clear: nothing,
  double: nothing,
  rebet: nothing,
  submit: nothing,
  skip: nothing,
  refill: nothing,
  shoe: () => new Promise(nothing),
  refuse: nothing,
  heard: nothing,
};

const past: Past = { book: new Book(() => new Promise(nothing)), play: () => Promise.resolve(), again: nothing, close: nothing };

const app = document.getElementById('app')!;
app.innerHTML = '<canvas id="scene" aria-hidden="true"></canvas><div id="vignette"></div>';
const hud = new Hud(view(state, now()), actions, settingsStore(null), past, null, nothing);
if (query.has('large')) hud.store.set({ largeCards: true });
hud.screen = SCREENS.find((screen) => query.has(screen)) ?? null;
const flat = flatPlaces(
  () => hud.view.laid,
  (layout) => (hud.flat = layout),
);
let places: Places = flat;
let root: HTMLElement | null = null;
function laidOut(element: HTMLElement): void {
  root = element;
  document.documentElement.style.setProperty('--dock', `${Math.round(innerHeight - element.querySelector('.dock')!.getBoundingClientRect().top)}px`);
  places.resize(freeRows(element));
  hud.follow(places);
}
mount(HudRoot, { target: app, props: { hud, laidOut } });

await document.fonts.ready;
const stage = query.has('flat')
  ? null
  : await (await import('../main/scene')).loadStage(document.querySelector('canvas')!, {
      quality: (query.get('quality') as TierName | null) ?? 'medium',
      felt: query.get('felt') ?? 'emerald',
      dealer: query.get('dealer') === 'male' ? 'male' : 'female',
      reducedMotion: false,
      cameraMoves: true,
    });
if (stage !== null) places = stage;
hud.table = stage === null ? 'flat' : 'scene';
hud.flatWhy = stage === null ? ((query.get('flat') || 'none') as FlatWhy) : null;
if (root !== null) laidOut(root);

function frame(): void {
  hud.view = view(state, now());
  stage?.show(sceneView(hud.view, hud.hover, hud.focus));
  stage?.frame(now());
  hud.follow(places);
  if (query.has('run')) requestAnimationFrame(frame);
}
frame();
frame();
document.documentElement.dataset['ready'] = '1';
