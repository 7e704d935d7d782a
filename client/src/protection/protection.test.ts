import { describe, expect, it, vi } from 'vitest';
import { DEFAULTS, settingsOf } from '../settings/settings';
import type { Protection, Sitting } from '../wire/generated';
import { minorOf, typed } from './amount';
import { dueUtcMs, EVERY_MINUTES, hours, isQuiet } from './reality';
import { Tally } from './tally';
import { Watch, type WatchPorts } from './watch.svelte';

const MINUTE = 60_000;

describe('amounts as they are typed', () => {
  it.each([
    ['1500', 150_000],
    ['1 500', 150_000],
    ['1\u202f500,5', 150_050],
    ['12.50', 1_250],
    ['0.01', 1],
    ['0', null],
    ['', null],
    ['-5', null],
    ['1e3', null],
    ['12.505', null],
    ['1.500.000', null],
    ['12345678901234', null],
    ['abc', null],
  ])('%s', (text, minor) => expect(minorOf(text)).toBe(minor));

  it('what stands in the field means the same again', () => {
    for (const minor of [1, 10, 99, 100, 1_250, 150_000, 999_999_999]) expect(minorOf(typed(minor))).toBe(minor);
  });
});

describe('the net result of a sitting', () => {
  const ended = (coup: number, netMinor: number, untilUtcMs: number) => ({ coup, netMinor, untilUtcMs });

  it('counts a coup once, whoever tells it first', () => {
    const tally = new Tally();
    tally.counted(0, 100);
    expect(tally.paid('emerald', ended(1, -500, 200))).toBe(true);
    expect(tally.paid('emerald', ended(1, -500, 200))).toBe(false);
    expect(tally.netMinor).toBe(-500);
    tally.counted(0, 199); // the house counts it from its moment on
    expect(tally.netMinor).toBe(-500);
    tally.counted(-500, 200);
    expect(tally.netMinor).toBe(-500);
    expect(tally.paid('emerald', ended(1, -500, 200))).toBe(false);
    expect(tally.paid('ruby', ended(1, 300, 300))).toBe(true);
    expect(tally.netMinor).toBe(-200);
  });

  it('is not set back by an answer that comes late', () => {
    const tally = new Tally();
    tally.counted(-500, 200);
    tally.counted(0, 100);
    expect(tally.netMinor).toBe(-500);
  });
});

describe('the reality check', () => {
  it.each([
    [null, 60, 60],
    [30, 60, 90],
    [-5, 60, 60],
    [null, 15, 15],
    [null, 0, null],
  ])('heard at %s, every %s minutes: due at %s', (heard, every, due) => {
    const start = 1_000 * MINUTE;
    const at = dueUtcMs(start, heard === null ? null : start + heard * MINUTE, every);
    expect(at === null ? null : (at - start) / MINUTE).toBe(due);
  });

  it.each([
    ['betting', 25, 10, true, true],
    ['betting', 26, 10, true, false],
    ['betting', 60, 10, true, false],
    ['closing', 5, 10, true, false],
    ['dealing', 0, 10, true, false],
    ['betting', 0, 0, false, false],
  ])('%s, %s s on the clock that closes at %s (a clock: %s): it makes room: %s', (phase, seconds, closes, clock, quiet) =>
    expect(isQuiet({ phase, clock: { seconds }, closesAtSeconds: closes, game: { clock } })).toBe(quiet));

  it('tells hours and minutes', () => expect([0, 59_999, 7 * MINUTE, 125 * MINUTE, -1].map(hours)).toEqual(['0:00', '0:00', '0:07', '2:05', '0:00']));

  it('is on by default, and only offered intervals are taken', () => {
    expect([DEFAULTS.sessionClock, DEFAULTS.realityCheckMinutes]).toEqual([true, 60]);
    for (const one of EVERY_MINUTES) expect(settingsOf({ realityCheckMinutes: one }).realityCheckMinutes).toBe(one);
    expect(settingsOf({ realityCheckMinutes: 7 }).realityCheckMinutes).toBe(60);
  });
});

const NOTHING: Protection = {
  server_utc_ms: 0,
  limits: [],
  time_out_until_utc_ms: null,
  excluded_until_utc_ms: null,
  excluded_for_good: false,
  changes: [],
};

function watched(sitting: () => Promise<Sitting>, kept: Record<string, string> = {}): { watch: Watch; ports: WatchPorts } {
  const answer = (): Promise<Protection> => Promise.resolve(NOTHING);
  const ports: WatchPorts = {
    sit: vi.fn(sitting),
    get: vi.fn(answer),
    limit: vi.fn(answer),
    confirm: vi.fn(answer),
    takeBack: vi.fn(answer),
    timeOut: vi.fn(answer),
    exclude: vi.fn(answer),
  };
  const keeper = { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, value: string) => void (kept[key] = value) };
  return { watch: new Watch(ports, keeper), ports };
}

describe('the watch', () => {
  const START = 1_000 * MINUTE;
  const sitting = (minutes: number, net = 0): Sitting => ({
    server_utc_ms: START + minutes * MINUTE,
    started_utc_ms: START,
    staked_minor: 0,
    returned_minor: 0,
    net_minor: net,
  });

  it('goes by the clock of the house, and a check that was answered is not asked again', async () => {
    vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined });
    vi.useFakeTimers();
    const kept: Record<string, string> = {};
    const { watch, ports } = watched(() => Promise.resolve(sitting(61, -700)), kept);
    expect([watch.lastsMs, watch.isDue(60)]).toEqual([0, false]);
    watch.meet();
    watch.meet();
    await vi.advanceTimersByTimeAsync(0);
    expect(ports.sit).toHaveBeenCalledTimes(1);
    expect([watch.netMinor, hours(watch.lastsMs), watch.isDue(60), watch.isDue(120), watch.isDue(0)]).toEqual([-700, '1:01', true, false, false]);
    watch.heard();
    expect(watch.isDue(60)).toBe(false);
    const again = watched(() => Promise.resolve(sitting(62)), kept).watch;
    again.meet();
    await vi.advanceTimersByTimeAsync(0);
    expect(again.isDue(60)).toBe(false);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('begins anew for another patron, whom a late answer does not concern', async () => {
    vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined });
    vi.useFakeTimers();
    const answers = [sitting(61, -700), sitting(0, 0)];
    let late: (sitting: Sitting) => void = () => undefined;
    const { watch } = watched(() => (answers.length === 2 ? new Promise((resolve) => ((late = resolve), answers.shift())) : Promise.resolve(answers[0]!)));
    watch.meet();
    watch.meetAnew();
    late(sitting(61, -700));
    await vi.advanceTimersByTimeAsync(0);
    expect([watch.netMinor, hours(watch.lastsMs)]).toEqual([0, '0:00']);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('says why a wish was not granted, and keeps what it knew', async () => {
    const { watch, ports } = watched(() => Promise.reject(new Error('offline')));
    expect(await watch.limit('loss_day', 500)).toBe(true);
    expect(watch.protection).toBe(NOTHING);
    ports.timeOut = () => Promise.reject(new Error('no'));
    expect(await watch.timeOut(1)).toBe(false);
    expect([watch.protection, watch.asking, (watch.failure as Error).message]).toEqual([NOTHING, false, 'no']);
  });
});
