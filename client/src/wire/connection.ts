/**
 * One table's socket, kept open: session first, then a ticket, then `/ws/{table}` with it; when it breaks, again with a
 * new ticket, resumed where it broke.
 *
 * The connection knows nothing of the game. It asks `resumePoint` where to go on (null: from a snapshot), hands every
 * event to `event`, and says how it stands.
 */

import { retryDelayMs } from './backoff';
import type { ServerClock } from './clock';
import { type ClientMessage, type ServerEvent, SUBPROTOCOL, TICKET_PREFIX, unpacked } from './events';
import type { ServerEvent as WireServerEvent } from './generated';
import { Heartbeat } from './heartbeat';

export type LinkStatus = 'connecting' | 'online' | 'reconnecting' | 'ended';

export interface ResumePoint {
  readonly epoch: number;
  readonly seq: number;
}

export interface ConnectionPorts {
  /** The socket's address without the resume point, such as `wss://host/ws/emerald`. */
  url: string;
  /** Makes sure that there is a session cookie. Rejects when there is none to be had now. */
  session(): Promise<void>;
  /** A ticket for one socket. Rejects when there is none to be had now. */
  ticket(): Promise<string>;
  resumePoint(): ResumePoint | null;
  event(event: ServerEvent): void;
  status(status: LinkStatus, latencyMs: number | null): void;
  openSocket?(url: string, protocols: string[]): WebSocket;
  now?(): number;
}

const OPENING_MS = 8_000;

export class Connection {
  private socket: WebSocket | null = null;
  private heart: Heartbeat | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempt = 0;
  private stopped = false;
  private starting = false;
  private greeted = false;
  private readonly wake = (): void => this.onWake();

  constructor(
    private readonly ports: ConnectionPorts,
    private readonly clock: ServerClock,
  ) {}

  start(): void {
    document.addEventListener('visibilitychange', this.wake);
    window.addEventListener('online', this.wake);
    window.addEventListener('pageshow', this.wake);
    this.ports.status('connecting', null);
    void this.open();
  }

  stop(): void {
    this.stopped = true;
    document.removeEventListener('visibilitychange', this.wake);
    window.removeEventListener('online', this.wake);
    window.removeEventListener('pageshow', this.wake);
    if (this.timer !== null) clearTimeout(this.timer);
    this.drop();
  }

  /** Sends at once, or answers false: the line is down. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Something is missing: start over where `resumePoint` says. */
  resync(): void {
    this.drop();
    this.retry();
  }

  private onWake(): void {
    if (this.stopped || document.visibilityState === 'hidden') return;
    if (this.socket?.readyState === WebSocket.OPEN) this.heart?.wake();
    else if (!this.starting && this.socket === null) this.openNow();
  }

  private openNow(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    void this.open();
  }

  private async open(): Promise<void> {
    if (this.stopped || this.starting || this.socket !== null) return;
    this.starting = true;
    let ticket: string;
    try {
      if (!this.greeted) await this.ports.session();
      this.greeted = true;
      ticket = await this.ports.ticket();
    } catch {
      this.starting = false;
      this.retry();
      return;
    }
    this.starting = false;
    if (!this.stopped) this.attach(this.makeSocket([SUBPROTOCOL, TICKET_PREFIX + ticket]));
  }

  private makeSocket(protocols: string[]): WebSocket {
    const point = this.ports.resumePoint();
    const url = point === null ? this.ports.url : `${this.ports.url}?epoch=${point.epoch}&seq=${point.seq}`;
    return this.ports.openSocket?.(url, protocols) ?? new WebSocket(url, protocols);
  }

  private attach(socket: WebSocket): void {
    this.socket = socket;
    const tooLong = setTimeout(() => this.lost(socket), OPENING_MS);
    socket.onopen = () => {
      clearTimeout(tooLong);
      if (socket !== this.socket) return;
      this.heart = new Heartbeat(this.clock, {
        send: (ping) => this.send(ping),
        dead: () => this.lost(socket),
        latency: (ms) => this.ports.status('online', ms),
        now: this.ports.now ?? (() => performance.now()),
      });
    };
    socket.onmessage = (message: MessageEvent<unknown>) => {
      if (socket === this.socket && typeof message.data === 'string') this.receive(message.data);
    };
    socket.onclose = () => {
      clearTimeout(tooLong);
      this.lost(socket);
    };
  }

  private receive(text: string): void {
    this.heart?.heard();
    const event = unpacked(JSON.parse(text) as WireServerEvent);
    if (event.type === 'pong') {
      this.heart?.pong(event);
      return;
    }
    if (event.type === 'welcome') {
      this.attempt = 0;
      this.ports.status('online', null);
    }
    if (event.type === 'session' && event.reason === 'session_ended') {
      this.stop();
      this.ports.status('ended', null);
    }
    this.ports.event(event);
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.drop();
    if (!this.stopped) this.retry();
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    this.heart?.stop();
    this.heart = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private retry(): void {
    if (this.stopped || this.timer !== null) return;
    if (this.attempt >= 1) this.greeted = false; // the cookie may be what is wrong
    this.ports.status('reconnecting', null);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.open();
    }, retryDelayMs(this.attempt++));
  }
}
