import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './backoff';
import { ServerClock } from './clock';

const SERVER = 1_700_000_000_000;

/** A machine whose monotonic clock started some time ago, and a server far away on either leg. */
function world() {
  let realMs = 0;
  let lostMs = 0;
  const local = (): number => 5_000 + realMs - lostMs;
  const clock = new ServerClock(local);
  return {
    clock,
    wait: (ms: number) => (realMs += ms),
    /** The machine sleeps: real time goes on, its clock does not. */
    sleep: (ms: number) => ((realMs += ms), (lostMs += ms)),
    ping: (thereMs: number, backMs: number) => {
      const sent = local();
      realMs += thereMs;
      const answer = SERVER + realMs;
      realMs += backMs;
      clock.sample(sent, answer);
    },
    errorMs: () => Math.abs(clock.nowUtcMs() - (SERVER + realMs)),
  };
}

describe('ServerClock', () => {
  it('is exact on a symmetric line', () => {
    const it = world();
    it.ping(40, 40);
    expect(it.errorMs()).toBeLessThan(0.001);
  });

  it('believes the shortest round trip', () => {
    const it = world();
    it.ping(500, 20);
    it.ping(12, 8);
    it.ping(10, 400);
    expect(it.errorMs()).toBeLessThanOrEqual(2);
    expect(it.clock.errorMs).toBe(10);
  });

  it('stays within half the shortest trip on any line', () => {
    const it = world();
    for (let i = 0; i < 40; i++) {
      it.ping(20 + ((i * 37) % 180), 20 + ((i * 91) % 140));
      it.wait(500);
      expect(it.errorMs()).toBeLessThanOrEqual(it.clock.errorMs + 0.001);
    }
    expect(it.errorMs()).toBeLessThan(100);
  });

  it('notices that the machine slept, even on a slower line', () => {
    const it = world();
    it.ping(5, 5);
    it.sleep(300_000);
    expect(it.errorMs()).toBeGreaterThan(299_000);
    it.ping(60, 40);
    expect(it.errorMs()).toBeLessThanOrEqual(50);
  });

  it('forgets old trips, so that drift is followed', () => {
    const it = world();
    it.ping(5, 5);
    it.wait(120_000);
    it.ping(30, 30);
    expect(it.clock.errorMs).toBe(30);
  });
});

describe('retryDelayMs', () => {
  it('tries again at once, then ever later, never in step', () => {
    expect(retryDelayMs(0, () => 0.999)).toBeLessThanOrEqual(300);
    const [low, high] = [(n: number) => retryDelayMs(n, () => 0), (n: number) => retryDelayMs(n, () => 0.999)];
    expect([low(1), low(2), low(3)]).toEqual([500, 1_000, 2_000]);
    expect(high(2)).toBeGreaterThan(low(2) * 1.9);
    expect(high(30)).toBeLessThanOrEqual(10_000);
  });
});
