/** The dealer at her table. Her pose is a function of what she is told and of the time; only changes of mind are smoothed. */

import { type Object3D, Vector3 } from 'three';
import { easeHand } from '../craft/ease';
import { Attention, type Look } from './attention';
import { fitGrips } from './fit';
import { pointing } from './grasp';
import { blink } from './gaze';
import type { Grips } from './grips';
import { HAND_NUMBERS, handTarget } from './hand';
import { restHand, stand } from './idle';
import { type DealerLook, type DealerName, loadDealer } from './load';
import { speak } from './mouth';
import { type Pose, Rig } from './rig';
import { NOTHING, type Part, type Score, write } from './score';
import { HANDS, type HandSide } from './skeleton';
import { type Hold, Track } from './track';

/** Where her feet are: on a low step behind the table. */
const STANDS_AT = { x: 0, y: 0.03, z: -0.6 } as const;
/** A change of what is to be done moves the hands over in so long. */
export const BLEND_MS = 260;
/** A page that drew nothing for longer than this shows the present at once. */
const LOST_MS = 1_500;
const HOUR_MS = 3_600_000;

export interface Call {
  readonly atUtcMs: number;
  readonly letters: number;
}

/** What she means to do: a pose as plain numbers, so that two can be mixed. */
interface Mind {
  readonly score: Score;
  readonly tracks: Readonly<Record<HandSide, Track>>;
}

/** Both hands, where head and eyes look, smile and brow. */
const NUMBERS = 2 * HAND_NUMBERS + 8;
const HEAD = 2 * HAND_NUMBERS;

const mindOf = (score: Score): Mind => ({
  score,
  tracks: {
    l: new Track(score.beats.l, (ms, out) => restHand('l', ms, out)),
    r: new Track(score.beats.r, (ms, out) => restHand('r', ms, out)),
  },
});

export class Dealer {
  readonly rig: Rig;
  readonly grips: Grips;
  private part: Part = NOTHING;
  private call: Call | null = null;
  private mind: Mind = mindOf({ beats: { l: [], r: [] }, glances: [] });
  /** What she is about to do, what she did until now, and what she was ahead of that: while minds change. */
  private next: Mind | null = null;
  private past: Mind | null = null;
  private readonly ahead = new Float64Array(NUMBERS);
  private changedMs = 0;
  private drawnMs: number | null = null;
  private readonly numbers = new Float64Array(NUMBERS);
  private readonly others = new Float64Array(NUMBERS);
  private readonly attention = new Attention();
  private readonly look: Look = { head: { x: 0, y: 0, z: 0 }, eyes: { x: 0, y: 0, z: 0 }, smile: 0, brow: 0 };
  private readonly shown: Pose = {
    hands: { l: handTarget(), r: handTarget() },
    headAt: new Vector3(),
    eyesAt: new Vector3(),
    sway: { side: 0, turn: 0, breath: 0 },
    tilt: 0,
    seconds: 0,
    lid: 0,
    smile: 0,
    brow: 0,
    mouth: { aa: 0, ee: 0, oo: 0, mm: 0 },
  };

  static async load(look: DealerLook, who: DealerName = 'female'): Promise<Dealer> {
    return new Dealer(await loadDealer(who, look));
  }

  constructor(readonly root: Object3D) {
    root.position.set(STANDS_AT.x, STANDS_AT.y, STANDS_AT.z);
    this.rig = new Rig(root);
    this.grips = fitGrips(this.rig.arms.r);
  }

  /** Her part in what is going on. Cheap when nothing has changed. */
  take(part: Part, call: Call | null): void {
    this.call = call;
    if (same(part, this.part)) return;
    this.part = part;
    this.next = mindOf(write(part, this.grips));
  }

  /** What a hand holds at a moment. */
  held(side: HandSide, nowUtcMs: number): Hold | null {
    const beat = this.mind.tracks[side].beatAt(nowUtcMs);
    return nowUtcMs >= beat.from && nowUtcMs <= beat.to ? (beat.holds ?? null) : null;
  }

  /** `still`: cuts instead of motion; she does not breathe. */
  frame(nowUtcMs: number, still: boolean): void {
    const { shown, numbers, call } = this;
    if (still) this.keepStill(nowUtcMs);
    else this.move(nowUtcMs);
    for (let i = 0; i < HAND_NUMBERS; i++) {
      shown.hands.l[i] = numbers[i]!;
      shown.hands.r[i] = numbers[HAND_NUMBERS + i]!;
    }
    shown.headAt.set(numbers[HEAD]!, numbers[HEAD + 1]!, numbers[HEAD + 2]!);
    shown.eyesAt.set(numbers[HEAD + 3]!, numbers[HEAD + 4]!, numbers[HEAD + 5]!);
    shown.smile = numbers[HEAD + 6]!;
    shown.brow = numbers[HEAD + 7]!;
    shown.seconds = still ? 0.2 : (nowUtcMs % HOUR_MS) / 1000;
    shown.lid = still ? 0 : blink(shown.seconds);
    shown.tilt = still ? 0 : Math.sin(shown.seconds * 0.53) * 0.016;
    stand(nowUtcMs, still, shown.sway);
    speak(call === null || still ? -1 : nowUtcMs - call.atUtcMs, call?.letters ?? 0, seedOf(call), shown.mouth);
    this.rig.pose(shown);
    this.drawnMs = nowUtcMs;
  }

  /** When her part changes, what she did goes on for a moment and fades: no hand jumps, and none stops dead. */
  private move(nowUtcMs: number): void {
    const { ahead, numbers, others } = this;
    if (this.next !== null) {
      const present = this.drawnMs !== null && Math.abs(nowUtcMs - this.drawnMs) < LOST_MS;
      if (present) {
        this.blended(nowUtcMs);
        this.meant(this.mind, nowUtcMs, others);
        for (let i = 0; i < NUMBERS; i++) ahead[i] = numbers[i]! - others[i]!;
        this.changedMs = nowUtcMs;
      }
      this.past = present ? this.mind : null;
      this.mind = this.next;
      this.next = null;
    }
    this.blended(nowUtcMs);
  }

  /** Her pose at `nowUtcMs`, into `numbers`. */
  private blended(nowUtcMs: number): void {
    const { numbers, others, ahead, past } = this;
    this.meant(this.mind, nowUtcMs, numbers);
    if (past === null) return;
    const since = nowUtcMs - this.changedMs;
    if (since < 0 || since >= BLEND_MS) {
      this.past = null;
      return;
    }
    const left = 1 - easeHand(since / BLEND_MS);
    this.meant(past, nowUtcMs, others);
    for (let i = 0; i < NUMBERS; i++) {
      numbers[i] = numbers[i]! + (others[i]! + ahead[i]! - numbers[i]!) * left;
    }
  }

  private meant(mind: Mind, nowUtcMs: number, out: Float64Array): void {
    const { hands } = this.shown;
    mind.tracks.l.pose(nowUtcMs, hands.l);
    mind.tracks.r.pose(nowUtcMs, hands.r);
    this.gather(mind.score, nowUtcMs, false, out);
  }

  /** She rests, and points at the winner while the result is called. */
  private keepStill(nowUtcMs: number): void {
    if (this.next !== null) this.mind = this.next;
    this.next = this.past = null;
    const { hands } = this.shown;
    for (const side of HANDS) restHand(side, 0, hands[side]);
    const { coup } = this.part;
    if (coup !== null) {
      const ms = nowUtcMs - coup.dealsUtcMs - coup.result.at;
      const side = coup.outcome === 'banker' ? 'l' : 'r';
      if (ms >= 0 && ms < coup.result.duration) pointing(side, 0, 1, this.grips)(1, hands[side]);
    }
    this.gather(this.mind.score, nowUtcMs, true, this.numbers);
  }

  private gather(score: Score, nowUtcMs: number, still: boolean, out: Float64Array): void {
    const { look, shown } = this;
    out.set(shown.hands.l, 0);
    out.set(shown.hands.r, HAND_NUMBERS);
    this.attention.at(score.glances, nowUtcMs, still, look);
    out[HEAD] = look.head.x;
    out[HEAD + 1] = look.head.y;
    out[HEAD + 2] = look.head.z;
    out[HEAD + 3] = look.eyes.x;
    out[HEAD + 4] = look.eyes.y;
    out[HEAD + 5] = look.eyes.z;
    out[HEAD + 6] = look.smile;
    out[HEAD + 7] = look.brow;
  }
}

const seedOf = (call: Call | null): number => (call === null ? 0 : Math.floor(call.atUtcMs / 10) % 100_000);

const same = (a: Part, b: Part): boolean =>
  a.coup === b.coup &&
  a.leaving === b.leaving &&
  a.closesUtcMs === b.closesUtcMs &&
  a.dealsUtcMs === b.dealsUtcMs &&
  a.newShoeUtcMs === b.newShoeUtcMs &&
  sameStacks(a.stacks, b.stacks);

/** Only what she does with them matters. */
const sameStacks = (a: readonly Part['stacks'][number][], b: readonly Part['stacks'][number][]): boolean =>
  a.length === b.length &&
  a.every((stack, i) => {
    const next = b[i]!;
    return (
      stack.id === next.id &&
      stack.placed === next.placed &&
      stack.fate === next.fate &&
      stack.chips.length === next.chips.length &&
      stack.win.length === next.win.length
    );
  });
