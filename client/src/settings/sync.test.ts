import { beforeEach, describe, expect, it } from 'vitest';
import type { Preferences } from '../wire/generated';
import { DEFAULTS, type SettingsStore, settingsStore } from './settings';
import { preferencesOf, REST_MS, Sync } from './sync';

let atHouse: Preferences;
let puts: Preferences[];
let failing: boolean;
let timers: { ms: number; act: () => void }[];
let store: SettingsStore;
let sync: Sync;
let nowMs: number;

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
async function rest(): Promise<void> {
  for (const { act } of timers.splice(0)) act();
  await settle();
}

beforeEach(() => {
  [atHouse, puts, failing, timers, nowMs] = [{ changedUtcMs: 0 }, [], false, [], 1_000];
  store = settingsStore(null, () => nowMs++);
  sync = new Sync(store, {
    get: () => (failing ? Promise.reject(new Error('away')) : Promise.resolve(atHouse)),
    put: (preferences) => {
      if (failing) return Promise.reject(new Error('away'));
      puts.push(preferences);
      return Promise.resolve(preferences);
    },
    after: (ms, act) => {
      const timer = { ms, act };
      timers.push(timer);
      return () => (timers = timers.filter((one) => one !== timer));
    },
  });
});

describe('settings at the house', () => {
  it('newer ones there are taken', async () => {
    atHouse = { changedUtcMs: 5_000, shapes: true, volumes: { room: 0 } };
    await sync.meet();
    expect(store.value).toEqual({ ...DEFAULTS, shapes: true, volumes: { ...DEFAULTS.volumes, room: 0 } });
    await rest();
    expect(puts).toEqual([]);
  });

  it('newer ones here are told', async () => {
    store.set({ captions: false });
    atHouse = { changedUtcMs: 500, shapes: true };
    await sync.meet();
    await rest();
    expect(store.value).toMatchObject({ captions: false, shapes: false });
    expect(puts).toEqual([preferencesOf({ settings: store.value, changedUtcMs: store.changedUtcMs })]);
  });

  it('many changes are told once, when the hand rests', async () => {
    await sync.meet();
    for (const voice of [0.1, 0.2, 0.3]) store.set({ volumes: { ...DEFAULTS.volumes, voice } });
    expect(timers.map((timer) => timer.ms)).toEqual([REST_MS]);
    await rest();
    expect(puts.map((one) => one.volumes?.voice)).toEqual([0.3]);
  });

  it('nothing is told before the house was asked', async () => {
    store.set({ muted: true });
    await rest();
    expect(puts).toEqual([]);
  });

  it('a house that does not answer is told later', async () => {
    await sync.meet();
    failing = true;
    store.set({ muted: true });
    await rest();
    expect([puts, timers.length]).toEqual([[], 1]);
    failing = false;
    await rest();
    expect(puts).toHaveLength(1);
  });

  it('a first question without an answer is asked again', async () => {
    failing = true;
    await sync.meet();
    failing = false;
    atHouse = { changedUtcMs: 9, muted: true };
    await sync.meet();
    expect(store.value.muted).toBe(true);
  });
});
