import { describe, expect, it } from 'vitest';
import { ReplayRun } from '../main/replay';
import { apply, type LocalEvent, START, type State, viewer } from '../model';
import { DEFAULTS, settingsStore } from '../settings/settings';
import * as fixture from '../testing/fixture';
import type { CoupRecord, Gesture, ServerEvent } from '../wire/events';
import type { Effect } from './catalogue';
import type { Device } from './device';
import type { Ear } from './ear';
import { createSound } from './index';

const { AT, CLOSES, COUP, DEALS, OPENED } = fixture;
type Event = ServerEvent | LocalEvent;
const seated: Event[] = [
  { type: 'link', status: 'online', latencyMs: 20, atUtcMs: OPENED },
  fixture.welcome,
  fixture.snapshot(),
  fixture.you(),
];
const after = (...events: Event[]): State => [...seated, ...events].reduce(apply, START);
const BET = { banker: 750_000 };
const played = after(fixture.receipt(BET), { ...fixture.locked(), at_utc_ms: CLOSES }, fixture.dealt(), fixture.settled(BET, { banker: 1_462_500 }));

/** A page with an ear that writes down what it is given, and a clock that is turned by hand. */
class Bench {
  nowUtcMs = OPENED;
  running = true;
  hidden = false;
  woken = 0;
  levels = { effects: -1, room: -1 };
  ducked: boolean[] = [];
  /** What is heard: name and moment, as ms since the opening. */
  heard: { name: string; ms: number; effect: Effect; gain: number }[] = [];
  said: string[] = [];
  silenced = 0;
  unlocked = 0;
  private quietUtcMs = 0;
  utterances: SpeechSynthesisUtterance[] = [];
  private hiddenChanged = (): void => undefined;
  readonly store = settingsStore(null);
  private readonly look = viewer();
  private readonly ear: Ear = {
    awake: () => this.running && this.woken > 0,
    wake: () => void this.woken++,
    sleep: () => undefined,
    set: ({ effects, room }) => void (this.levels = { effects, room }),
    duck: (on) => void this.ducked.push(on),
    play: (effect, inMs, gain) => {
      const one = { name: effect.name, ms: Math.round(this.nowUtcMs + inMs - OPENED), effect, gain };
      if (effect.name !== 'clink') this.heard.push(one);
      return () => void (this.heard = this.heard.filter((other) => other !== one));
    },
    murmur: () => undefined,
    close: () => undefined,
  };
  private readonly device: Device = {
    ear: this.ear,
    synth: {
      getVoices: () => [{ name: 'Samantha', lang: 'en-US', default: true, localService: true, voiceURI: 'x' }],
      speak: (utterance) => {
        if (utterance.volume === 0) return void this.unlocked++;
        this.said.push(utterance.text);
        this.quietUtcMs = this.nowUtcMs + 900;
        this.utterances.push(utterance);
        utterance.onstart?.({} as SpeechSynthesisEvent);
      },
      cancel: () => void this.silenced++,
    },
    utter: (text) => ({ text }) as SpeechSynthesisUtterance,
    nowMs: () => this.nowUtcMs,
    later: () => undefined,
    hidden: () => this.hidden,
    onHidden: (changed) => {
      this.hiddenChanged = changed;
      return () => undefined;
    },
  };
  readonly sound = createSound(this.store, this.device);

  hide(hidden: boolean): void {
    this.hidden = hidden;
    this.hiddenChanged();
  }
  /** Let time pass in steps of a refresh; each utterance ends after a second. */
  run(state: State, from: number, to: number, step = 50): this {
    for (this.nowUtcMs = from; this.nowUtcMs <= to; this.nowUtcMs += step) {
      if (this.hidden) continue;
      this.sound.hear(this.look(state, this.nowUtcMs), this.nowUtcMs);
      if (this.utterances.length > 0 && this.nowUtcMs >= this.quietUtcMs) this.endSpeech();
    }
    this.nowUtcMs = to;
    return this;
  }
  endSpeech(): void {
    this.utterances.shift()?.onend?.({} as SpeechSynthesisEvent);
  }
  names(): string[] {
    return this.heard.map(({ name }) => name);
  }
  at(name: string): number[] {
    return this.heard.filter((one) => one.name === name).map(({ ms }) => ms);
  }
}
const awake = (): Bench => {
  const bench = new Bench();
  bench.sound.unlock();
  return bench;
};
const moments = (act: string): number[] =>
  fixture.dealt().timeline.filter((one: Gesture) => one.act === act).map((one: Gesture) => DEALS - OPENED + one.at_ms);

describe('a whole round', () => {
  const bench = awake().run(played, OPENED - 100, DEALS + AT.ends - 10);

  it('every gesture is heard once, at its moment', () => {
    expect(bench.at('bell')).toEqual([0]);
    expect(bench.at('tap')).toEqual([5, 4, 3, 2, 1].map((left) => CLOSES - OPENED - left * 1_000));
    expect(bench.at('sweep')).toEqual([CLOSES - OPENED + 80]);
    expect(bench.at('slide')).toEqual(moments('draw'));
    expect(bench.at('turn')).toEqual(moments('turn'));
    expect(bench.at('pay')).toEqual(moments('pay'));
    expect(bench.at('clear')).toEqual(moments('clear'));
    expect(bench.at('win')).toEqual([DEALS - OPENED + AT.result + 250]);
  });

  it('the calls are spoken, without what concerns the patron alone', () => {
    expect(bench.said).toContain('No more bets.');
    expect(bench.said).toContain('Last bets, please.');
    expect(bench.said.at(-1)).toBe('Banker wins, 7 over 4.');
    expect(new Set(bench.said).size).toBe(bench.said.length);
  });

  it.each([20, 50, 130, 400])('asked every %d ms it is the same round', (step) => {
    const other = awake().run(played, OPENED - 400, DEALS + AT.ends - 10, step);
    expect(other.heard.map(({ name, ms }) => `${name} ${ms}`).sort()).toEqual(bench.heard.map(({ name, ms }) => `${name} ${ms}`).sort());
  });

  it('two tabs hear the same', () => {
    const other = awake().run(played, OPENED - 130, DEALS + AT.ends - 10);
    expect(other.heard.map(({ name, ms }) => [name, ms])).toEqual(bench.heard.map(({ name, ms }) => [name, ms]));
  });
});

describe('a new shoe', () => {
  const brought = (opened: Partial<ReturnType<typeof fixture.opened>> = {}): State =>
    after(
      { type: 'shoe_changed', table: 'emerald', epoch: fixture.EPOCH, seq: 102, at_utc_ms: 0, shoe: 13, decks: 8 },
      { ...fixture.opened(103, COUP + 1), shoe: 13, opened_utc_ms: OPENED, closes_utc_ms: CLOSES, deals_utc_ms: DEALS, ...opened },
    );

  it('is heard as the hands bring it', () => {
    const bench = awake().run(brought(), OPENED - 100, OPENED + 6_000);
    expect(bench.heard.map(({ name, ms }) => [name, ms])).toEqual([['bell', 0], ['clear', 850], ['shoe', 3_340]]);
    expect(bench.said[0]).toBe('A new shoe. Place your bets, please.');
  });

  it('is not heard where there is no time to bring it', () => {
    const bench = awake().run(brought({ closes_utc_ms: OPENED + 5_000, deals_utc_ms: OPENED + 9_000 }), OPENED - 100, OPENED + 4_500);
    expect(bench.names()).toEqual(['bell']);
  });
});

describe('chips that lose and win', () => {
  const end = (stakes: Record<string, number>, returned: Record<string, number>, totals: Record<string, number> = {}): string[] => {
    const state = after(fixture.receipt(stakes), fixture.locked(102, totals), fixture.dealt(), fixture.settled(stakes, returned));
    return awake().run(state, DEALS + AT.result - 100, DEALS + AT.ends - 10).names();
  };

  it('a loss is nothing but chips that go', () => expect(end({ player: 2_000 }, {})).toEqual(['collect', 'clear']));
  it('nobody bet: only cards', () => {
    const state = after(fixture.locked(), fixture.dealt());
    expect(awake().run(state, DEALS + AT.result - 100, DEALS + AT.ends - 10).names()).toEqual(['clear']);
  });
  it("others' chips are collected and paid too", () => {
    const totals = { player: 4_000, banker: 6_000 };
    const state = after(fixture.locked(102, totals), fixture.dealt());
    expect(awake().run(state, DEALS + AT.result - 100, DEALS + AT.ends - 10).names()).toEqual(['collect', 'pay', 'clear']);
  });
  it('a gain on one area that the others eat up is no win', () => {
    expect(end({ player: 100_000, banker: 100_000 }, { banker: 195_000 })).toEqual(['collect', 'pay', 'clear']);
  });

  it('a win is louder only beside what the patron usually stakes', () => {
    const bench = awake();
    const round = (coup: number, stake: number): number => {
      const bet = { banker: stake };
      const shift = (coup - COUP) * 76_000;
      const state = after(
        coup === COUP ? fixture.locked() : fixture.opened(102, coup),
        fixture.receipt(bet, { coup }),
        { ...fixture.dealt(103), coup, deals_utc_ms: DEALS + shift },
        fixture.settled(bet, { banker: Math.floor(stake * 1.95) }, { coup }),
      );
      bench.run(state, DEALS + shift - 200, DEALS + shift + AT.result + 300);
      return bench.heard.findLast(({ name }) => name === 'win')!.gain;
    };
    const usual = [round(COUP, 10_000), round(COUP + 1, 10_000), round(COUP + 2, 10_000)];
    expect(usual).toEqual([0.7, 0.7, 0.7]);
    expect(round(COUP + 3, 80_000)).toBeGreaterThan(0.9);
    expect(round(COUP + 4, 2_000)).toBeLessThan(0.65);
  });
});

describe('no backlog', () => {
  it('somebody who comes in mid-deal hears what comes, not what was', () => {
    const from = DEALS + 6_500;
    const bench = awake().run(played, from, DEALS + AT.ends - 10);
    expect(Math.min(...bench.heard.map(({ ms }) => ms))).toBeGreaterThanOrEqual(from - OPENED);
    expect(bench.at('slide')).toEqual(moments('draw').filter((ms) => ms >= from - OPENED));
    expect(bench.said).not.toContain('Card for the Player.');
  });

  it('a tab that was hidden hears the present', () => {
    const bench = awake().run(played, CLOSES - 3_000, CLOSES - 2_000);
    const before = bench.heard.length;
    bench.hide(true);
    bench.run(played, CLOSES - 2_000, DEALS + 8_000);
    bench.hide(false);
    expect(bench.heard).toHaveLength(before);
    bench.run(played, DEALS + 8_000, DEALS + AT.ends - 10);
    expect(Math.min(...bench.heard.slice(before).map(({ ms }) => ms))).toBeGreaterThanOrEqual(DEALS + 8_000 - OPENED);
    expect(bench.at('slide')).toEqual(moments('draw').filter((ms) => ms > DEALS + 8_000 - OPENED));
  });

  it('a page that froze plays nothing that is late', () => {
    const bench = awake().run(played, DEALS - 500, DEALS + 100).run(played, DEALS + 9_100, DEALS + 9_200);
    expect(bench.names()).toEqual(['turn']);
  });

  it('hiding takes back what was placed ahead, and silences her', () => {
    const bench = awake().run(played, CLOSES - 5_600, CLOSES - 5_100);
    expect(bench.at('tap')).toHaveLength(1);
    bench.hide(true);
    expect([bench.at('tap'), bench.levels]).toEqual([[], { effects: 0, room: 0 }]);
  });

  it('a round that is cancelled takes its close back', () => {
    const bench = awake().run(after(), CLOSES - 900, CLOSES - 50);
    expect(bench.at('sweep')).toHaveLength(1);
    const voided: ServerEvent = { type: 'coup_voided', table: 'emerald', epoch: fixture.EPOCH, seq: 102, at_utc_ms: CLOSES - 30, coup: COUP, reason: 'late', seed: '' };
    bench.run(after(voided), CLOSES - 20, CLOSES + 500);
    expect(bench.at('sweep')).toEqual([]);
    expect(bench.said.at(-1)).toBe('This round is cancelled. All stakes are back.');
  });
});

describe('the first gesture', () => {
  it('before it there is nothing, and afterwards nothing comes late', () => {
    const bench = new Bench().run(played, OPENED, DEALS + 1_000);
    bench.sound.press('button');
    expect([bench.heard, bench.said, bench.woken]).toEqual([[], [], 0]);
    bench.sound.unlock();
    bench.run(played, DEALS + 1_050, DEALS + 1_800);
    expect(bench.at('slide')).toEqual([1_080, 1_860].map((ms) => DEALS - OPENED + ms));
  });

  it('two fingers, and a browser that still says no: nothing is kept for later', () => {
    const bench = new Bench();
    bench.running = false;
    bench.sound.unlock();
    bench.sound.unlock();
    for (const kind of ['chip', 'button', 'refused'] as const) bench.sound.press(kind);
    bench.run(played, DEALS, DEALS + 5_000);
    expect(bench.heard).toEqual([]);
    bench.running = true;
    bench.run(played, DEALS + 5_050, DEALS + 6_200);
    expect(bench.heard.map(({ name, ms }) => [name, ms])).toEqual([['turn', DEALS - OPENED + 5_100]]);
  });

  it('an interruption ends as if the page had been away', () => {
    const bench = awake().run(played, DEALS, DEALS + 1_000);
    bench.running = false;
    bench.run(played, DEALS + 1_050, DEALS + 4_900);
    bench.running = true;
    bench.run(played, DEALS + 4_950, DEALS + 6_200);
    expect(bench.heard.map(({ ms }) => ms - (DEALS - OPENED)).filter((ms) => ms > 1_000)).toEqual([5_100]);
  });
});

describe('the settings', () => {
  it('act at once', () => {
    const bench = awake();
    bench.store.set({ volumes: { effects: 0.5, voice: 0.5, room: 0 } });
    expect(bench.levels).toEqual({ effects: 0.5, room: 0 });
    bench.store.set({ muted: true });
    expect(bench.levels).toEqual({ effects: 0, room: 0 });
    bench.store.set({ muted: false });
    expect(bench.levels).toEqual({ effects: 0.5, room: 0 });
  });

  it('muted is silent, and sound that comes back brings no backlog', () => {
    const bench = awake();
    bench.store.set({ muted: true });
    bench.run(played, CLOSES - 1_000, DEALS + 3_000);
    bench.sound.press('button');
    expect([bench.heard, bench.said]).toEqual([[], []]);
    bench.store.set({ muted: false });
    bench.run(played, DEALS + 3_050, DEALS + 4_000);
    expect(bench.at('turn')).toEqual([DEALS - OPENED + 3_420, DEALS - OPENED + 3_980]);
  });

  it('muted before the first gesture opens no sound at all', () => {
    const bench = new Bench();
    bench.store.set({ muted: true });
    bench.sound.unlock();
    expect(bench.woken).toBe(0);
    bench.store.set({ muted: false });
    expect(bench.woken).toBe(1);
  });

  it('a voice turned down to nothing does not speak, and falls silent in mid-sentence', () => {
    const bench = awake().run(played, CLOSES - 200, CLOSES + 100);
    expect(bench.said).toEqual(['No more bets.']);
    bench.store.set({ volumes: { ...DEFAULTS.volumes, voice: 0 } });
    expect(bench.silenced).toBe(1);
    bench.run(played, CLOSES + 150, DEALS + 5_000);
    expect(bench.said).toEqual(['No more bets.']);
  });
});

describe('her voice', () => {
  it('is unlocked by a gesture, once', () => {
    const bench = new Bench();
    bench.store.set({ muted: true });
    bench.sound.unlock();
    expect(bench.unlocked).toBe(0);
    bench.store.set({ muted: false });
    for (let i = 0; i < 3; i++) bench.sound.unlock();
    expect([bench.unlocked, bench.said]).toEqual([1, []]);
  });

  it('finishes a call, and of those that wait only the newest comes', () => {
    const bench = awake();
    const look = viewer();
    const at = (ms: number): void => {
      bench.nowUtcMs = DEALS + ms;
      bench.sound.hear(look(played, bench.nowUtcMs), bench.nowUtcMs);
    };
    for (const ms of [-50, 10, AT.playerTurned, AT.bankerTurned]) {
      if (ms > 1_000) at(ms - 60);
      at(ms);
    }
    expect(bench.said).toEqual(['Cards, please.', 'Player shows 2.']);
    bench.endSpeech();
    bench.endSpeech();
    expect(bench.said).toEqual(['Cards, please.', 'Player shows 2.', 'Banker shows 3.']);
  });

  it('the room steps back under it', () => {
    const bench = awake().run(played, CLOSES - 200, CLOSES + 100);
    expect(bench.ducked).toEqual([true]);
    bench.endSpeech();
    expect(bench.ducked).toEqual([true, false]);
  });
});

describe("the patron's fingers and chips", () => {
  it('chips click when they land, lower for larger ones, and are heard when they are taken back', () => {
    const bench = awake().run(after(), OPENED + 2_000, OPENED + 4_000);
    for (const [seq, banker] of [[1, 2_000], [2, 102_000], [3, 2_602_000], [4, 102_000]] as const) {
      const from = OPENED + 4_000 + seq * 500;
      bench.run(after(fixture.staged({ banker })), from, from + 400);
    }
    const heard = bench.heard.map(({ effect }) => (effect.name === 'chip' ? `chip ${effect.pitch}` : effect.name));
    expect(heard).toEqual(['chip 0', 'chip 1', 'chip 2', 'lift']);
    expect(bench.at('chip')[0]).toBe(4_500 + 120);
  });

  it("others' chips are soft and thinned out", () => {
    const bench = awake().run(after(), OPENED + 2_000, OPENED + 4_000);
    for (let i = 1; i <= 20; i++) {
      const totals: ServerEvent = { type: 'totals', coup: COUP, bet_seq: i, totals: { player: i * 2_000 }, bettors: 3 };
      bench.run(after(totals), OPENED + 4_000 + i * 50, OPENED + 4_000 + i * 50);
    }
    expect(bench.heard.length).toBeGreaterThan(2);
    expect(bench.heard.length).toBeLessThanOrEqual(4);
    expect(Math.max(...bench.heard.map(({ gain }) => gain))).toBeLessThan(0.5);
  });

  it('chips that come back with a reconnection are no news', () => {
    const bench = awake().run(after(), OPENED + 2_000, OPENED + 4_000);
    const lost = after({ type: 'link', status: 'reconnecting', latencyMs: null, atUtcMs: OPENED + 4_000 });
    bench.run(lost, OPENED + 4_050, OPENED + 5_000);
    bench.run(after(), OPENED + 5_050, OPENED + 5_100);
    bench.run(after(fixture.staged(BET)), OPENED + 5_150, OPENED + 5_900);
    expect(bench.heard).toEqual([]);
  });

  it('a refusal is told once, whoever tells it', () => {
    const bench = awake().run(after(), OPENED + 2_000, OPENED + 4_000);
    bench.sound.press('refused');
    bench.run(after({ type: 'said', code: 'choose_chip', facts: {} }), OPENED + 4_050, OPENED + 4_300);
    expect(bench.names()).toEqual(['refused']);
    bench.sound.press('button');
    bench.sound.press('chip');
    expect(bench.names()).toEqual(['refused', 'button', 'lift']);
  });
});

describe('a hurried deal', () => {
  it('is thinned out: a few slides, no turns, the end', () => {
    const deal = fixture.dealt();
    const fast = { ...deal, timeline: deal.timeline.map((one) => ({ ...one, at_ms: one.at_ms * 0.07, dur_ms: one.dur_ms * 0.07 })) };
    const state = after(fixture.receipt(BET), fixture.locked(), fast, fixture.settled(BET, { banker: 1_462_500 }));
    const heard = awake().run(state, DEALS - 400, DEALS + 1_300).names().filter((name) => name !== 'sweep' && name !== 'tap');
    expect(heard.filter((name) => name === 'slide').length).toBeLessThanOrEqual(4);
    expect(heard).not.toContain('turn');
    expect(heard).toContain('win');
  });
});

describe('a patron who will not wait', () => {
  it('hears the end at once, and none of what was skipped', () => {
    const bench = awake().run(played, DEALS - 500, DEALS + 5_000);
    const skipped = apply(played, { type: 'skip', atUtcMs: DEALS + 5_010 });
    bench.run(skipped, DEALS + 5_050, DEALS + AT.ends - 10);
    const since = bench.heard.map(({ name, ms }) => [name, ms - (DEALS - OPENED)] as const).filter(([, ms]) => ms > 5_000);
    expect(since).toEqual([
      ['win', 5_050],
      ['pay', 5_050],
      ['clear', AT.clear],
    ]);
    expect(bench.said.at(-1)).toBe('Banker wins, 7 over 4.');
  });
});

describe('a coup shown again', () => {
  it('is heard again, and its cards stay', () => {
    const bench = awake().run(played, DEALS - 500, DEALS + AT.ends - 10);
    const first = bench.at('slide').length;
    const starts = DEALS + 30_000;
    const record = { terms: fixture.TERMS, opened: fixture.opened(), dealt: fixture.dealt(), settled: fixture.settled(BET, { banker: 1_462_500 }) };
    const run = new ReplayRun(record as unknown as CoupRecord, starts, fixture.ROADS);
    for (bench.nowUtcMs = starts; bench.nowUtcMs < starts + 40_000; bench.nowUtcMs += 50) bench.sound.hear(run.view(bench.nowUtcMs), bench.nowUtcMs);
    expect(run.over(bench.nowUtcMs)).toBe(true);
    expect(bench.at('slide')).toHaveLength(2 * first);
    expect(bench.at('win')).toHaveLength(2);
    expect(bench.at('clear')).toHaveLength(1);
    expect([bench.at('bell'), bench.at('sweep')]).toEqual([[], []]);
  });
});

describe('a table for one patron', () => {
  const one = (terms: Partial<typeof fixture.TERMS> = {}): State => {
    const opened = { ...fixture.opened(), closes_utc_ms: null, deals_utc_ms: null };
    const welcome = { ...fixture.welcome, terms: { ...fixture.TERMS_FOR_ONE, ...terms } };
    const timeline = fixture.dealt().timeline.filter(({ act }) => act !== 'clear');
    return [
      seated[0]!,
      welcome,
      fixture.snapshot({ opened }),
      fixture.you(),
      fixture.receipt(BET),
      fixture.locked(),
      { ...fixture.dealt(), timeline },
      fixture.settled(BET, { banker: 1_462_500 }),
    ].reduce(apply, START);
  };
  const next = (state: State): State =>
    apply(state, { ...fixture.opened(104, COUP + 1), opened_utc_ms: DEALS + AT.ends, closes_utc_ms: null, deals_utc_ms: null });

  it('has no bell and no last seconds; the cards are cleared when the patron goes on', () => {
    const bench = awake().run(one(), DEALS - 500, DEALS + AT.ends - 50);
    expect(bench.names()).not.toContain('bell');
    expect(bench.names()).not.toContain('clear');
    const waiting = next(one());
    bench.run(waiting, DEALS + AT.ends, DEALS + AT.ends + 3_000);
    const before = bench.heard.length;
    const atUtcMs = bench.nowUtcMs + 20;
    const staging = apply(waiting, { type: 'asked', command: { type: 'stage', request_id: 'a', coup: COUP + 1, area: 'banker', amount_minor: 2_000 }, atUtcMs });
    bench.run(staging, atUtcMs + 30, atUtcMs + 80);
    bench.run(apply(staging, { ...fixture.staged({ banker: 2_000 }, 'a'), coup: COUP + 1 }), atUtcMs + 130, atUtcMs + 900);
    expect(bench.heard.slice(before).map(({ name }) => name)).toEqual(['clear', 'chip']);
  });

  it.each([
    ['female', 1],
    ['male', 0.85],
  ])('with the voice of its dealer, %s', (dealer, pitch) => {
    const bench = awake();
    bench.run(one({ dealer }), DEALS - 500, DEALS + 200);
    expect(bench.utterances.map((utterance) => utterance.pitch)).toEqual([pitch]);
  });
});

describe('a browser without sound', () => {
  it('is silent and fine', () => {
    const bench = new Bench();
    const sound = createSound(bench.store, {
      ear: { ...bench['ear'], awake: () => false },
      synth: null,
      utter: () => {
        throw new Error('nobody speaks');
      },
      nowMs: () => 0,
      later: () => undefined,
      hidden: () => false,
      onHidden: () => () => undefined,
    });
    const look = viewer();
    sound.unlock();
    for (let now = CLOSES - 1_000; now < DEALS + AT.ends; now += 50) sound.hear(look(played, now), now);
    sound.press('button');
    sound.dispose();
    expect(bench.heard).toEqual([]);
  });
});
