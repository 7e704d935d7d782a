/** The mixing desk: where every sound is placed, coloured by the room, and turned up or down. */

import { type Effect, Tracks } from './catalogue';
import { between, random } from './dsp';
import { MURMUR_RATE } from './recipes/room';

/** Gains of the three sliders and of the whole, each 0 … 1. */
export interface Levels {
  readonly effects: number;
  readonly room: number;
}

export interface Placed {
  /** On the clock of the audio context. */
  readonly when: number;
  readonly gain: number;
  /** −1 left … 1 right, at the start and at the end. */
  readonly pan: readonly [from: number, to: number];
}

/** How the position of a slider is heard: even steps to the ear. */
const loudness = (position: number): number => position ** 1.7;
const EFFECTS_FULL = 1.5;
const ROOM_FULL = 0.42;
const HALL_SECONDS = 0.5;
/** As loud as this beside what it echoes. */
const HALL_GAIN = 0.2;
/** 6 dB under the voice. */
const DUCKED = 0.5;
const SMOOTH = 0.03;
const TAKES = 4;

export class Desk {
  private readonly effects: GainNode;
  private readonly room: GainNode;
  private readonly duckable: GainNode;
  private readonly master: GainNode;
  private readonly tracks: Tracks;
  private take = 0;

  constructor(readonly context: BaseAudioContext) {
    const limiter = context.createDynamicsCompressor();
    limiter.threshold.value = -9;
    limiter.knee.value = 6;
    limiter.ratio.value = 12;
    limiter.attack.value = 0.002;
    limiter.release.value = 0.15;
    limiter.connect(context.destination);
    const gain = (value: number, to: AudioNode): GainNode => {
      const node = context.createGain();
      node.gain.value = value;
      node.connect(to);
      return node;
    };
    this.master = gain(1, limiter);
    this.effects = gain(0, this.master);
    this.duckable = gain(1, this.master);
    this.room = gain(0, this.duckable);
    const hall = context.createConvolver();
    hall.normalize = false;
    hall.buffer = hallOf(context);
    hall.connect(gain(HALL_GAIN, this.master));
    this.effects.connect(hall);
    this.tracks = new Tracks(context);
  }

  /** At once, without a click. */
  set({ effects, room }: Levels): void {
    this.glide(this.effects.gain, loudness(effects) * EFFECTS_FULL, SMOOTH);
    this.glide(this.room.gain, loudness(room) * ROOM_FULL, SMOOTH);
  }

  /** The room steps back while somebody speaks. */
  duck(on: boolean): void {
    this.glide(this.duckable.gain, on ? DUCKED : 1, on ? 0.06 : 0.35);
  }

  /** Make an effect at its moment; answers how to take it back. Part of the room, or of the table. */
  play(effect: Effect, { when, gain, pan }: Placed, inRoom = false): () => void {
    const { context } = this;
    const source = context.createBufferSource();
    this.take = (this.take + 1) % TAKES;
    source.buffer = this.tracks.get(effect, this.take);
    const level = context.createGain();
    level.gain.value = gain;
    const place = context.createStereoPanner();
    const from = Math.max(when, context.currentTime);
    place.pan.value = pan[0];
    if (pan[0] !== pan[1]) {
      place.pan.setValueAtTime(pan[0], from);
      place.pan.linearRampToValueAtTime(pan[1], from + source.buffer.duration);
    }
    source.connect(level).connect(place).connect(inRoom ? this.room : this.effects);
    source.onended = () => place.disconnect();
    source.start(from);
    return () => {
      source.onended = null;
      source.stop();
      place.disconnect();
    };
  }

  /** Let people talk from now on: one loop, heard twice, apart in time and place, so that it does not seem to repeat. */
  murmur(samples: Float32Array<ArrayBuffer>): void {
    const { context } = this;
    const buffer = context.createBuffer(1, samples.length, MURMUR_RATE);
    buffer.copyToChannel(samples, 0);
    const fade = context.createGain();
    fade.gain.setValueAtTime(0, context.currentTime);
    fade.gain.linearRampToValueAtTime(1, context.currentTime + 4);
    fade.connect(this.room);
    for (const [side, speed, start] of [[-0.75, 0.97, 0], [0.75, 1.04, 0.47]] as const) {
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.loop = true;
      source.playbackRate.value = speed;
      const place = context.createStereoPanner();
      place.pan.value = side;
      source.connect(place).connect(fade);
      source.start(0, buffer.duration * start);
    }
  }

  private glide(param: AudioParam, value: number, seconds: number): void {
    param.cancelScheduledValues(0);
    param.setTargetAtTime(value, this.context.currentTime, seconds);
  }
}

/** The echo of a small carpeted room: noise that dies away, its high tones first; each ear another. */
function hallOf(context: BaseAudioContext): AudioBuffer {
  const { sampleRate } = context;
  const length = Math.round(HALL_SECONDS * sampleRate);
  const buffer = context.createBuffer(2, length, sampleRate);
  for (const channel of [0, 1]) {
    const next = random(11 + channel);
    const samples = new Float32Array(length);
    let energy = 0;
    for (let i = 0, low = 0; i < length; i++) {
      const t = i / sampleRate;
      const dull = Math.exp(-t * 9) * 0.5 + 0.06;
      low += (between(next, -1, 1) - low) * dull;
      samples[i] = t < 0.004 ? 0 : low * Math.exp(-t / 0.085);
      energy += samples[i]! ** 2;
    }
    buffer.copyToChannel(samples.map((sample) => sample / Math.sqrt(energy)), channel);
  }
  return buffer;
}
