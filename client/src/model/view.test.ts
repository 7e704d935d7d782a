import { describe, expect, it } from 'vitest';
import { tell, t } from '../i18n';
import * as fixture from '../testing/fixture';
import type { ServerEvent } from '../wire/events';
import { apply, type LocalEvent } from './reduce';
import { START, type State } from './state';
import { view, viewer } from './view';

const { AT, CLOSES, COUP, DEALS, OPENED } = fixture;
type Event = ServerEvent | LocalEvent;
const BET = { banker: 750_000, tie: 20_000 };
const RETURNED = { banker: 1_462_500 };
const seated: Event[] = [
  { type: 'link', status: 'online', latencyMs: 20, atUtcMs: OPENED },
  fixture.welcome,
  fixture.snapshot(),
  fixture.you(),
];
const after = (...events: Event[]): State => [...seated, ...events].reduce(apply, START);
const TOTALS = { player: 1_480_000, tie: 92_000, banker: 4_910_000 };
const played = after(fixture.receipt(BET), fixture.locked(102, TOTALS), fixture.dealt(), fixture.settled(BET, RETURNED));
const watched = after(fixture.locked(102, TOTALS), fixture.dealt());
const title = (state: State, now: number): string => {
  const { key, facts } = view(state, now).title;
  return t(key, facts);
};

it('the areas of a table are those that the server names, in the order of the table', () => {
  expect(view(START, 0).laid).toEqual(['player', 'tie', 'banker']);
  expect(view(after(), OPENED).laid).toEqual(['player', 'tie', 'banker']);
  const areas = fixture.TERMS.areas.filter(({ area }) => area !== 'tie').reverse();
  const opened = { ...fixture.snapshot().opened!, areas };
  expect(view(after(fixture.snapshot({ opened })), OPENED).laid).toEqual(['player', 'banker']);
});

describe('clock and phase', () => {
  it.each([
    [OPENED, 60, 'betting', 'Place your bets'],
    [OPENED + 1, 60, 'betting', 'Place your bets'],
    [OPENED + 1_000, 59, 'betting', 'Place your bets'],
    [CLOSES - 1, 11, 'betting', 'Place your bets'],
    [CLOSES, 10, 'closing', 'No more bets'],
    [DEALS - 1, 1, 'closing', 'No more bets'],
    [DEALS, 0, 'dealing', 'Dealing'],
    [DEALS + 5_000, 0, 'dealing', 'Dealing'],
  ])('at %d there are %d s left', (now, seconds, phase, words) => {
    const seen = view(after(), now);
    expect([seen.clock.seconds, seen.phase, title(after(), now)]).toEqual([seconds, phase, words]);
  });

  it('the lock closes betting before the clock does', () => {
    expect(view(after(fixture.locked()), CLOSES - 500).phase).toBe('closing');
  });

  it.each([
    [AT.result - 1, 'Banker draws'],
    [AT.result, 'Banker wins'],
    [AT.pay - 1_100, 'Paying'],
    [AT.clear, 'Next round'],
  ])('%d ms after the deal the phase reads %s', (ms, words) => {
    expect(title(played, DEALS + ms)).toBe(words);
  });

  it('a short break is not worth a word, a longer one is', () => {
    const broken = after({ type: 'link', status: 'reconnecting', latencyMs: null, atUtcMs: OPENED + 5_000 });
    expect(view(broken, OPENED + 5_900).phase).toBe('betting');
    expect(view(broken, OPENED + 5_900).buttons.areas).toBe('offline');
    expect(view(broken, OPENED + 6_300).phase).toBe('offline');
  });
});

describe('cards', () => {
  it.each([
    [0, [], null],
    [919, [], null],
    [920, [null], null],
    [AT.player1 - 1, [null, null], null],
    [AT.player1, ['QH', null], 0],
    [AT.playerTurned, ['QH', '2C'], 2],
    [7_030, ['QH', '2C', null], 2],
    [7_630, ['QH', '2C', '2D'], 4],
  ])('%d ms after the deal the Player hand shows %j', (ms, cards, points) => {
    expect(view(watched, DEALS + ms).player).toEqual({ cards, points });
  });

  it('the hands leave the table with the clearing gesture', () => {
    expect(view(watched, DEALS + AT.clear - 1).banker.cards).toHaveLength(3);
    expect(view(watched, DEALS + AT.clear).banker.cards).toEqual([]);
  });

  it('a late joiner sees what everybody sees, and nothing early', () => {
    const late = [seated[0]!, fixture.welcome, fixture.snapshot({ seq: 103, locked: fixture.locked(), dealt: fixture.dealt() }), fixture.you()].reduce(apply, START);
    for (const ms of [2_000, 5_000, 8_000, AT.result - 1, AT.result, AT.clear]) {
      const [seen, live] = [view(late, DEALS + ms), view(watched, DEALS + ms)];
      expect([seen.player, seen.banker, seen.winner, seen.title]).toEqual([live.player, live.banker, live.winner, live.title]);
    }
  });

  it('after three rounds away the present state is shown at once', () => {
    const away = [fixture.opened(104, COUP + 1), fixture.opened(105, COUP + 2)].reduce(apply, watched);
    const seen = view(away, OPENED + 2 * 76_000 + 5_000);
    expect([seen.phase, seen.coup, seen.player.cards]).toEqual(['betting', COUP + 2, []]);
  });
});

describe('result', () => {
  it('winner, banner and boards wait for the call', () => {
    const before = view(played, DEALS + AT.result - 1);
    expect([before.winner, before.banner, before.roads.counts.coups]).toEqual([null, null, 74]);
    const seen = view(played, DEALS + AT.result);
    expect([seen.winner, seen.roads.counts.coups]).toEqual(['banker', 75]);
    expect(seen.banner).toMatchObject({ winner: 'banker', kind: 'won', netMinor: 692_500 });
    expect(view(played, DEALS + AT.result + 3_500).banner).toBeNull();
  });

  it.each([
    [RETURNED, 'Banker wins, 7 over 4. You win 6,925.', 'won'],
    [{}, 'Banker wins, 7 over 4. You lose 7,700.', 'lost'],
    [BET, 'Banker wins, 7 over 4. Your stake is returned.', 'pushed'],
  ])('returns of %j are called in words', (returned, words, kind) => {
    const state = after(fixture.receipt(BET), fixture.locked(), fixture.dealt(), fixture.settled(BET, returned));
    const seen = view(state, DEALS + AT.result);
    expect(tell(seen.call)).toBe(words);
    expect(seen.banner?.kind).toBe(kind);
  });

  it('without a bet there is a result and no sum', () => {
    const seen = view(watched, DEALS + AT.result);
    expect(tell(seen.call)).toBe('Banker wins, 7 over 4.');
    expect(seen.banner).toMatchObject({ kind: 'none', netMinor: 0 });
  });

  it('a gain on one area that the others eat up is no win', () => {
    const all = { player: 100_000, banker: 100_000, tie: 100_000 };
    const state = after(fixture.receipt(all), fixture.locked(), fixture.dealt(), fixture.settled(all, { banker: 195_000 }));
    expect(view(state, DEALS + AT.pay).banner).toMatchObject({ kind: 'lost', netMinor: 0 });
    expect(view(state, DEALS + AT.pay).areas.banker).toMatchObject({ result: 'won', winMinor: 95_000 });
  });
});

describe('money', () => {
  it.each([
    [0, 11_054_000, 0],
    [AT.result, 11_054_000, 0],
    [AT.pay - 1, 11_054_000, 0],
    [AT.pay, 12_516_500, 692_500],
  ])('%d ms after the deal the balance shows what was paid by then', (ms, balance, lastWin) => {
    const seen = view(played, DEALS + ms);
    expect([seen.balanceMinor, seen.lastWinMinor]).toEqual([balance, lastWin]);
  });

  it('chips refilled meanwhile are shown at once', () => {
    const state = apply(played, { type: 'balance', balance_minor: 12_516_500 + 5_000, reason: 'refill' });
    expect(view(state, DEALS).balanceMinor).toBe(11_054_000 + 5_000);
  });

  it('a voided stake is back at once', () => {
    const state = after(
      fixture.receipt(BET),
      fixture.settled(BET, BET, { outcome: null }),
      { type: 'coup_voided', table: 'emerald', epoch: fixture.EPOCH, seq: 102, at_utc_ms: 0, coup: COUP, reason: 'late', seed: '' },
    );
    const seen = view(state, CLOSES + 3_000);
    expect([seen.balanceMinor, seen.stakeMinor]).toEqual([11_824_000, 0]);
  });

  it('no clock runs at a table that has closed, or over a coup that is void', () => {
    const said = { table: 'emerald', epoch: fixture.EPOCH, seq: 102, at_utc_ms: 0 };
    expect(view(after(), OPENED).clock.seconds).toBeGreaterThan(0);
    for (const event of [
      { ...said, type: 'table_closed', reason: 'broken' },
      { ...said, type: 'coup_voided', coup: COUP, reason: 'late', seed: '' },
    ] as const)
      expect(view(after(event), OPENED).clock.seconds).toBe(0);
  });

  it('the last win outlives a loss', () => {
    const next = [fixture.opened(104, COUP + 1), fixture.settled({ tie: 2_000 }, {}, { coup: COUP + 1 })].reduce(apply, played);
    expect(view(next, OPENED + 76_000).lastWinMinor).toBe(692_500);
  });

  it('the stake is staged, then placed, then gone with the chips', () => {
    expect(view(after(fixture.staged(BET)), OPENED).areas.banker).toMatchObject({ mineMinor: 750_000, placed: false });
    expect(view(after(fixture.receipt(BET)), OPENED).areas.banker).toMatchObject({ mineMinor: 750_000, placed: true });
    expect(view(played, DEALS + AT.clear - 1).stakeMinor).toBe(770_000);
    expect(view(played, DEALS + AT.clear).stakeMinor).toBe(0);
  });
});

describe('gold totals', () => {
  const totals = (bet_seq: number, banker: number): ServerEvent => ({ type: 'totals', coup: COUP, bet_seq, totals: { banker }, bettors: 3 });
  const mine = fixture.receipt({ banker: 750_000 }, { bet_seq: 4 });

  it.each([
    ['before my bet', [totals(3, 4_000_000)], 4_000_000],
    ['my bet, not yet in the totals', [totals(3, 4_000_000), mine], 4_000_000],
    ['my bet in the totals', [totals(4, 4_750_000), mine], 4_000_000],
    ['totals with my bet after the receipt', [mine, totals(5, 4_950_000)], 4_200_000],
    ['totals with my bet before the receipt is here', [totals(4, 4_750_000)], 4_750_000],
    ['less than my own', [mine, totals(5, 100)], 0],
    ['the lock', [mine, fixture.locked(102, { banker: 5_000_000 })], 4_250_000],
    ['the lock while my chips are on their way', [totals(3, 4_000_000), fixture.staged({ banker: 750_000 }), fixture.locked(102, { banker: 4_750_000 })], 4_000_000],
    ['late totals after the lock', [mine, fixture.locked(102, { banker: 5_000_000 }), totals(5, 4_950_000)], 4_250_000],
  ])('%s', (_, events, expected) => {
    expect(view(after(...(events as Event[])), OPENED + 20_000).areas.banker.othersMinor).toBe(expected);
  });
});

describe('buttons', () => {
  const chip: LocalEvent = {
    type: 'asked',
    command: { type: 'stage', request_id: 'c', coup: COUP, area: 'tie', amount_minor: 2_000 },
    atUtcMs: OPENED,
  };
  const submit: LocalEvent = { type: 'asked', command: { type: 'submit', request_id: 's', coup: COUP }, atUtcMs: OPENED };
  it.each([
    ['nothing staged', [], OPENED, { bet: 'choose_chip', undo: 'NOTHING_TO_UNDO', rebet: 'NOTHING_TO_REPEAT', areas: null }, 'empty'],
    ['a chip on its way', [chip], OPENED, { bet: null, undo: null, clear: null, areas: null }, 'empty'],
    ['staged', [fixture.staged(BET)], OPENED, { bet: null, undo: null, clear: null, double: null }, 'ready'],
    ['sending', [fixture.staged(BET), submit], OPENED, { bet: 'sending', areas: 'sending' }, 'sending'],
    ['placed', [fixture.receipt(BET)], OPENED, { bet: 'ALREADY_SUBMITTED', areas: 'ALREADY_SUBMITTED', rebet: 'ALREADY_SUBMITTED' }, 'placed'],
    ['closed', [fixture.staged(BET)], CLOSES, { bet: 'BETS_CLOSED', areas: 'BETS_CLOSED' }, 'closed'],
    ['a bet to repeat', [fixture.you({ last_stakes: BET })], OPENED, { rebet: null }, 'empty'],
  ])('%s', (_, events, now, expected, face) => {
    const seen = view(after(...(events as Event[])), now);
    expect(seen.buttons).toMatchObject(expected);
    expect(seen.bet.face).toBe(face);
  });

  it('after paying the button says what came back', () => {
    expect(view(played, DEALS + AT.pay).bet).toEqual({ face: 'paid', amountMinor: 1_462_500 });
  });

  it('a gap forbids everything until the snapshot', () => {
    expect(view(after(fixture.locked(105)), OPENED).buttons.areas).toBe('offline');
  });
});

describe('viewer', () => {
  it('answers the same object until something visible changes', () => {
    const look = viewer();
    const state = after();
    const first = look(state, OPENED + 100);
    expect(look(state, OPENED + 900)).toBe(first);
    expect(look(state, OPENED + 1_000)).not.toBe(first);
    expect(look(apply(state, { type: 'presence', patrons: 3 }), OPENED + 1_000)).not.toBe(first);
  });
});
