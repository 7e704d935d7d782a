/** What is to be heard of a coup, and when: read off the view, which has it from the server. Pure. */

import type { Area, View } from '../model';
import { AREAS } from '../model';
import type { CoupDealt } from '../wire/events';
import type { Effect, Pitch } from './catalogue';

export interface Cue {
  /** The same for the same gesture, whenever and however often it is asked for. */
  readonly id: string;
  readonly atUtcMs: number;
  readonly effect: Effect;
  readonly gain: number;
  readonly pan: readonly [number, number];
}

/** Where things are heard, −1 left … 1 right: about where they are seen. */
const SHOE = 0.5;
const DISCARD = -0.5;
const PANS: Readonly<Record<Area, number>> = { player: -0.3, tie: 0, banker: 0.3 };
const CENTRE = [0, 0] as const;

/** The muted taps before the close, a second apart; none where betting is shorter than that. */
const TAPS = 5;
const TAPPED_ABOVE_MS = 10_000;
/** A gesture shorter than this makes no sound of its own, and two of them need so much room. */
const SHORTEST_MS = 110;
/** Shorter than this means that it was skipped. */
const SKIPPED_MS = 20;
/** When the hands do it: the spent pack and the fresh one at a new shoe, the sweep of "no more bets". */
const NEW_SHOE_MS = { spent: 850, fresh: 3_340, room: 6_000 } as const;
const SWEEP_MS = { from: 80, seconds: 0.95 } as const;
/** The share of collecting from which the chips move, and how long they do. */
const COLLECTING = { from: 0.27, lasts: 0.7 } as const;
const WIN_AFTER_MS = 250;

/** Everything of the present coup; `winGain` says how loud a win of the patron is to be. */
export function cues(view: View, winGain: number): readonly Cue[] {
  return [...ofBetting(view), ...ofDeal(view, winGain), ...ofLeaving(view)];
}

function ofBetting({ coup, opensUtcMs, closesUtcMs, newShoeUtcMs, phase }: View): Cue[] {
  if (opensUtcMs === null || phase === 'offline') return [];
  const made: Cue[] = [];
  // A coup that is shown again opens and closes in one moment.
  if (closesUtcMs === null || closesUtcMs === opensUtcMs) return made;
  if (newShoeUtcMs !== null && closesUtcMs - newShoeUtcMs > NEW_SHOE_MS.room) {
    const at = (ms: number): Pick<Cue, 'atUtcMs' | 'gain'> => ({ atUtcMs: newShoeUtcMs + ms, gain: 1 });
    made.push({ id: `${coup} spent`, ...at(NEW_SHOE_MS.spent), effect: { name: 'clear', seconds: 0.6, cards: 2 }, pan: [DISCARD, DISCARD] });
    made.push({ id: `${coup} fresh`, ...at(NEW_SHOE_MS.fresh), effect: { name: 'shoe' }, pan: [SHOE, SHOE] });
  }
  made.push({ id: `${coup} open`, atUtcMs: opensUtcMs, effect: { name: 'bell' }, gain: 0.6, pan: CENTRE });
  if (closesUtcMs - opensUtcMs >= TAPPED_ABOVE_MS) {
    for (let left = TAPS; left > 0; left--) {
      made.push({ id: `${coup} tap ${left}`, atUtcMs: closesUtcMs - left * 1000, effect: { name: 'tap' }, gain: 1, pan: CENTRE });
    }
  }
  made.push({ id: `${coup} close`, atUtcMs: closesUtcMs + SWEEP_MS.from, effect: { name: 'sweep', seconds: SWEEP_MS.seconds }, gain: 1, pan: [-0.4, 0.4] });
  return made;
}

function ofDeal(view: View, winGain: number): Cue[] {
  const { deal } = view;
  if (deal === null) return [];
  const made: Cue[] = [];
  const last: Partial<Record<Effect['name'], number>> = {};
  const add = (id: string, ms: number, effect: Effect, pan: Cue['pan'], gain = 1): void => {
    if (ms - (last[effect.name] ?? Number.NEGATIVE_INFINITY) < SHORTEST_MS) return;
    last[effect.name] = ms;
    made.push({ id: `${deal.coup} ${deal.deals_utc_ms} ${id}`, atUtcMs: deal.deals_utc_ms + ms, effect, gain, pan });
  };
  for (const { act, at_ms, dur_ms, side, index } of deal.timeline) {
    // The patron would not wait: of what is done at once only the end is heard.
    if (dur_ms < SKIPPED_MS && act !== 'result' && act !== 'pay') continue;
    const seconds = steps(dur_ms);
    const place = side === 'player' || side === 'banker' ? PANS[side] : 0;
    if (act === 'draw') add(`draw ${side} ${index}`, at_ms, { name: 'slide', seconds: Math.max(0.2, seconds), handed: side === 'player' }, [SHOE, place], 0.9);
    else if (act === 'turn' && dur_ms >= SHORTEST_MS) add(`turn ${side} ${index}`, at_ms, { name: 'turn', seconds }, [place, place]);
    else if (act === 'result' && netMinor(view) > 0) add('win', at_ms + Math.min(WIN_AFTER_MS, dur_ms), { name: 'win' }, CENTRE, winGain);
    else if (act === 'collect' && chipsOn(view, false)) add('collect', at_ms + dur_ms * COLLECTING.from, { name: 'collect', seconds: Math.max(0.25, steps(dur_ms * COLLECTING.lasts)) }, CENTRE);
    else if (act === 'pay' && chipsOn(view, true)) add('pay', at_ms, { name: 'pay', seconds: Math.max(0.3, seconds), pieces: dur_ms < 400 ? 2 : 3 }, [PANS[areaOf(deal.outcome)], PANS[areaOf(deal.outcome)]]);
    else if (act === 'clear') add('clear', at_ms, clearing(deal, dur_ms), [0, DISCARD]);
  }
  return made;
}

/** Where cards stay until the next round, that round begins with clearing them away. */
function ofLeaving({ leaving }: View): Cue[] {
  const clear = leaving?.timeline.find(({ act }) => act === 'clear');
  if (leaving === null || clear === undefined) return [];
  const { at_ms, dur_ms } = clear;
  return [{ id: `${leaving.coup} ${leaving.deals_utc_ms} clear`, atUtcMs: leaving.deals_utc_ms + at_ms, effect: clearing(leaving, dur_ms), gain: 1, pan: [0, DISCARD] }];
}

const clearing = (deal: CoupDealt, ms: number): Effect => ({
  name: 'clear',
  seconds: Math.max(0.3, steps(ms)),
  cards: deal.player_cards.length + deal.banker_cards.length,
});

/** Tracks are kept by their length: near ones share one. */
const steps = (ms: number): number => Math.max(1, Math.round(ms / 40)) * 0.04;

const areaOf = (outcome: string): Area => AREAS.find((area) => area === outcome) ?? 'tie';

/** What the coup brings the patron, as the server has settled it; 0 before that. */
export const netMinor = ({ areas }: View): number =>
  AREAS.reduce((sum, area) => sum + (areas[area].returnedMinor === null ? 0 : areas[area].returnedMinor - areas[area].mineMinor), 0);

/** Do chips lie where they win, or where they lose? A stake of the patron's own counts as the server settled it. */
function chipsOn({ areas, deal }: View, winning: boolean): boolean {
  return AREAS.some((area) => {
    const { mineMinor, returnedMinor, othersMinor } = areas[area];
    if (mineMinor > 0 && returnedMinor !== null && returnedMinor > mineMinor === winning && (winning || returnedMinor === 0)) return true;
    if (othersMinor === 0) return false;
    return winning ? area === deal?.outcome : area !== deal?.outcome && (area === 'tie' || deal?.outcome !== 'tie');
  });
}

export interface ChipNoise {
  readonly effect: Effect;
  readonly gain: number;
  readonly pan: number;
}

/** What the chips do between two views of one coup: those that were added land, those taken back leave. */
export function chipNoise(before: View, now: View): readonly ChipNoise[] {
  if (before.coup !== now.coup || now.phase !== 'betting' || before.phase !== 'betting') return [];
  const made: ChipNoise[] = [];
  for (const area of AREAS) {
    const [was, is] = [before.areas[area], now.areas[area]];
    const pan = PANS[area];
    if (is.old) continue;
    const added = is.mineMinor - (was.old ? 0 : was.mineMinor);
    if (added > 0) made.push({ effect: { name: 'chip', pitch: pitchOf(added, now.chipsMinor) }, gain: 1, pan });
    else if (added < 0) made.push({ effect: { name: 'lift' }, gain: 1.4, pan });
    const others = is.othersMinor - was.othersMinor;
    if (others > 0) made.push({ effect: { name: 'chip', pitch: pitchOf(others, now.chipsMinor) }, gain: 0.3, pan });
  }
  return made;
}

/** Low, middle and high chips of the rail sound different: by the largest that fits into the sum. */
export function pitchOf(amountMinor: number, chipsMinor: readonly number[]): Pitch {
  const place = chipsMinor.findLastIndex((chip) => chip <= amountMinor);
  return Math.min(2, Math.max(0, Math.floor((place * 3) / Math.max(1, chipsMinor.length)))) as Pitch;
}
