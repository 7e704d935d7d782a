import { describe, expect, it } from 'vitest';
import { DEFAULTS, type Keeper, keptOf, type Settings, settingsOf, settingsStore, STORAGE_KEY } from './settings';

/** A storage in memory; `full` makes every writing fail. */
function keeper(text: string | null = null, full = false): Keeper & { text: string | null } {
  return {
    text,
    getItem(name: string) {
      return name === STORAGE_KEY ? this.text : null;
    },
    setItem(_name: string, value: string) {
      if (full) throw new Error('full');
      this.text = value;
    },
  };
}

describe('settings from anything', () => {
  it.each([[null], [7], ['x'], [[]], [{ quality: 'ultra', muted: 'yes', volumes: { voice: 1.5 }, language: '' }]])('%j are the defaults', (value) =>
    expect(settingsOf(value)).toEqual(DEFAULTS));

  it('what makes sense is taken, the rest stays', () => {
    const old: Settings = { ...DEFAULTS, shapes: true, felt: 'teal' };
    const read = settingsOf({ quality: 'flat', felt: null, volumes: { room: 0, voice: 'loud' }, shapes: 1 }, old);
    expect(read).toEqual({ ...old, quality: 'flat', felt: null, volumes: { ...DEFAULTS.volumes, room: 0 } });
  });

  it('cannot be changed behind the store', () => expect(Object.isFrozen(settingsOf({}).volumes)).toBe(true));
});

describe('the store', () => {
  it('keeps a change at once and tells it', () => {
    const box = keeper();
    const store = settingsStore(box, () => 1_000);
    const told: Settings[] = [];
    const stop = store.subscribe((value) => told.push(value));
    store.set({ fastPlay: true });
    expect(told.map((value) => value.fastPlay)).toEqual([true]);
    expect(keptOf(box.text)).toEqual({ settings: store.value, changedUtcMs: 1_000 });
    stop();
    store.set({ fastPlay: false });
    expect(told).toHaveLength(1);
  });

  it('knows them again', () => {
    const box = keeper();
    settingsStore(box).set({ shapes: true, volumes: { effects: 0, voice: 1, room: 0.5 } });
    expect(settingsStore(box).value).toMatchObject({ shapes: true, volumes: { effects: 0, voice: 1, room: 0.5 } });
  });

  it('goes back to the defaults, which is a change too', () => {
    const box = keeper();
    const store = settingsStore(box, () => 5);
    store.set({ muted: true });
    store.reset();
    expect([store.value, store.changedUtcMs, settingsStore(box).value.muted]).toEqual([DEFAULTS, 6, false]);
  });

  it('takes what is newer elsewhere, and only that', () => {
    const store = settingsStore(keeper(), () => 1_000);
    store.set({ captions: false });
    expect(store.adopt({ settings: { ...DEFAULTS, shapes: true }, changedUtcMs: 1_000 })).toBe(false);
    expect(store.value).toMatchObject({ captions: false, shapes: false });
    expect(store.adopt({ settings: { ...DEFAULTS, shapes: true }, changedUtcMs: 1_001 })).toBe(true);
    expect(store.value).toMatchObject({ captions: true, shapes: true });
  });

  it('a change after a wrong clock is still newer', () => {
    const store = settingsStore(keeper(), () => 10);
    store.adopt({ settings: DEFAULTS, changedUtcMs: 9_999 });
    store.set({ muted: true });
    expect(store.changedUtcMs).toBe(10_000);
  });

  it.each([['a broken text', keeper('{"quality":')], ['no storage', null], ['a full storage', keeper(null, true)]])('works with %s', (_, box) => {
    const store = settingsStore(box);
    store.set({ quality: 'low' });
    expect(store.value.quality).toBe('low');
  });
});
