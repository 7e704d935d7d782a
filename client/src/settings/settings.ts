/** What a patron has chosen for this page: one frozen value, and a small store that keeps it in this browser. */

import { EVERY_MINUTES } from '../protection/reality';

export type Quality = 'auto' | 'high' | 'medium' | 'low' | 'flat';
export type Motion = 'system' | 'reduced' | 'full';

export interface Volumes {
  /** Each from 0 to 1. */
  readonly effects: number;
  readonly voice: number;
  readonly room: number;
}

export interface Settings {
  /** `flat`: the 2D table even where 3D could be had. */
  readonly quality: Quality;
  readonly cameraMoves: boolean;
  readonly motion: Motion;
  readonly captions: boolean;
  readonly largeCards: boolean;
  /** Marks that tell blue from red by shape too. */
  readonly shapes: boolean;
  /** null: the table's own. */
  readonly felt: string | null;
  /** A language tag, such as `en`. */
  readonly language: string;
  readonly fastPlay: boolean;
  readonly rebetAndDeal: boolean;
  readonly volumes: Volumes;
  readonly muted: boolean;
  /** How long this sitting lasts and what came of it, in view. */
  readonly sessionClock: boolean;
  /** Say so every so many minutes; 0: not at all. */
  readonly realityCheckMinutes: number;
}

export const DEFAULTS: Settings = Object.freeze({
  quality: 'auto',
  cameraMoves: true,
  motion: 'system',
  captions: true,
  largeCards: false,
  shapes: false,
  felt: null,
  language: 'en',
  fastPlay: false,
  rebetAndDeal: true,
  volumes: Object.freeze({ effects: 0.65, voice: 0.8, room: 0.25 }),
  muted: false,
  sessionClock: true,
  realityCheckMinutes: 60,
});

const QUALITIES: readonly Quality[] = ['auto', 'high', 'medium', 'low', 'flat'];
const MOTIONS: readonly Motion[] = ['system', 'reduced', 'full'];

type Unknown = Readonly<Record<string, unknown>>;
const record = (value: unknown): Unknown => (typeof value === 'object' && value !== null ? (value as Unknown) : {});

/** Settings from anything: what is missing or makes no sense is as it was in `otherwise`. */
export function settingsOf(value: unknown, otherwise: Settings = DEFAULTS): Settings {
  const from = record(value);
  const volumes = record(from['volumes']);
  const flag = (name: keyof Settings & string): boolean =>
    typeof from[name] === 'boolean' ? from[name] : (otherwise[name] as boolean);
  const share = (name: keyof Volumes): number => {
    const given = volumes[name];
    return typeof given === 'number' && given >= 0 && given <= 1 ? given : otherwise.volumes[name];
  };
  const one = <Word extends string>(name: string, words: readonly Word[], old: Word): Word =>
    words.find((word) => word === from[name]) ?? old;
  const felt = from['felt'];
  const language = from['language'];
  return Object.freeze({
    quality: one('quality', QUALITIES, otherwise.quality),
    cameraMoves: flag('cameraMoves'),
    motion: one('motion', MOTIONS, otherwise.motion),
    captions: flag('captions'),
    largeCards: flag('largeCards'),
    shapes: flag('shapes'),
    felt: felt === null || typeof felt === 'string' ? felt : otherwise.felt,
    language: typeof language === 'string' && language !== '' ? language : otherwise.language,
    fastPlay: flag('fastPlay'),
    rebetAndDeal: flag('rebetAndDeal'),
    volumes: Object.freeze({ effects: share('effects'), voice: share('voice'), room: share('room') }),
    muted: flag('muted'),
    sessionClock: flag('sessionClock'),
    realityCheckMinutes: EVERY_MINUTES.find((one) => one === from['realityCheckMinutes']) ?? otherwise.realityCheckMinutes,
  });
}

/** Settings with the moment of the patron's last change, in UTC milliseconds; 0 when nothing was ever changed. */
export interface Kept {
  readonly settings: Settings;
  readonly changedUtcMs: number;
}

export interface SettingsStore {
  readonly value: Settings;
  readonly changedUtcMs: number;
  /** Change some of them; kept at once, and told to everybody who subscribed. */
  set(change: Partial<Settings>): void;
  reset(): void;
  /** Take settings from elsewhere (another tab, the house), if they are newer. Answers whether they were taken. */
  adopt(kept: Kept): boolean;
  /** Calls back with every new value from now on; answers how to stop it. */
  subscribe(listener: (value: Settings) => void): () => void;
}

export const STORAGE_KEY = 'bigroad.settings';

/** The part of `Storage` that is needed; absent where the browser forbids it. */
export type Keeper = Pick<Storage, 'getItem' | 'setItem'>;

export function settingsStore(keeper: Keeper | null, now: () => number = () => Date.now()): SettingsStore {
  let kept = read(keeper);
  const listeners = new Set<(value: Settings) => void>();
  const take = (next: Kept): void => {
    kept = next;
    for (const listener of [...listeners]) listener(kept.settings);
  };
  const change = (settings: Settings): void => {
    const next = { settings, changedUtcMs: Math.max(now(), kept.changedUtcMs + 1) };
    write(keeper, next);
    take(next);
  };
  return {
    get value() {
      return kept.settings;
    },
    get changedUtcMs() {
      return kept.changedUtcMs;
    },
    set: (part) => change(settingsOf({ ...kept.settings, ...part }, kept.settings)),
    reset: () => change(DEFAULTS),
    adopt: (other) => {
      if (other.changedUtcMs <= kept.changedUtcMs) return false;
      write(keeper, other);
      take(other);
      return true;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What the text of the storage means; the defaults, never changed, when it means nothing. */
export function keptOf(text: string | null): Kept {
  try {
    const value = record(JSON.parse(text ?? 'null'));
    const changedUtcMs = value['changedUtcMs'];
    return { settings: settingsOf(value), changedUtcMs: typeof changedUtcMs === 'number' ? changedUtcMs : 0 };
  } catch {
    return { settings: DEFAULTS, changedUtcMs: 0 };
  }
}

function read(keeper: Keeper | null): Kept {
  try {
    return keptOf(keeper?.getItem(STORAGE_KEY) ?? null);
  } catch {
    return keptOf(null);
  }
}

function write(keeper: Keeper | null, kept: Kept): void {
  try {
    keeper?.setItem(STORAGE_KEY, JSON.stringify({ ...kept.settings, changedUtcMs: kept.changedUtcMs }));
  } catch {
    // A full or forbidden storage costs the patron a preference, no more.
  }
}
