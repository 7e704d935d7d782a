/**
 * The scene alone, for development: npm run dev, then /scene-lab.html with
 *   t=MS (moment since the deal; without it: betting), outcome=banker|player|tie, staged=1, closing=1,
 *   felt, quality, still=1, hover=AREA, focus=AREA, anchors=1, play=1 (runs from t on),
 *   top, bottom (free rows; by default those that the HUD would leave), dealer=female|male, newshoe=1,
 *   outcome also five|stands. `contactSheet(…)` draws the key moments of the coup side by side: tools/contact_sheet.py.
 */

import { screenShape } from '../camera/lens';
import { createStage, type TableStage } from '../stage';
import type { Area, SceneView, Stage, StageOptions } from '../view';
import { LAB_COUPS, type LabCoupName, labDeal, labView } from './coups';
import { coupTimes } from '../timeline';
import { ContactSheet, keyMoments, type SheetOptions } from './sheet';
import { type CoupFigures, measureScript, openAndLeave, pictureOf, playCoups, type ScriptFigures } from './measure';

const query = new URLSearchParams(location.search);
const text = (name: string, otherwise: string): string => query.get(name) ?? otherwise;
const area = (name: string): Area | null => (query.get(name) as Area | null) ?? null;
/** A Tuesday evening. */
const DEAL_UTC_MS = 1_767_729_600_000;

declare global {
  interface Window {
    stage: Stage;
    labView: SceneView;
    labDealMs: number;
    ready: boolean;
    measureScript(): ScriptFigures;
    playCoups(coups: number): CoupFigures;
    openAndLeave(times: number): Promise<number>;
    pictureAt(ms: number): number[];
    contactSheet(options: SheetOptions): ContactSheet;
  }
}

function freeRows(): { top: number; bottom: number } {
  const { innerWidth: width, innerHeight: height } = window;
  const rows = { desktop: [10, height - 135], upright: [110, height - 288], lying: [4, height - 62] }[
    screenShape({ width, height })
  ];
  return { top: Number(text('top', String(rows[0]))), bottom: Number(text('bottom', String(rows[1]))) };
}

function sampleView(): SceneView {
  const coup = LAB_COUPS[text('outcome', 'banker') as LabCoupName];
  const dealing = query.has('t') || query.has('play');
  const deal = dealing ? labDeal(coup, DEAL_UTC_MS) : null;
  const view = labView(dealing ? 'dealing' : query.has('closing') ? 'closing' : 'betting', deal, !query.has('staged'));
  view.closesUtcMs = DEAL_UTC_MS - 10_000;
  view.dealsUtcMs = DEAL_UTC_MS;
  view.newShoeUtcMs = query.has('newshoe') ? DEAL_UTC_MS - 60_000 : null;
  view.hover = area('hover');
  view.focus = area('focus');
  view.cardsLeft = Number(text('left', '268'));
  return view;
}

function drawAnchors(stage: Stage): void {
  const areas = ['player', 'tie', 'banker'] as const;
  const names = [
    ...areas.flatMap((one) => [`total-${one}`, `mine-${one}`, `area-${one}`]),
    'score-player',
    'score-banker',
    'head',
  ];
  for (const name of names) {
    const { x, y } = stage.project(name);
    const dot = document.createElement('i');
    dot.style.left = `${x}px`;
    dot.style.top = `${y}px`;
    document.body.append(dot);
  }
  const outlines = areas.map((one) =>
    stage
      .areaOutline(one)
      .map(({ x, y }) => `${x},${y}`)
      .join(' '),
  );
  const svg = outlines.map((points) => `<polygon points="${points}"/>`).join('');
  document.body.insertAdjacentHTML('beforeend', `<svg>${svg}</svg>`);
}

const options: StageOptions = {
  quality: text('quality', 'high') as StageOptions['quality'],
  felt: text('felt', 'emerald'),
  dealer: text('dealer', 'female') as StageOptions['dealer'],
  reducedMotion: query.has('still'),
  cameraMoves: !query.has('nocam'),
};
const stage = await createStage(document.querySelector('canvas')!, options);
window.stage = stage;
window.labView = sampleView();
window.labDealMs = DEAL_UTC_MS;
window.measureScript = () => measureScript(stage as TableStage, LAB_COUPS.banker);
window.playCoups = (coups) => playCoups(stage as TableStage, coups);
window.openAndLeave = (times) => openAndLeave(times, options);
window.pictureAt = (ms) => pictureOf(stage as TableStage, document.querySelector('canvas')!, DEAL_UTC_MS + ms);
window.contactSheet = (sheet) => {
  const { labView: view } = window;
  const broughtMs = -60_000;
  view.newShoeUtcMs = DEAL_UTC_MS + broughtMs;
  view.cardsLeft = 398;
  stage.show(view);
  const coup = coupTimes(view.deal!);
  const moments = keyMoments(coup, broughtMs, view.closesUtcMs! - DEAL_UTC_MS);
  return new ContactSheet(stage, document.querySelector('canvas')!, moments, sheet);
};
stage.show(window.labView);
stage.resize(freeRows());
const start = DEAL_UTC_MS + Number(text('t', query.has('play') ? '-500' : '-26000'));
stage.frame(start);
if (query.has('anchors')) drawAnchors(stage);
window.addEventListener('resize', () => stage.resize(freeRows()));
if (query.has('play')) {
  const opened = performance.now();
  const loop = (): void => {
    stage.frame(start + performance.now() - opened);
    requestAnimationFrame(loop);
  };
  loop();
}
window.ready = true;
