/** Every effect by name, with what it takes. */

import { clear, shoe, slide, sweep, turn } from './recipes/cards';
import { chip, collect, lift, pay, type Pitch } from './recipes/chips';
import { clink } from './recipes/room';
import { bell, button, refused, tap, win } from './recipes/signals';

export type { Pitch };

/** A sound to be made: its name and what its recipe takes. */
export type Effect =
  | { readonly name: 'bell' | 'button' | 'clink' | 'lift' | 'refused' | 'shoe' | 'tap' | 'win' }
  | { readonly name: 'chip'; readonly pitch: Pitch }
  | { readonly name: 'slide'; readonly seconds: number; readonly handed: boolean }
  | { readonly name: 'sweep' | 'turn' | 'collect'; readonly seconds: number }
  | { readonly name: 'pay'; readonly seconds: number; readonly pieces: number }
  | { readonly name: 'clear'; readonly seconds: number; readonly cards: number };

export type EffectName = Effect['name'];

/** The track of an effect; `take` chooses between takes that differ as two real ones do. */
export function render(effect: Effect, rate: number, take: number): Float32Array<ArrayBuffer> {
  const seed = take * 7_919 + effect.name.length * 131 + effect.name.charCodeAt(0);
  switch (effect.name) {
    case 'bell':
      return bell(rate, seed, effect);
    case 'button':
      return button(rate, seed, effect);
    case 'chip':
      return chip(rate, seed, effect);
    case 'clear':
      return clear(rate, seed, effect);
    case 'clink':
      return clink(rate, seed, effect);
    case 'collect':
      return collect(rate, seed, effect);
    case 'lift':
      return lift(rate, seed, effect);
    case 'pay':
      return pay(rate, seed, effect);
    case 'refused':
      return refused(rate, seed, effect);
    case 'shoe':
      return shoe(rate, seed, effect);
    case 'slide':
      return slide(rate, seed, effect);
    case 'sweep':
      return sweep(rate, seed, effect);
    case 'tap':
      return tap(rate, seed, effect);
    case 'turn':
      return turn(rate, seed, effect);
    case 'win':
      return win(rate, seed, effect);
  }
}

/** A few megabytes; deal paces and hand sizes make some variants of most. */
const KEPT = 64;
/** Long, and always the same bell, bar and box: one take does. */
const ONCE: ReadonlySet<string> = new Set<EffectName>(['bell', 'win', 'shoe']);

/** Tracks, made once and kept: the same effect is asked for again and again. */
export class Tracks {
  private readonly made = new Map<string, AudioBuffer>();

  constructor(private readonly context: BaseAudioContext) {}

  get(effect: Effect, wanted: number): AudioBuffer {
    const take = ONCE.has(effect.name) ? 0 : wanted;
    const key = `${JSON.stringify(effect)} ${take}`;
    let buffer = this.made.get(key);
    if (buffer === undefined) {
      const { sampleRate } = this.context;
      const samples = render(effect, sampleRate, take);
      buffer = this.context.createBuffer(1, samples.length, sampleRate);
      buffer.copyToChannel(samples, 0);
      if (this.made.size >= KEPT) this.made.delete(this.made.keys().next().value!);
      this.made.set(key, buffer);
    }
    return buffer;
  }
}

