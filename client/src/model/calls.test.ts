import { describe, expect, it } from 'vitest';
import { tell } from '../i18n';
import * as fixture from '../testing/fixture';
import type { CoupDealt, Gesture, ServerEvent } from '../wire/events';
import { calls, spoken } from './calls';
import { apply, type LocalEvent } from './reduce';
import { START, type State } from './state';
import { view, viewer } from './view';

const { AT, CLOSES, COUP, DEALS, OPENED } = fixture;
type Event = ServerEvent | LocalEvent;
const after = (...events: Event[]): State =>
  [{ type: 'link', status: 'online', latencyMs: 20, atUtcMs: OPENED } as Event, fixture.welcome, fixture.snapshot(), fixture.you(), ...events].reduce(apply, START);

/** Every call in words, with its moment after the deal (negative before). */
const said = (state: State): [number, string][] => calls(state).map((call) => [call.atUtcMs - DEALS, tell(call.says)]);

const gesture = (act: string, at_ms: number, side: string | null = null, index: number | null = null, points: number | null = null): Gesture =>
  ({ act, at_ms, dur_ms: 0, side, index, points }) as Gesture;

/** A coup whose hands end with these points: two cards, or three where a third total is given. */
function coup(player: readonly number[], banker: readonly number[], everyMs = 900): CoupDealt {
  const timeline: Gesture[] = [];
  let ms = 0;
  const next = (): number => (ms += everyMs);
  const totals = { player, banker };
  for (const index of [0, 1]) for (const side of ['player', 'banker']) timeline.push(gesture('draw', next(), side, index));
  for (const side of ['player', 'banker'] as const) {
    timeline.push(gesture('turn', next(), side, 0, 0), gesture('turn', next(), side, 1, totals[side][0]!));
  }
  for (const side of ['player', 'banker'] as const) {
    if (totals[side].length < 2) continue;
    timeline.push(gesture('draw', next(), side, 2), gesture('turn', next(), side, 2, totals[side][1]!));
  }
  timeline.push(gesture('result', next() + everyMs));
  const [p, b] = [player.at(-1)!, banker.at(-1)!];
  return {
    ...fixture.dealt(),
    player_points: p,
    banker_points: b,
    natural: player.length + banker.length === 2 && Math.max(player[0]!, banker[0]!) >= 8,
    outcome: p > b ? 'player' : p < b ? 'banker' : 'tie',
    timeline: timeline.map((one) => ({ ...one, dur_ms: everyMs / 3 })),
  };
}
const called = (dealt: CoupDealt): string[] =>
  calls(after(fixture.locked(), dealt))
    .filter((call) => call.atUtcMs > DEALS)
    .map((call) => tell(call.says));

describe('the calls of a coup', () => {
  it('each at its moment', () => {
    expect(said(after({ ...fixture.locked(), at_utc_ms: CLOSES }, fixture.dealt()))).toEqual([
      [OPENED - DEALS, 'Place your bets, please.'],
      [-30_000, 'Last bets, please. Bets close at 00:10.'],
      [CLOSES - DEALS, 'No more bets.'],
      [0, 'Cards, please.'],
      [AT.playerTurned, 'Player shows 2.'],
      [AT.bankerTurned, 'Banker shows 3.'],
      [6_410, 'Card for the Player.'],
      [7_630, 'Player has 4.'],
      [8_500, 'Card for the Banker.'],
      [9_720, 'Banker has 7.'],
      [AT.result, 'Banker wins, 7 over 4.'],
    ]);
  });

  it.each([
    ['a natural', coup([9], [6]), ['Player shows a natural 9.', 'Banker shows 6.', 'Player wins, 9 over 6.']],
    ['two naturals', coup([8], [8]), ['Player shows a natural 8.', 'Banker shows a natural 8.', 'Tie, 8 all.']],
    ['no card', coup([6], [7]), ['Player shows 6.', 'Banker shows 7. Both hands stand.', 'Banker wins, 7 over 6.']],
    [
      'a card for the Banker alone',
      coup([7], [2, 8]),
      ['Player shows 7.', 'Banker shows 2. Player stands on 7.', 'Card for the Banker.', 'Banker has 8.', 'Banker wins, 8 over 7.'],
    ],
    [
      'a card for the Player alone',
      coup([0, 6], [6]),
      ['Player shows 0.', 'Banker shows 6.', 'Card for the Player.', 'Player has 6. Banker stands on 6.', 'Tie, 6 all.'],
    ],
  ])('%s', (_, dealt, words) => expect(called(dealt)).toEqual(words));

  it('of a hurried deal the result is left, and what there is time for', () => {
    expect(called(coup([0, 6], [3, 4], 60))).toEqual(['Player wins, 6 over 4.']);
  });

  it('a new shoe and its last hand are called', () => {
    const fresh = after(
      { type: 'shoe_changed', table: 'emerald', epoch: fixture.EPOCH, seq: 102, at_utc_ms: 0, shoe: 13, decks: 8 },
      { ...fixture.opened(103, COUP + 1), shoe: 13 },
    );
    const opens = OPENED + 76_000;
    expect(calls(fresh)[0]).toMatchObject({ atUtcMs: opens });
    expect(tell(calls(fresh)[0]!.says)).toBe('A new shoe. Place your bets, please.');
    expect(view(fresh, opens + 10).newShoeUtcMs).toBe(opens);
    const next = apply(fresh, { ...fixture.opened(104, COUP + 2), shoe: 13, last_of_shoe: true });
    expect(tell(calls(next)[0]!.says)).toBe('Last hand of this shoe. Place your bets, please.');
    expect(view(after(), OPENED).newShoeUtcMs).toBeNull();
  });

  it('somebody who comes into the first coup of a shoe is told of it too', () => {
    const snapshot = fixture.snapshot();
    const { roads } = snapshot;
    const first = apply(after(), { ...snapshot, roads: { ...roads, counts: { ...roads.counts, coups: 0 } } });
    expect(first.newShoeUtcMs).toBe(OPENED);
  });

  it('a cancelled round is called in place of everything else', () => {
    const voided = after({ type: 'coup_voided', table: 'emerald', epoch: fixture.EPOCH, seq: 102, at_utc_ms: CLOSES, coup: COUP, reason: 'late', seed: '' });
    expect(said(voided)).toEqual([[CLOSES - DEALS, 'This round is cancelled. All stakes are back.']]);
  });
});

describe('what the view says of them', () => {
  const played = after({ ...fixture.locked(), at_utc_ms: CLOSES }, fixture.dealt());

  it('the call that holds, and since when', () => {
    const look = viewer();
    for (const call of calls(played)) {
      const seen = look(played, call.atUtcMs);
      expect([seen.callUtcMs, seen.call]).toEqual([call.atUtcMs, call.says]);
      expect(look(played, call.atUtcMs - 1).callUtcMs).not.toBe(call.atUtcMs);
    }
  });

  it('nothing while the page is cut off', () => {
    const away = apply(played, { type: 'link', status: 'reconnecting', latencyMs: null, atUtcMs: DEALS });
    const seen = view(away, DEALS + AT.result);
    expect([seen.callUtcMs, seen.call]).toEqual([0, []]);
  });

  it('an early lock is "no more bets" at once', () => {
    const early = after({ ...fixture.locked(), at_utc_ms: CLOSES - 900 });
    expect(tell(view(early, CLOSES - 900).call)).toBe('No more bets.');
  });

  it("the patron's own sum is shown and not spoken", () => {
    const bet = { banker: 750_000 };
    const state = after(fixture.receipt(bet), fixture.locked(), fixture.dealt(), fixture.settled(bet, { banker: 1_462_500 }));
    const { call } = view(state, DEALS + AT.result);
    expect(tell(call)).toBe('Banker wins, 7 over 4. You win 7,125.');
    expect(tell(spoken(call))).toBe('Banker wins, 7 over 4.');
  });
});
