import { describe, expect, it } from 'vitest';
import { tell } from '../i18n';
import * as fixture from '../testing/fixture';
import type { CoupDealt, ServerEvent, TableCommand } from '../wire/events';
import { unanswered } from './buttons';
import { apply, type LocalEvent } from './reduce';
import { replayed, replayEndsUtcMs, REPLAY_LEAD_MS } from './replay';
import { START, type State } from './state';
import { view } from './view';

/** A table for one patron: no clock, and the cards stay until the patron goes on. */

const { COUP, DEALS, EPOCH, OPENED } = fixture;
type Event = ServerEvent | LocalEvent;
const BET = { banker: 750_000, tie: 20_000 };
const RETURNED = { banker: 1_462_500 };

const welcome: ServerEvent = { ...fixture.welcome, terms: fixture.TERMS_FOR_ONE };
const opened = (seq = 101, coup = COUP, at = OPENED) => ({
  ...fixture.opened(seq, coup),
  opened_utc_ms: at,
  closes_utc_ms: null,
  deals_utc_ms: null,
});
const whole = fixture.dealt();
const timeline = whole.timeline.filter((gesture) => gesture.act !== 'clear');
const ENDS = fixture.AT.pay + 1_100;
const dealt: CoupDealt = { ...whole, timeline, shown_until_utc_ms: DEALS + ENDS };
const locked = (seq = 102, coup = COUP, deals_utc_ms = DEALS) => ({ ...fixture.locked(seq, BET), coup, deals_utc_ms, bettors: 1 });

const seated: Event[] = [
  { type: 'link', status: 'online', latencyMs: 20, atUtcMs: OPENED },
  welcome,
  fixture.snapshot({ opened: opened() }),
  fixture.you({ last_stakes: BET }),
];
const after = (...events: Event[]): State => [...seated, ...events].reduce<State>((state, event) => apply(state, event), START);
const round: Event[] = [fixture.receipt(BET), locked(), dealt, fixture.settled(BET, RETURNED)];
const NEXT = DEALS + ENDS;
const next = opened(104, COUP + 1, NEXT);
const ask = (command: Partial<TableCommand> & { type: TableCommand['type'] }, atUtcMs: number, coup = COUP + 1): LocalEvent => ({
  type: 'asked',
  atUtcMs,
  command: { request_id: 'q', coup, ...command } as TableCommand,
});
const stage = ask({ type: 'stage', area: 'tie', amount_minor: 2_000 }, NEXT + 5_000);

describe('without a clock', () => {
  it('betting is open for as long as nobody bets, and no seconds are counted', () => {
    for (const ms of [0, 3_600_000, 40 * 86_400_000]) {
      const seen = view(after(), OPENED + ms);
      expect([seen.phase, seen.clock.seconds, seen.closesUtcMs, seen.dealsUtcMs]).toEqual(['betting', 0, null, null]);
      expect(tell(seen.call)).toBe(tell(view(after(), OPENED).call));
    }
  });

  it('the bet itself begins the deal', () => {
    const state = after(fixture.receipt(BET), locked());
    expect(view(state, DEALS).phase).toBe('dealing');
    expect(view(state, DEALS).buttons).toMatchObject({ bet: 'dealing', areas: 'dealing', rebet: 'dealing', rebetX2: 'dealing' });
  });

  it('what the table is said to be is there to be shown', () => {
    expect(view(START, 0).game).toBeNull();
    expect(view(after(), OPENED).game).toMatchObject({
      profile: 'three-d',
      seats: 'one',
      clock: false,
      start: 'deal',
      shoe: 'every_round',
      buttons: ['rebet', 'rebet_x2'],
      options: ['fast_play', 'rebet_and_deal'],
    });
  });

  it('an unanswered command is asked again as long as its coup is open', () => {
    const waiting = after(ask({ type: 'submit', fast: true }, OPENED, COUP));
    expect(unanswered(waiting, OPENED + 86_400_000).again).toHaveLength(1);
    expect(unanswered(apply(waiting, locked()), DEALS).dropped).toEqual(['q']);
  });
});

describe('the coup before', () => {
  const state = after(...round, next);

  it('stays on the table with its cards, its chips and its last word', () => {
    const seen = view(state, NEXT + 60_000);
    expect([seen.phase, seen.coup]).toEqual(['betting', COUP + 1]);
    expect(seen.player.cards).toEqual(['QH', '2C', '2D']);
    expect(seen.banker.points).toBe(7);
    expect([seen.winner, seen.cleared, seen.leaving]).toEqual(['banker', false, null]);
    expect(seen.deal).toBe(dealt);
    expect(seen.areas.banker).toMatchObject({ mineMinor: 750_000, old: true, placed: true, returnedMinor: 1_462_500, result: 'won', winMinor: 712_500 });
    expect(seen.areas.tie).toMatchObject({ mineMinor: 20_000, old: true, result: 'lost' });
    expect(seen.lastBet).toEqual({ stakes: BET, totalMinor: 770_000 });
    expect(seen.stakeMinor).toBe(0);
    expect(tell(seen.call)).toContain('Banker wins');
    expect(seen.bet.face).toBe('empty');
    expect(seen.buttons).toMatchObject({ areas: null, rebet: null, bet: 'choose_chip' });
  });

  it('is swept away by the first chip of the next bet', () => {
    const moved = apply(state, stage);
    const seen = view(moved, NEXT + 5_010);
    expect(seen.deal).toBeNull();
    expect(seen.player.cards).toEqual([]);
    expect(seen.lastBet).toBeNull();
    expect(seen.areas.banker).toMatchObject({ mineMinor: 0, old: false });
    const clear = seen.leaving?.timeline.at(-1);
    expect([seen.leaving?.coup, clear?.act, (seen.leaving?.deals_utc_ms ?? 0) + (clear?.at_ms ?? 0)]).toEqual([COUP, 'clear', NEXT + 5_000]);
    expect(view(moved, NEXT + 6_000).leaving).toBe(seen.leaving);
    const staged = apply(moved, { ...fixture.staged({ tie: 2_000 }, 'q'), coup: COUP + 1 });
    expect(view(staged, NEXT + 6_000).areas.tie).toMatchObject({ mineMinor: 2_000, placed: false, old: false });
    expect(tell(view(staged, NEXT + 6_000).call)).not.toContain('wins');
  });

  it('leaves for a chip that another tab has put down too', () => {
    const seen = view(apply(state, { ...fixture.staged({ tie: 2_000 }), coup: COUP + 1 }), NEXT + 5_000);
    expect([seen.deal, seen.leaving?.coup]).toEqual([null, COUP]);
  });

  it.each<[string, LocalEvent]>([
    ['Rebet that deals', ask({ type: 'rebet', submit: true }, NEXT + 10)],
    ['Clear', ask({ type: 'clear' }, NEXT + 10)],
  ])('stays for %s until the server has said yes', (_, event) => {
    expect(view(apply(state, event), NEXT + 20).deal).toBe(dealt);
  });

  it('is cleared by the first card of the next deal at the latest', () => {
    const again: CoupDealt = { ...dealt, seq: 106, coup: COUP + 1, deals_utc_ms: NEXT + 8_000, timeline: dealt.timeline.map((one) => ({ ...one, at_ms: one.at_ms + 600 })) };
    const played = [locked(105, COUP + 1, NEXT + 8_000), again].reduce<State>((one, event) => apply(one, event), state);
    const seen = view(played, NEXT + 8_100);
    expect(seen.deal?.coup).toBe(COUP + 1);
    const clear = seen.leaving?.timeline.at(-1);
    const fromMs = (seen.leaving?.deals_utc_ms ?? 0) + (clear?.at_ms ?? 0);
    expect([fromMs, fromMs + (clear?.dur_ms ?? 0)]).toEqual([NEXT + 8_000, NEXT + 8_900]);
    const quick: CoupDealt = { ...again, timeline: [{ act: 'draw', at_ms: 20, dur_ms: 80, side: 'player', index: 0 }] };
    const hurried = [stage, locked(105, COUP + 1, NEXT + 5_100), { ...quick, deals_utc_ms: NEXT + 5_100 }].reduce<State>((one, event) => apply(one, event), state);
    expect(view(hurried, NEXT + 5_200).leaving?.timeline.at(-1)?.dur_ms).toBe(120);
  });

  it('survives a broken connection, and is gone after a reload', () => {
    const resumed = apply(state, fixture.snapshot({ seq: 104, opened: next }));
    expect(view(resumed, NEXT + 10).deal).toBe(dealt);
    const reloaded = after(fixture.snapshot({ seq: 104, opened: next }), fixture.you({ coup: COUP + 1, last_stakes: BET }));
    expect(view(reloaded, NEXT + 10)).toMatchObject({ deal: null, leaving: null, lastBet: { totalMinor: 770_000 } });
  });

  it('is not kept where a clock runs', () => {
    const shared = [...round, fixture.opened(104, COUP + 1)].reduce<State>(
      (one, event) => apply(one, event),
      [seated[0]!, fixture.welcome, fixture.snapshot(), fixture.you()].reduce<State>((one, event) => apply(one, event), START),
    );
    expect([shared.former, view(shared, NEXT).lastBet]).toEqual([null, null]);
  });
});

describe('Rebet says why it is grey', () => {
  const seen = (last_stakes: Record<string, number>, balance_minor = 10_000_000) => view(after(fixture.you({ last_stakes, balance_minor })), OPENED).why;
  it.each<[string, Record<string, number>, number, object | null, object | null]>([
    ['nothing to repeat', {}, 10_000, { reason: 'NOTHING_TO_REPEAT' }, { reason: 'NOTHING_TO_REPEAT' }],
    ['enough for both', { tie: 2_000 }, 4_000, null, null],
    ['enough for one', { tie: 2_000 }, 3_999, null, { reason: 'BALANCE_TOO_LOW', facts: { balance_minor: 3_999, total_minor: 4_000 } }],
    ['an odd balance', { tie: 2_000 }, 1_999, { reason: 'BALANCE_TOO_LOW' }, { reason: 'BALANCE_TOO_LOW' }],
    ['twice is above MAX', { player: 2_000_000 }, 9_000_000, null, { reason: 'ABOVE_MAX', facts: { area: 'player', max_minor: 2_500_000, stake_minor: 4_000_000 } }],
    ['MAX has become less', { player: 3_000_000 }, 9_000_000, { reason: 'ABOVE_MAX' }, { reason: 'ABOVE_MAX' }],
    ['MIN has become more', { player: 1_500 }, 9_000_000, { reason: 'BELOW_MIN', facts: { area: 'player', min_minor: 2_000, stake_minor: 1_500 } }, null],
    ['an area that is no more', { dragon: 2_000 }, 9_000_000, { reason: 'NOTHING_TO_REPEAT' }, { reason: 'NOTHING_TO_REPEAT' }],
  ])('%s', (_, stakes, balance, once, twice) => {
    const { rebet, rebetX2 } = seen(stakes, balance);
    if (once === null) expect(rebet).toBeNull();
    else expect(rebet).toMatchObject(once);
    if (twice === null) expect(rebetX2).toBeNull();
    else expect(rebetX2).toMatchObject(twice);
  });

  it('with a clock what lies there counts, without one it makes room', () => {
    const lies = { ...fixture.staged({ player: 2_000_000 }), coup: COUP };
    expect(view(after(fixture.you({ last_stakes: { player: 1_000_000 } }), lies), OPENED).why.rebet).toBeNull();
    const shared = [seated[0]!, fixture.welcome, fixture.snapshot(), fixture.you({ last_stakes: { player: 1_000_000 } }), lies];
    expect(view(shared.reduce<State>((one, event) => apply(one, event), START), OPENED).why.rebet?.reason).toBe('ABOVE_MAX');
  });

  it('a bet on its way holds everything', () => {
    const state = after(ask({ type: 'rebet', times: 2, submit: true }, OPENED, COUP));
    expect(view(state, OPENED).buttons).toMatchObject({ rebet: 'sending', rebetX2: 'sending', bet: 'sending', areas: 'sending' });
    expect(view(after(ask({ type: 'rebet' }, OPENED, COUP)), OPENED).buttons.rebet).toBeNull();
  });
});

describe('boards that follow the last 80 coups', () => {
  it('are taken whole when they come anew', () => {
    const roads = { ...whole.roads, anew: true };
    const state = after(fixture.receipt(BET), locked(), { ...dealt, roads });
    expect(state.roads).toBe(roads);
    expect(state.roadsBefore.boards.bead_plate).toHaveLength(74);
  });
});

describe('skip', () => {
  const watched = after(fixture.receipt(BET), locked(), dealt, fixture.settled(BET, RETURNED));
  const atMs = DEALS + 2_000;

  it('shows at once everything up to the paying', () => {
    expect(view(watched, atMs).buttons.skip).toBeNull();
    const state = apply(watched, { type: 'skip', atUtcMs: atMs });
    const seen = view(state, atMs);
    expect([seen.winner, seen.player.cards, seen.skipped]).toEqual(['banker', ['QH', '2C', '2D'], true]);
    expect(seen.balanceMinor).toBe(11_824_000 - 770_000 + 1_462_500);
    expect(seen.buttons.skip).toBe('nothing_to_skip');
    expect(seen.deal?.timeline.every((one) => one.at_ms + one.dur_ms <= 2_000)).toBe(true);
  });

  it('does not clear the table earlier than for the others', () => {
    const shared = after(fixture.receipt(BET), locked(), whole);
    const state = apply(shared, { type: 'skip', atUtcMs: atMs });
    expect(view(state, DEALS + fixture.AT.clear - 1).cleared).toBe(false);
    expect(view(state, DEALS + fixture.AT.clear).cleared).toBe(true);
  });

  it('holds after a break, and for its coup alone', () => {
    const state = apply(watched, { type: 'skip', atUtcMs: atMs });
    const back = apply(state, fixture.snapshot({ seq: 103, opened: opened(), locked: locked(), dealt }));
    expect(view(back, atMs).winner).toBe('banker');
    expect(apply(state, { type: 'skip', atUtcMs: atMs + 500 })).toBe(state);
    expect(view(apply(state, next), NEXT).skipped).toBe(false);
  });

  it('has nothing to do before the deal', () => {
    const open = after();
    expect(apply(open, { type: 'skip', atUtcMs: OPENED })).toBe(open);
    expect(view(open, OPENED).buttons.skip).toBe('nothing_to_skip');
  });
});

describe('a coup of the past', () => {
  const record = { terms: fixture.TERMS, opened: fixture.opened(0), dealt: { ...whole, seq: 0, epoch: 0 }, settled: fixture.settled(BET, RETURNED) };
  const startsMs = 1_900_000_000_000;
  const state = replayed(record, startsMs);
  const dealsMs = startsMs + REPLAY_LEAD_MS;

  it('is dealt again from the moment it is asked for', () => {
    expect(view(state, startsMs)).toMatchObject({ phase: 'dealing', player: { cards: [] }, winner: null });
    expect(view(state, startsMs).areas.banker.mineMinor).toBe(750_000);
    expect(view(state, dealsMs + fixture.AT.result - 1).winner).toBeNull();
    expect(view(state, dealsMs + fixture.AT.result).winner).toBe('banker');
    expect(view(state, dealsMs + fixture.AT.pay).areas.banker).toMatchObject({ result: 'won', winMinor: 712_500 });
    expect(replayEndsUtcMs(state)).toBe(dealsMs + fixture.AT.ends);
  });

  it('takes no bets, and can be skipped', () => {
    const free = Object.entries(view(state, startsMs).buttons).filter(([, why]) => why === null);
    expect(free.map(([name]) => name)).toEqual(['skip']);
  });

  it('without a clock and without a bet is shown too', () => {
    const bare = replayed({ ...record, terms: fixture.TERMS_FOR_ONE, opened: opened(0), dealt, settled: null }, startsMs);
    expect(view(bare, dealsMs + fixture.AT.result).banner).toMatchObject({ winner: 'banker', kind: 'none' });
    expect(view(bare, dealsMs + ENDS + 60_000).cleared).toBe(false);
    expect(bare.at?.epoch).not.toBe(EPOCH);
  });
});
