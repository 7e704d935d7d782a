/** The audio context of the page, and its moods: none to be had, asleep, interrupted by a call, awake. */

import type { Effect } from './catalogue';
import { Desk, type Levels } from './desk';

export interface Ear {
  /** Can something be heard right now? */
  awake(): boolean;
  /** Try to be; from within a gesture of the patron it mostly succeeds. */
  wake(): void;
  sleep(): void;
  set(levels: Levels): void;
  duck(on: boolean): void;
  /** Make a sound so many milliseconds from now; answers how to take it back. */
  play(effect: Effect, inMs: number, gain: number, pan: readonly [number, number], inRoom?: boolean): () => void;
  murmur(samples: Float32Array<ArrayBuffer>): void;
  close(): void;
}

const LONGEST_LATENCY_S = 0.25;
const SILENT_AFTER_MS = 250;
const NOTHING = (): void => undefined;

/** `make` opens an audio context, or answers null where there is none. */
export class BrowserEar implements Ear {
  private context: AudioContext | null = null;
  private desk: Desk | null = null;
  private failed = false;
  private wanted = false;
  private levels: Levels = { effects: 0, room: 0 };

  constructor(private readonly make: () => AudioContext | null) {}

  awake(): boolean {
    return this.context?.state === 'running';
  }

  wake(): void {
    this.wanted = true;
    this.context ??= this.open();
    if (this.context !== null && this.context.state !== 'running') this.context.resume().catch(NOTHING);
  }

  /** After what still sounds has died away. */
  sleep(): void {
    this.wanted = false;
    setTimeout(() => {
      if (!this.wanted && this.awake()) this.context?.suspend().catch(NOTHING);
    }, SILENT_AFTER_MS);
  }

  set(levels: Levels): void {
    this.levels = levels;
    this.desk?.set(levels);
  }

  duck(on: boolean): void {
    this.desk?.duck(on);
  }

  play(effect: Effect, inMs: number, gain: number, pan: readonly [number, number], inRoom = false): () => void {
    const { context, desk } = this;
    if (context === null || desk === null || !this.awake()) return NOTHING;
    const latency = Math.min(LONGEST_LATENCY_S, context.outputLatency || context.baseLatency || 0);
    const when = context.currentTime + Math.max(0, inMs / 1000 - latency);
    return desk.play(effect, { when, gain, pan }, inRoom);
  }

  murmur(samples: Float32Array<ArrayBuffer>): void {
    this.desk?.murmur(samples);
  }

  close(): void {
    this.context?.close().catch(NOTHING);
    this.context = this.desk = null;
    this.failed = true;
  }

  private open(): AudioContext | null {
    if (this.failed) return null;
    try {
      const context = this.make();
      if (context !== null) {
        this.desk = new Desk(context);
        this.desk.set(this.levels);
        // A phone call, another app: come back when it is over.
        context.addEventListener('statechange', () => {
          if (this.wanted && context.state !== 'running' && context.state !== 'closed') context.resume().catch(NOTHING);
        });
        return context;
      }
    } catch (error) {
      console.warn('There is no sound to be had here.', error);
    }
    this.failed = true;
    return null;
  }
}
