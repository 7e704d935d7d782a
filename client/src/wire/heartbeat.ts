/**
 * Pings over one open socket: a quick series at the start and after waking, then a few every 20 s for the clock, and
 * one whenever the line has been silent, so that a dead socket is noticed within seconds.
 */

import type { ServerClock } from './clock';
import type { Ping, Pong } from './generated';
import { requestId } from './ids';

const SERIES = 5;
const SERIES_GAP_MS = 150;
const AGAIN_MS = 20_000;
const AGAIN_SERIES = 3;
const SILENCE_MS = 4_000;
const ANSWER_MS = 3_000;
const LOOK_MS = 500;

type Timer = ReturnType<typeof setTimeout>;

export interface HeartbeatPorts {
  send(ping: Ping): void;
  /** Nothing has come back for too long. */
  dead(): void;
  /** The last round trip, in milliseconds. */
  latency(ms: number): void;
  now(): number;
}

export class Heartbeat {
  private readonly sent = new Map<string, number>();
  private readonly prefix = requestId();
  private count = 0;
  private heardMs: number;
  private askedMs: number | null = null;
  private seriesMs: number;
  private readonly look: ReturnType<typeof setInterval>;
  private readonly shots = new Set<Timer>();

  constructor(
    private readonly clock: ServerClock,
    private readonly ports: HeartbeatPorts,
  ) {
    this.heardMs = this.seriesMs = ports.now();
    this.look = setInterval(() => this.watch(), LOOK_MS);
    this.series(SERIES);
  }

  /** Anything came in: the line lives. */
  heard(): void {
    this.heardMs = this.ports.now();
    this.askedMs = null;
  }

  pong(pong: Pong): void {
    const sentMs = this.sent.get(pong.request_id);
    if (sentMs === undefined) return;
    this.sent.delete(pong.request_id);
    this.clock.sample(sentMs, pong.server_utc_ms);
    this.ports.latency(this.ports.now() - sentMs);
  }

  /** The page woke up: measure anew, and find out at once whether the line still lives. */
  wake(): void {
    this.series(SERIES);
  }

  stop(): void {
    clearInterval(this.look);
    for (const shot of this.shots) clearTimeout(shot);
    this.shots.clear();
  }

  private watch(): void {
    const now = this.ports.now();
    if (this.askedMs !== null && now - this.askedMs > ANSWER_MS) {
      this.ports.dead();
    } else if (now - this.seriesMs > AGAIN_MS) {
      this.series(AGAIN_SERIES);
    } else if (this.askedMs === null && now - this.heardMs > SILENCE_MS) {
      this.ping();
    }
  }

  private series(length: number): void {
    this.seriesMs = this.ports.now();
    this.ping();
    for (let i = 1; i < length; i++) {
      const shot = setTimeout(() => {
        this.shots.delete(shot);
        this.ping();
      }, i * SERIES_GAP_MS);
      this.shots.add(shot);
    }
  }

  private ping(): void {
    const now = this.ports.now();
    this.askedMs ??= now;
    for (const [id, sentMs] of this.sent) if (now - sentMs > AGAIN_MS) this.sent.delete(id);
    const request_id = `p${this.prefix}${this.count++}`;
    this.sent.set(request_id, now);
    this.ports.send({ type: 'ping', request_id, client_ms: Math.round(now) });
  }
}
