/**
 * What one hand does over time: beats, during which it does something, and ways between them. A beat knows its pose also
 * shortly before and after it: on the way from one to the next the hand leaves the first and joins the second as they
 * move on, so that a moving card is met at its own speed. Times in ms.
 */

import { clamp01, easeHand, runOut } from '../craft/ease';
import { gripShare, handTarget, type HandTarget, mixHands } from './hand';

export interface Beat {
  readonly from: number;
  readonly to: number;
  /** Height of the arc on the way here, metres. */
  readonly lift: number;
  readonly pose: (ms: number, out: HandTarget) => void;
  /** What is held, for tests and for whoever asks. */
  readonly holds?: Hold;
}

export type Hold =
  | { readonly what: 'card'; readonly side: 'player' | 'banker'; readonly index: number; readonly how: 'slide' | 'turn' | 'sweep' | 'carry' }
  | { readonly what: 'chips'; readonly stack: string; readonly part: 'stake' | 'win' }
  | { readonly what: 'pack' };

/** She comes to rest when nothing is to be done for so long. */
const RESTS_AFTER_MS = 1_700;
export const WAY_MS = 560;
/** A hand that lets go, or is about to take hold, moves along with the thing for about half of this. */
const FOLLOWS_MS = 280;

export class Track {
  private readonly beats: readonly Beat[];
  private readonly other = handTarget();
  private last = 0;

  /** `rest` is what the hand does when it does nothing. */
  constructor(beats: readonly Beat[], rest: Beat['pose']) {
    const sorted = apart([...beats].sort((a, b) => a.from - b.from));
    const all: Beat[] = [];
    let free = Number.NEGATIVE_INFINITY;
    for (const beat of sorted) {
      if (beat.from - free > RESTS_AFTER_MS) all.push(resting(free + WAY_MS, beat.from - WAY_MS, rest));
      all.push(beat);
      free = beat.to;
    }
    all.push(resting(free + WAY_MS, Number.POSITIVE_INFINITY, rest));
    this.beats = all;
  }

  /** The beat that goes on, or that has ended last. */
  beatAt(ms: number): Beat {
    const { beats } = this;
    let i = this.last < beats.length && beats[this.last]!.from <= ms ? this.last : 0;
    while (i < beats.length - 1 && beats[i + 1]!.from <= ms) i++;
    this.last = i;
    return beats[i]!;
  }

  pose(ms: number, out: HandTarget): void {
    const beat = this.beatAt(ms);
    if (ms <= beat.to) return beat.pose(Math.max(ms, beat.from), out);
    const next = this.beats[this.last + 1];
    if (next === undefined) return beat.pose(beat.to, out);
    beat.pose(beat.to + runOut(ms - beat.to, FOLLOWS_MS), out);
    next.pose(next.from - runOut(next.from - ms, FOLLOWS_MS), this.other);
    const share = clamp01((ms - beat.to) / (next.from - beat.to));
    const u = easeHand(share);
    mixHands(out, this.other, u, easeHand(gripShare(share)));
    out[1] = out[1]! + next.lift * lifted(share);
  }
}

/** Shortest way from one beat to the next. */
const QUICKEST_WAY_MS = 130;

/** Where there is no time for two things, the earlier one ends early, and what holds nothing gives way. */
function apart(beats: readonly Beat[]): Beat[] {
  const kept: Beat[] = [];
  for (const beat of beats) {
    let last = kept.at(-1);
    while (last !== undefined && beat.from - last.from < QUICKEST_WAY_MS && last.holds === undefined) {
      kept.pop();
      last = kept.at(-1);
    }
    if (last !== undefined && beat.from - last.from < QUICKEST_WAY_MS) continue;
    const ends = beat.from - QUICKEST_WAY_MS;
    if (last !== undefined && last.to > ends) kept[kept.length - 1] = { ...last, to: Math.max(last.from, ends) };
    kept.push(beat);
  }
  return kept;
}

/** 0 at both ends, 1 in the middle, smooth in speed and force. */
function lifted(share: number): number {
  const x = share * (1 - share) * 4;
  return x * x * x;
}

const resting = (from: number, to: number, pose: Beat['pose']): Beat => ({ from, to, lift: 0.03, pose });
