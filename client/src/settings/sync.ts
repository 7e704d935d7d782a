/**
 * Keeps a patron's settings at the house too, so that they are the same on every device. What was changed last counts.
 * This browser's copy is applied at once and never waits for the house.
 */

import type { Preferences } from '../wire/generated';
import { DEFAULTS, type Kept, settingsOf, type SettingsStore } from './settings';

export interface SyncPorts {
  get(): Promise<Preferences>;
  put(preferences: Preferences): Promise<unknown>;
  /** Calls back once after so many ms; answers how to call it off. */
  after(ms: number, act: () => void): () => void;
}

/** Sliders change often: the house is told when the hand has come to rest. */
export const REST_MS = 800;
const AGAIN_MS = 15_000;

export class Sync {
  private cancel: (() => void) | null = null;
  /** The moment of the change that the house is known to have. */
  private atHouseUtcMs = 0;
  private met = false;

  constructor(
    private readonly store: SettingsStore,
    private readonly ports: SyncPorts,
  ) {
    store.subscribe(() => this.later(REST_MS));
  }

  /** There is a session now: compare once. Later calls do nothing. */
  async meet(): Promise<void> {
    if (this.met) return;
    this.met = true;
    try {
      const house = keptAtHouse(await this.ports.get());
      this.atHouseUtcMs = house.changedUtcMs;
      this.store.adopt(house);
      if (this.store.changedUtcMs > house.changedUtcMs) this.later(0);
    } catch {
      this.met = false; // the next visit asks again
    }
  }

  /** Somebody else plays here now: what that patron has chosen counts, where it was chosen later. */
  async meetAnew(): Promise<void> {
    this.met = false;
    this.atHouseUtcMs = 0;
    await this.meet();
  }

  private later(ms: number): void {
    this.cancel?.();
    this.cancel = this.ports.after(ms, () => void this.tell());
  }

  private async tell(): Promise<void> {
    this.cancel = null;
    const { changedUtcMs, value } = this.store;
    if (!this.met || changedUtcMs <= this.atHouseUtcMs) return;
    try {
      await this.ports.put(preferencesOf({ settings: value, changedUtcMs }));
      this.atHouseUtcMs = changedUtcMs;
    } catch {
      this.later(AGAIN_MS);
    }
  }
}

/** The house leaves out what was never chosen. */
export const keptAtHouse = (preferences: Preferences): Kept => ({
  settings: settingsOf(preferences, DEFAULTS),
  changedUtcMs: preferences.changedUtcMs,
});

export const preferencesOf = ({ settings, changedUtcMs }: Kept): Preferences => ({ ...settings, changedUtcMs });
