/** The dealer's part in a round, written down from its times: beats of both hands, and where she looks when. */

import { CLEARING, LET_GO, placeOf, SHOE_EXIT } from '../cards/motion';
import { COLLECTING, PAYING } from '../chips/motion';
import type { PlannedStack } from '../chips/plan';
import { DISCARD, FELT_Y, inArea, SHOE, TRAY } from '../layout';
import type { CardTimes, CoupTimes, Span } from '../timeline';
import type { Area } from '../view';
import {
  atShoe,
  bracing,
  onFresh,
  onGathering,
  onLid,
  onPacket,
  onSliding,
  onSpent,
  onStack,
  onTurning,
  pointing,
  sweeping,
  type Touch,
} from './grasp';
import type { Grips } from './grips';
import { type Glance, glance, restHand } from './idle';
import { FRESH, PAT, SHOE_CHANGE_MS, SPENT } from './shoe_change';
import { type HandSide, HANDS } from './skeleton';
import type { Beat } from './track';

/** Everything that decides what she does. Times in UTC ms. */
export interface Part {
  readonly coup: CoupTimes | null;
  /** The coup before, whose cards are swept first. */
  readonly leaving: CoupTimes | null;
  readonly stacks: readonly PlannedStack[];
  readonly closesUtcMs: number | null;
  readonly dealsUtcMs: number | null;
  readonly newShoeUtcMs: number | null;
}

export const NOTHING: Part = {
  coup: null,
  leaving: null,
  stacks: [],
  closesUtcMs: null,
  dealsUtcMs: null,
  newShoeUtcMs: null,
};

/** Is a new shoe brought for all to see? Only in the betting time of a table with a clock, which is long enough. */
export const changesShoe = ({ newShoeUtcMs, closesUtcMs }: Part): boolean =>
  newShoeUtcMs !== null && closesUtcMs !== null && closesUtcMs - newShoeUtcMs > SHOE_CHANGE_MS + 1_000;

export interface Score {
  readonly beats: Readonly<Record<HandSide, readonly Beat[]>>;
  /** In order. */
  readonly glances: readonly Glance[];
}

/** What is faster than this is shown without hands: nobody can be so quick. */
const QUICKEST_DRAW_MS = 380;
const QUICKEST_POINT_MS = 400;
const QUICKEST_CHIPS_MS = 700;

export const tooQuick = (coup: CoupTimes): boolean => coup.cards.some((card) => card.draw.duration < QUICKEST_DRAW_MS);

/** The share of a Player card's way on which each hand has its fingers on it; they overlap. */
const HANDED_ON = { leftTo: 0.55, rightFrom: 0.46 } as const;
const LEFT_DRAWS: Readonly<Record<'player' | 'banker', Touch>> = {
  player: { across: 0.022, along: 0.03 },
  banker: { across: 0.004, along: 0.026 },
};
const RIGHT_TAKES: Touch = { across: -0.027, along: -0.012 };

const isReal = (span: Span): boolean => Number.isFinite(span.at);
const turnsWith = (card: CardTimes): HandSide => (card.side === 'banker' ? 'l' : 'r');
const beside = (area: Area): HandSide => (area === 'banker' ? 'l' : 'r');
const other = (side: HandSide): HandSide => (side === 'l' ? 'r' : 'l');

/** She looks over the felt rather than straight down: her face stays visible. */
const onTable = (ms: number, x: number, z: number, smile = 0.6, brow = 0.42): Glance =>
  glance(ms, x * 0.8, FELT_Y + 0.2, z + 0.38, smile, brow);
const atPatron = (ms: number, smile: number, brow = 0.46): Glance => glance(ms, 0, 1.6, 1.6, smile, brow);

export function write(part: Part, grips: Grips): Score {
  const writer = new Writer(grips);
  if (part.newShoeUtcMs !== null && changesShoe(part)) writer.newShoe(part.newShoeUtcMs);
  if (part.closesUtcMs !== null) writer.noMoreBets(part.closesUtcMs);
  if (part.dealsUtcMs !== null) writer.ready(part.dealsUtcMs);
  if (part.leaving !== null) writer.clear(part.leaving);
  if (part.coup !== null) writer.coup(part.coup, part.stacks);
  const { beats, glances } = writer;
  for (const side of HANDS) beats[side].sort((a, b) => a.from - b.from);
  return { beats, glances: glances.sort((a, b) => a.ms - b.ms) };
}

const SWEEP_MS = { from: 80, to: 1_050 } as const;
const READY_MS = { from: -900, to: 40 } as const;

class Writer {
  readonly beats: Record<HandSide, Beat[]> = { l: [], r: [] };
  readonly glances: Glance[] = [];

  constructor(private readonly grips: Grips) {}

  private beat(
    side: HandSide,
    from: number,
    to: number,
    pose: Beat['pose'],
    lift: number,
    holds?: Beat['holds'],
  ): void {
    this.beats[side].push({ from, to, lift, pose, ...(holds === undefined ? {} : { holds }) });
  }

  /** The spent pack out of the holder, a fresh one between both hands into the shoe, a hand on its lid. */
  newShoe(brought: number): void {
    const { grips } = this;
    const pack = { what: 'pack' } as const;
    this.beat('r', brought + SPENT.from, brought + SPENT.to, onSpent(brought, grips), 0.05, pack);
    for (const side of HANDS) {
      this.beat(side, brought + FRESH.from, brought + FRESH.to, onFresh(brought, side, grips), 0.02, pack);
    }
    this.beat('l', brought + PAT.from, brought + PAT.to, onLid(brought + PAT.from, grips), 0.03);
    this.glances.push(
      onTable(brought + 250, DISCARD.x, DISCARD.z, 0.64, 0.44),
      onTable(brought + 1_700, -0.1, -0.3, 0.64, 0.44),
      onTable(brought + 2_900, SHOE.x, SHOE.z, 0.58, 0.4),
      atPatron(brought + 4_500, 0.78, 0.5),
    );
  }

  noMoreBets(closesMs: number): void {
    const [from, to] = [closesMs + SWEEP_MS.from, closesMs + SWEEP_MS.to];
    for (const side of HANDS) this.beat(side, from, to, sweeping(side, from, to, this.grips), 0.03);
    this.glances.push(onTable(closesMs - 250, 0, 0.1, 0.64, 0.44), atPatron(closesMs + 700, 0.6));
  }

  /** Her hand waits at the shoe. */
  ready(dealsMs: number): void {
    this.beat('l', dealsMs + READY_MS.from, dealsMs + READY_MS.to, atShoe(this.grips), 0.05);
    this.glances.push(onTable(dealsMs - 1_200, SHOE_EXIT.x, SHOE_EXIT.z, 0.64, 0.44), atPatron(dealsMs - 500, 0.64));
  }

  coup(coup: CoupTimes, stacks: readonly PlannedStack[]): void {
    const { dealsUtcMs, result } = coup;
    if (tooQuick(coup)) this.glances.push(onTable(dealsUtcMs, 0, 0), atPatron(dealsUtcMs + result.at, 0.76));
    else for (const card of coup.cards) this.card(coup, card);
    if (result.duration >= QUICKEST_POINT_MS) this.result(coup);
    if (coup.collect.duration >= QUICKEST_CHIPS_MS) this.collect(coup, stacks);
    if (coup.pay.duration >= QUICKEST_CHIPS_MS) this.pay(coup, stacks);
    this.clear(coup);
  }

  private card(coup: CoupTimes, card: CardTimes): void {
    const { grips } = this;
    const start = coup.dealsUtcMs + card.draw.at;
    const end = start + card.draw.duration;
    const { x, z } = placeOf(card);
    const held = { what: 'card', side: card.side, index: card.index } as const;
    const handed = card.side === 'player';
    const leftTo = handed ? start + card.draw.duration * HANDED_ON.leftTo : end;
    const draws = onSliding(coup, card, 'l', LEFT_DRAWS[card.side], true, grips);
    this.beat('l', start, leftTo, draws, 0.045, { ...held, how: 'slide' });
    if (handed) {
      const takes = onSliding(coup, card, 'r', RIGHT_TAKES, false, grips);
      const from = start + card.draw.duration * HANDED_ON.rightFrom;
      this.beat('r', from, end, takes, 0.035, { ...held, how: 'slide' });
    }
    this.glances.push(onTable(start - 160, SHOE_EXIT.x, SHOE_EXIT.z), onTable(start + 330, x, z));
    if (card.turn === null) return;
    const turn = coup.dealsUtcMs + card.turn.at;
    const side = turnsWith(card);
    const letGo = turn + card.turn.duration * LET_GO;
    this.beat(side, turn, letGo, onTurning(coup, card, grips), 0.03, { ...held, how: 'turn' });
    this.glances.push(onTable(turn - 60, x, z, 0.62, 0.46));
    if (card.index > 0) this.glances.push(atPatron(turn + card.turn.duration + 60, 0.7, 0.48));
  }

  private result({ dealsUtcMs, result, outcome }: CoupTimes): void {
    if (!isReal(result)) return;
    const from = dealsUtcMs + result.at + 130;
    const to = dealsUtcMs + result.at + result.duration * 0.74;
    const sides: readonly HandSide[] = outcome === 'tie' ? HANDS : [beside(outcome)];
    for (const side of HANDS) {
      if (sides.includes(side)) this.beat(side, from, to, pointing(side, from - 200, to, this.grips), 0.03);
      else this.beat(side, from + 100, to - 100, (ms, out) => restHand(side, ms, out), 0.03);
    }
    this.glances.push(onTable(from - 260, outcome === 'player' ? -0.2 : outcome === 'banker' ? 0.2 : 0, 0.05, 0.7, 0.48));
    this.glances.push(atPatron(from + 330, 0.82));
  }

  /** Losing chips to the tray; each of two losing areas has its hand. */
  private collect(coup: CoupTimes, stacks: readonly PlannedStack[]): void {
    const { collect, dealsUtcMs } = coup;
    if (!isReal(collect)) return;
    const lost = stacks.filter((stack) => stack.placed && stack.fate === 'lost' && stack.lead.id === stack.id);
    const taken = new Set<HandSide>();
    for (const stack of [...lost].sort((a, b) => Math.abs(b.at.x) - Math.abs(a.at.x))) {
      const side = taken.has(beside(stack.area)) ? other(beside(stack.area)) : beside(stack.area);
      taken.add(side);
      const at = (share: number): number => dealsUtcMs + collect.at + collect.duration * share;
      const pose = onStack(coup, stack, 'stake', side, this.grips);
      this.beat(side, at(COLLECTING.held), at(COLLECTING.over), pose, 0.05, {
        what: 'chips',
        stack: stack.id,
        part: 'stake',
      });
      this.glances.push(onTable(at(0), stack.at.x, stack.at.z - 0.1, 0.64, 0.44));
    }
    const [busy] = taken;
    if (taken.size === 1 && busy !== undefined) this.brace(other(busy), dealsUtcMs + collect.at, collect.duration);
  }

  /** One hand goes far out: the other one holds her. */
  private brace(side: HandSide, at: number, duration: number): void {
    this.beat(side, at + duration * 0.3, at + duration * 0.72, bracing(side, this.grips), 0.035);
  }

  private pay(coup: CoupTimes, stacks: readonly PlannedStack[]): void {
    const { pay, dealsUtcMs } = coup;
    if (!isReal(pay)) return;
    const at = (share: number): number => dealsUtcMs + pay.at + pay.duration * share;
    let paid: HandSide | null = null;
    for (const stack of stacks) {
      if (stack.win.length === 0 || stack.winLead?.id !== stack.id) continue;
      const side = beside(stack.area);
      paid = side;
      const pose = onStack(coup, stack, 'win', side, this.grips);
      this.beat(side, at(PAYING.held), at(PAYING.let), pose, 0.04, { what: 'chips', stack: stack.id, part: 'win' });
      const { x, z } = inArea(stack.area, 0.5, 0.3);
      this.glances.push(onTable(at(0) - 80, TRAY.x + x * 0.5, TRAY.z, 0.64, 0.44), onTable(at(0.3), x, z - 0.1, 0.66, 0.46));
    }
    if (paid !== null) this.brace(other(paid), at(0.2), pay.duration);
    this.glances.push(atPatron(at(0.92), 0.8));
  }

  /** The left hand gathers the Banker's cards, the right one takes all of them to the discard holder. */
  clear(coup: CoupTimes): void {
    const { clear, cards, dealsUtcMs } = coup;
    if (!isReal(clear) || cards.length === 0 || clear.duration < QUICKEST_DRAW_MS) return;
    const at = (share: number): number => dealsUtcMs + clear.at + clear.duration * share;
    const top = cards.reduce((most, card) => (placeOf(card).x > placeOf(most).x ? card : most));
    const held = { what: 'card', side: top.side, index: top.index, how: 'sweep' } as const;
    this.beat('l', at(CLEARING.leftFrom), at(CLEARING.leftTo), onGathering(coup, top, 'l', this.grips), 0.03, held);
    this.beat('r', at(CLEARING.rightFrom), at(CLEARING.carryTo), onPacket(coup, top, this.grips), 0.03, { ...held, how: 'carry' });
    this.glances.push(onTable(at(0) - 250, 0.15, 0, 0.64, 0.44), onTable(at(0.5), -0.45, -0.1, 0.64, 0.44));
    this.glances.push(atPatron(at(1) + 250, 0.74, 0.5));
  }
}
