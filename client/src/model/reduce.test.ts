import { describe, expect, it } from 'vitest';
import * as fixture from '../testing/fixture';
import type { ServerEvent, TableCommand } from '../wire/events';
import { unanswered } from './buttons';
import { apply, type LocalEvent } from './reduce';
import { START, type State } from './state';

const { COUP, EPOCH, OPENED } = fixture;
type Event = ServerEvent | LocalEvent;
const after = (...events: Event[]): State => events.reduce(apply, START);
const seated: Event[] = [
  { type: 'link', status: 'online', latencyMs: 20, atUtcMs: OPENED },
  fixture.welcome,
  fixture.snapshot(),
  fixture.you(),
];
const stage: TableCommand = { type: 'stage', request_id: 'a1', coup: COUP, area: 'tie', amount_minor: 2_000 };

describe('numbered events', () => {
  it('are taken in order', () => {
    const state = after(...seated, fixture.locked(102, { tie: 5 }), fixture.dealt(103));
    expect(state.at).toEqual({ epoch: EPOCH, seq: 103 });
    expect(state.gap).toBe(false);
    expect(state.dealt?.coup).toBe(COUP);
  });

  it.each([
    ['the one just seen', fixture.locked(101)],
    ['an old one', fixture.locked(7)],
  ])('%s changes nothing', (_, event) => {
    const state = after(...seated);
    expect(apply(state, event)).toBe(state);
  });

  it.each([
    ['a missing number', fixture.locked(103)],
    ['another epoch', { ...fixture.locked(102), epoch: EPOCH + 1 }],
    ['an older epoch', { ...fixture.locked(102), epoch: EPOCH - 1 }],
  ])('%s is a gap, and is not applied', (_, event) => {
    const state = after(...seated, event);
    expect(state.gap).toBe(true);
    expect(state.locked).toBeNull();
    expect(state.at).toEqual({ epoch: EPOCH, seq: 101 });
  });

  it('a snapshot closes the gap and forgets the table before', () => {
    const state = after(...seated, fixture.staged({ tie: 2_000 }), fixture.dealt(109), fixture.snapshot({ epoch: 9, seq: 4 }));
    expect(state.gap).toBe(false);
    expect(state.at).toEqual({ epoch: 9, seq: 4 });
    expect(state.staged).toBeNull();
  });

  it('the next coup clears cards, stakes and totals, and keeps the boards with the coup on them', () => {
    const bet = { banker: 750_000 };
    const state = after(...seated, fixture.receipt(bet), fixture.locked(), fixture.dealt(), fixture.opened(104, COUP + 1));
    expect([state.dealt, state.locked, state.receipt, state.staged, state.totals]).toEqual([null, null, null, null, null]);
    expect(state.roads.counts.coups).toBe(75);
    expect(state.roadsBefore).toBe(state.roads);
    expect(state.lastStakes).toEqual(bet);
  });

  it('limits that are not told again are those of the coup before', () => {
    const told = [null, fixture.TERMS.areas.map((area) => ({ ...area, max_minor: 5_000 })), null];
    let state = after(...seated, fixture.locked(), fixture.dealt());
    const limits = told.map((areas, at) => {
      state = apply(state, { ...fixture.opened(104 + at, COUP + 1 + at), areas });
      return [state.opened?.areas[0]?.max_minor, state.terms?.areas[0]?.max_minor];
    });
    const before = fixture.TERMS.areas[0]?.max_minor;
    expect(limits).toEqual([[before, before], [5_000, 5_000], [5_000, 5_000]]);
  });

  it('a new shoe clears the boards', () => {
    const state = after(...seated, { type: 'shoe_changed', table: 'emerald', epoch: EPOCH, seq: 102, at_utc_ms: 0, shoe: 13, decks: 8 });
    expect(state.shoe).toBe(13);
    expect(state.roads.boards.bead_plate).toEqual([]);
  });
});

describe('boards', () => {
  it('a dealt coup adds its marks at the end', () => {
    const state = after(...seated, fixture.locked(), fixture.dealt());
    expect(state.roads.boards.bead_plate).toHaveLength(75);
    expect(state.roads.boards.bead_plate.at(-1)).toEqual([2, 12, 'red', 0, COUP, 0]);
    expect(state.roadsBefore.boards.bead_plate).toHaveLength(74);
  });

  it('a changed mark takes the place of the old one', () => {
    const dealt = fixture.dealt();
    const tie: typeof dealt = {
      ...dealt,
      outcome: 'tie',
      roads: { ...dealt.roads, boards: { ...dealt.roads.boards, big_road: [[1, 20, 'red', 1, 54, 0]] } },
    };
    const state = after(...seated, fixture.locked(), tie);
    const before = state.roadsBefore.boards.big_road;
    expect(state.roads.boards.big_road).toHaveLength(before.length);
    expect(state.roads.boards.big_road.find(([row, col]) => row === 1 && col === 20)?.[3]).toBe(1);
  });

  it('a snapshot in mid-deal brings the boards before the coup, and the coup to be put on them', () => {
    const late = after(fixture.snapshot({ seq: 103, dealt: fixture.dealt() }), fixture.you());
    expect(late.roads.counts.coups).toBe(75);
    expect(late.roads.boards.bead_plate).toHaveLength(75);
    expect(late.roadsBefore.counts.coups).toBe(74);
  });
});

describe('the patron', () => {
  it('is no longer told that the house does not answer once it does', () => {
    const away = after(...seated, { type: 'said', code: 'network', facts: {} });
    expect([away.notice?.code, apply(away, fixture.welcome).notice]).toEqual(['network', null]);
    const refused = apply(away, { type: 'said', code: 'REFILL_NOT_YET', facts: {} });
    expect(apply(refused, fixture.welcome).notice?.code).toBe('REFILL_NOT_YET');
  });

  it('staged chips of another coup, or after the receipt, are ignored', () => {
    const old = after(...seated, { ...fixture.staged({ tie: 2_000 }), coup: COUP - 1 });
    expect(old.staged?.total_minor).toBe(0);
    const late = after(...seated, fixture.receipt({ tie: 2_000 }), fixture.staged({ tie: 4_000 }));
    expect(late.staged).toBeNull();
  });

  it('a receipt takes the stake off the balance and becomes the last bet', () => {
    const state = after(...seated, fixture.staged({ tie: 2_000 }), fixture.receipt({ tie: 2_000 }));
    expect(state.balanceMinor).toBe(11_822_000);
    expect(state.lastStakes).toEqual({ tie: 2_000 });
  });

  it('an answer ends the wait for it; a refusal says what it was about', () => {
    const asked = after(...seated, { type: 'asked', command: stage, atUtcMs: OPENED });
    expect(Object.keys(asked.pending)).toEqual(['a1']);
    expect(apply(asked, fixture.staged({ tie: 2_000 }, 'a1')).pending).toEqual({});
    const refused = apply(asked, { type: 'refused', request_id: 'a1', coup: COUP, code: 'ABOVE_MAX', facts: {}, automatic: false });
    expect(refused.pending).toEqual({});
    expect(refused.notice).toMatchObject({ code: 'ABOVE_MAX', about: stage });
  });

  it('a refused automatic bet gives the staged chips back', () => {
    const state = after(...seated, fixture.staged({ tie: 1_000 }), {
      type: 'refused', request_id: null, coup: COUP, code: 'BELOW_MIN', facts: {}, automatic: true,
    });
    expect(state.staged).toBeNull();
    expect(state.notice?.automatic).toBe(true);
  });

  it('is told of a voided coup only with a stake in it', () => {
    const voided: ServerEvent = { type: 'coup_voided', table: 'emerald', epoch: EPOCH, seq: 102, at_utc_ms: 0, coup: COUP, reason: 'late', seed: '' };
    expect(after(...seated, voided).notice).toBeNull();
    expect(after(...seated, fixture.receipt({ tie: 2_000 }), voided).notice).toMatchObject({ code: 'COUP_VOIDED', facts: { stake_minor: 2_000 } });
  });

  it('older totals do not replace newer ones', () => {
    const totals = (bet_seq: number, banker: number, coup = COUP): ServerEvent => ({ type: 'totals', coup, bet_seq, totals: { banker }, bettors: 1 });
    expect(after(...seated, totals(9, 90), totals(8, 80)).totals?.totals).toEqual({ banker: 90 });
    expect(after(...seated, totals(9, 90, COUP - 1)).totals?.bet_seq).toBe(3);
  });

  it('refilled chips end the offer', () => {
    const state = after(...seated, fixture.you({ can_refill: true }), { type: 'balance', balance_minor: 1_000_000, reason: 'refill' });
    expect([state.balanceMinor, state.canRefill]).toEqual([1_000_000, false]);
  });
});

describe('unanswered commands', () => {
  const waiting = after(...seated, { type: 'asked', command: stage, atUtcMs: OPENED });

  it('are asked again, word for word, while their coup is open', () => {
    expect(unanswered(waiting, fixture.CLOSES - 1)).toEqual({ again: [stage], dropped: [] });
  });

  it.each([
    ['at the close', waiting, fixture.CLOSES],
    ['after the lock', apply(waiting, fixture.locked()), OPENED],
    ['in the next coup', [fixture.locked(), fixture.dealt(), fixture.opened(104, COUP + 1)].reduce(apply, waiting), OPENED],
  ])('are dropped %s', (_, state, now) => {
    expect(unanswered(state, now)).toEqual({ again: [], dropped: ['a1'] });
  });
});
