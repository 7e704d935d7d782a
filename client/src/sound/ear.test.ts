import { describe, expect, it, vi } from 'vitest';
import { BrowserEar } from './ear';

/** A gain, a pan, a rate: remembers what it was told last. */
class Param {
  value = 0;
  cancelScheduledValues(): void {}
  setTargetAtTime(value: number): void {
    this.value = value;
  }
  setValueAtTime(value: number): void {
    this.value = value;
  }
  linearRampToValueAtTime(value: number): void {
    this.value = value;
  }
}

/** As much of an audio context as a desk plugs together; `started` and `stopped` say what its sources did. */
class Context extends EventTarget {
  state = 'suspended';
  currentTime = 5;
  outputLatency = 0.03;
  sampleRate = 8_000;
  destination = {};
  started: number[] = [];
  stopped = 0;
  resumed = 0;
  gains: { gain: Param }[] = [];

  private readonly node = () => ({ connect: (to: unknown) => to, disconnect: () => undefined });
  createGain() {
    const node = { ...this.node(), gain: new Param() };
    this.gains.push(node);
    return node;
  }
  createDynamicsCompressor() {
    return { ...this.node(), threshold: new Param(), knee: new Param(), ratio: new Param(), attack: new Param(), release: new Param() };
  }
  createConvolver() {
    return { ...this.node(), normalize: true, buffer: null };
  }
  createStereoPanner() {
    return { ...this.node(), pan: new Param() };
  }
  createBuffer(_: number, length: number, rate: number) {
    return { duration: length / rate, copyToChannel: () => undefined };
  }
  createBufferSource() {
    return { ...this.node(), playbackRate: new Param(), start: (when: number) => void this.started.push(when), stop: () => void this.stopped++ };
  }
  resume(): Promise<void> {
    this.resumed++;
    return Promise.resolve();
  }
  suspend(): Promise<void> {
    return this.become('suspended');
  }
  close(): Promise<void> {
    return this.become('closed');
  }
  become(state: string): Promise<void> {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
    return Promise.resolve();
  }
}

const awake = async (): Promise<[BrowserEar, Context]> => {
  const context = new Context();
  const ear = new BrowserEar(() => context as unknown as AudioContext);
  ear.wake();
  await context.become('running');
  return [ear, context];
};

describe('the ear', () => {
  it('opens nothing until it is woken, and one context however often', () => {
    const make = vi.fn(() => new Context() as unknown as AudioContext);
    const ear = new BrowserEar(make);
    expect([ear.awake(), make.mock.calls.length]).toEqual([false, 0]);
    ear.wake();
    ear.wake();
    expect(make.mock.calls.length).toBe(1);
  });

  it('places a sound on the clock of the context, ahead by what the way to the ear takes', async () => {
    const [ear, context] = await awake();
    ear.play({ name: 'tap' }, 150, 1, [0, 0]);
    ear.play({ name: 'tap' }, 0, 1, [0, 0]);
    expect(context.started.map((when) => Math.round(when * 1000))).toEqual([5_120, 5_000]);
  });

  it('what is taken back is stopped', async () => {
    const [ear, context] = await awake();
    ear.play({ name: 'tap' }, 150, 1, [0, 0])();
    expect(context.stopped).toBe(1);
  });

  it('keeps nothing for later while it sleeps', async () => {
    const [ear, context] = await awake();
    await context.become('suspended');
    ear.play({ name: 'tap' }, 0, 1, [0, 0]);
    await context.become('running');
    expect(context.started).toEqual([]);
  });

  it('comes back from an interruption, and stays asleep when it is meant to', async () => {
    const [ear, context] = await awake();
    const before = context.resumed;
    await context.become('interrupted');
    expect(context.resumed).toBe(before + 1);
    await context.become('running');
    vi.useFakeTimers();
    ear.sleep();
    vi.runAllTimers();
    vi.useRealTimers();
    expect([context.state, context.resumed]).toEqual(['suspended', before + 1]);
  });

  it('ducks the room by 6 dB and nothing else', async () => {
    const [ear, context] = await awake();
    ear.set({ effects: 1, room: 1 });
    const before = context.gains.map(({ gain }) => gain.value);
    ear.duck(true);
    const changed = context.gains.map(({ gain }, i) => gain.value / before[i]!).filter((ratio) => ratio !== 1);
    expect(changed.map((ratio) => Math.round(20 * Math.log10(ratio)))).toEqual([-6]);
  });

  it('a slider at nothing is nothing, and half of it is not half the power', async () => {
    const [ear, context] = await awake();
    const loudest = (effects: number): number => {
      ear.set({ effects, room: 0 });
      return context.gains[1]!.gain.value;
    };
    expect(loudest(0)).toBe(0);
    expect(loudest(0.5) / loudest(1)).toBeCloseTo(0.31, 1);
  });

  it.each([
    ['no context', () => null],
    [
      'a context that cannot be made',
      () => {
        throw new Error('too many');
      },
    ],
  ])('%s is silence, asked for once', (_, make) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const asked = vi.fn(make);
    const ear = new BrowserEar(asked);
    ear.wake();
    ear.wake();
    ear.set({ effects: 1, room: 1 });
    ear.play({ name: 'tap' }, 0, 1, [0, 0])();
    ear.close();
    expect([ear.awake(), asked.mock.calls.length]).toEqual([false, 1]);
    warned.mockRestore();
  });
});
