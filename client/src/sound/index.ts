/** Everything heard. Made by code; nothing is fetched, and nothing sounds before the patron's first gesture. */

import { language, tell } from '../i18n';
import type { View } from '../model';
import { spoken } from '../model/calls';
import type { Settings, SettingsStore } from '../settings/settings';
import type { Effect } from './catalogue';
import { chipNoise, type Cue, cues, netMinor } from './cues';
import { type Device, browserDevice } from './device';
import { Room } from './room';
import { AWAY_MS, Scheduler } from './scheduler';
import { UsualStake } from './usual';
import { Voice } from './voice';

export interface Sound {
  /** Call on every refresh, also when nothing has changed; finds out by itself what is to be heard now. */
  hear(view: View, nowUtcMs: number): void;
  /** Something under the patron's finger. */
  press(kind: 'chip' | 'button' | 'refused'): void;
  /** Call from within a gesture of the patron (any of them; again and again is fine): browsers allow no sound before. */
  unlock(): void;
  /** The table was left: nothing more of it, until the next one is heard. */
  rest(): void;
  dispose(): void;
}

interface Call {
  readonly id: string;
  readonly atUtcMs: number;
  readonly view: View;
}

/** A chip is heard when it lands: so long it travels in the scene. */
const CHIP_LANDS_MS = 120;
/** Others' chips come in crowds; they are heard one by one. */
const OTHERS_EVERY_MS = 260;
/** One refusal is one sound, whoever tells of it first. */
const REFUSED_EVERY_MS = 300;
/** A call is noticed when the view changes, and a little later it is still news. */
const CALL_LATE_MS = 1_200;
/** Asked more often than this, nothing new can have come. */
const OFTEN_MS = 25;
const MIDDLE = [0, 0] as const;
const SILENT = { effects: 0, room: 0 } as const;
/** After a reconnection the patron's chips come back with the state, which is no news. */
const SETTLING_MS = 1_000;

export function createSound(settings: Pick<SettingsStore, 'value' | 'subscribe'>, device: Device = browserDevice()): Sound {
  let unlocked = false;
  let atTable = false;
  let before: { view: View; utcMs: number } | null = null;
  let known: { view: View; cues: readonly Cue[]; call: readonly Call[] } | null = null;
  let othersUtcMs = 0;
  /** Since when the link stands while the page looks. */
  let settledUtcMs: number | null = null;
  let refusedMs = Number.NEGATIVE_INFINITY;
  const usual = new UsualStake();
  const ear = device.ear;
  const room = new Room(ear, device.later);
  const voice = new Voice(device.synth, device.utter, (on) => ear.duck(on), device.nowMs);

  const audible = (): boolean => unlocked && !settings.value.muted && !device.hidden();
  const effects = new Scheduler<Cue>((cue, inMs) => ear.play(cue.effect, inMs, cue.gain, cue.pan));
  const calls = new Scheduler<Call>(({ view }) => {
    const text = tell(spoken(view.call));
    if (text !== '') voice.say({ text, language: language().speech, dealer: view.game?.dealer === 'male' ? 'male' : 'female', volume: settings.value.volumes.voice });
    return () => undefined;
  }, CALL_LATE_MS);

  /** Follow the settings and the page: sound on or off, as loud as wished. */
  function tune({ volumes }: Settings): void {
    const on = audible();
    ear.set(on ? { effects: volumes.effects, room: atTable ? volumes.room : 0 } : SILENT);
    if (!on || !atTable || volumes.voice === 0) voice.cancel();
    if (!on || !atTable) effects.cancel();
    if (on) ear.wake();
    else ear.sleep();
  }

  function chips(view: View, nowUtcMs: number): void {
    if (before === null || before.view === view || settledUtcMs === null || nowUtcMs - settledUtcMs < SETTLING_MS) return;
    for (const { effect, gain, pan } of chipNoise(before.view, view)) {
      if (gain < 1) {
        if (nowUtcMs - othersUtcMs < OTHERS_EVERY_MS) continue;
        othersUtcMs = nowUtcMs;
      }
      ear.play(effect, effect.name === 'lift' ? 0 : CHIP_LANDS_MS, gain, [pan, pan]);
    }
    const { notice } = view;
    if (notice !== null && notice.id !== before.view.notice?.id) sound.press('refused');
  }

  const stopListening = [settings.subscribe(tune), device.onHidden(() => tune(settings.value))];

  const sound: Sound = {
    hear(view, nowUtcMs) {
      if (before?.view === view && Math.abs(nowUtcMs - before.utcMs) < OFTEN_MS) return;
      if (!atTable) {
        atTable = true;
        tune(settings.value);
      }
      if (known?.view !== view) {
        const { coup, bet, stakeMinor, callUtcMs } = view;
        if (bet.face === 'placed') usual.note(coup, stakeMinor);
        const call = view.call.length === 0 ? [] : [{ id: `call ${callUtcMs}`, atUtcMs: callUtcMs, view }];
        known = { view, cues: cues(view, netMinor(view) > 0 ? usual.gain(stakeMinor) : 0), call };
      }
      const on = audible();
      const awake = on && ear.awake();
      const away = before === null || nowUtcMs - before.utcMs > AWAY_MS;
      if (away || view.link !== 'online') settledUtcMs = null;
      else settledUtcMs ??= nowUtcMs;
      effects.hear(known.cues, nowUtcMs, awake);
      calls.hear(known.call, nowUtcMs, on && settings.value.volumes.voice > 0);
      if (awake) {
        chips(view, nowUtcMs);
        if (settings.value.volumes.room > 0) room.live(nowUtcMs);
      }
      before = { view, utcMs: nowUtcMs };
    },
    press(kind) {
      if (!audible() || !ear.awake()) return;
      if (kind === 'refused') {
        if (device.nowMs() - refusedMs < REFUSED_EVERY_MS) return;
        refusedMs = device.nowMs();
      }
      const effect: Effect = { name: kind === 'chip' ? 'lift' : kind };
      ear.play(effect, 0, 1, MIDDLE);
    },
    unlock() {
      unlocked = true;
      tune(settings.value);
      if (audible() && settings.value.volumes.voice > 0) voice.unlock(language().speech, 'female');
    },
    rest() {
      atTable = false;
      [before, known, settledUtcMs] = [null, null, null];
      tune(settings.value);
    },
    dispose() {
      for (const stop of stopListening) stop();
      voice.cancel();
      effects.cancel();
      ear.close();
    },
  };
  return sound;
}


export { listenToFingers } from './fingers';
