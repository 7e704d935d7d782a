import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerClock } from './clock';
import { Connection, type ConnectionPorts, type ResumePoint } from './connection';
import type { Ping, ServerEvent } from './events';

/** A socket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  readonly sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {}

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
    this.say({ type: 'welcome' });
  }

  say(event: object): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }

  breakDown(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  pings(): Ping[] {
    return this.sent.map((text) => JSON.parse(text) as Ping).filter((one) => one.type === 'ping');
  }
}

interface Listeners {
  [name: string]: (() => void) | undefined;
}

let sockets: FakeSocket[];
let heard: ServerEvent['type'][];
let states: string[];
let point: ResumePoint | null;
let visits: number;
let tickets: number;
let listeners: Listeners;
let hidden: boolean;
const last = (): FakeSocket => sockets.at(-1)!;
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

function connect(extra: Partial<ConnectionPorts> = {}): Connection {
  const connection = new Connection(
    {
      url: 'ws://house/ws/emerald',
      session: async () => void (visits += 1),
      ticket: async () => `t${(tickets += 1)}`,
      resumePoint: () => point,
      event: (event) => heard.push(event.type),
      status: (status) => void (states.at(-1) === status || states.push(status)),
      openSocket: (url, protocols) => {
        sockets.push(new FakeSocket(url, protocols));
        return last() as unknown as WebSocket;
      },
      ...extra,
    },
    new ServerClock(() => performance.now()),
  );
  connection.start();
  return connection;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
  [sockets, heard, states, point, visits, tickets, listeners, hidden] = [[], [], [], null, 0, 0, {}, false];
  const target = {
    addEventListener: (name: string, listener: () => void) => (listeners[name] = listener),
    removeEventListener: (name: string) => (listeners[name] = undefined),
    get visibilityState() {
      return hidden ? 'hidden' : 'visible';
    },
  };
  vi.stubGlobal('document', target);
  vi.stubGlobal('window', target);
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('Connection', () => {
  it('asks for a session first, then for the table from a snapshot', async () => {
    connect();
    await pass(0);
    expect([visits, last().url]).toEqual([1, 'ws://house/ws/emerald']);
    last().accept();
    expect([states, heard]).toEqual([['connecting', 'online'], ['welcome']]);
  });

  it('comes back within 300 ms, where it broke, with the session it has', async () => {
    connect();
    await pass(0);
    last().accept();
    point = { epoch: 3, seq: 104 };
    last().breakDown();
    await pass(301);
    expect([visits, sockets.length, last().url]).toEqual([1, 2, 'ws://house/ws/emerald?epoch=3&seq=104']);
  });

  it('shows each socket a ticket of its own, never in its address', async () => {
    connect();
    await pass(0);
    last().breakDown();
    await pass(301);
    const shown = sockets.map((socket) => socket.protocols);
    expect(shown).toEqual([
      ['bigroad.v1', 'bigroad.ticket.t1'],
      ['bigroad.v1', 'bigroad.ticket.t2'],
    ]);
    expect(sockets.every((socket) => !socket.url.includes('t1') && !socket.url.includes('t2'))).toBe(true);
  });

  it('tries again when there is no ticket, and asks who it is before that', async () => {
    let refused = 0;
    connect({ ticket: () => (refused++ < 2 ? Promise.reject(new Error('no session')) : Promise.resolve('t')) });
    await pass(2_000);
    expect([refused, visits, sockets.length]).toEqual([3, 2, 1]);
  });

  it('waits longer and longer, and asks for the session anew', async () => {
    connect();
    await pass(0);
    const waits: number[] = [];
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    for (let broken = 1; broken <= 4; broken++) {
      last().breakDown();
      const brokeMs = performance.now();
      while (sockets.length === broken) await pass(25);
      waits.push(performance.now() - brokeMs);
    }
    expect(waits).toEqual([175, 750, 1_500, 3_000]);
    expect(visits).toBe(4);
  });

  it.each(['visibilitychange', 'online', 'pageshow'])('does not wait when the page wakes up (%s)', async (name) => {
    connect();
    await pass(0);
    last().breakDown();
    await pass(400);
    last().breakDown();
    const before = sockets.length;
    listeners[name]?.();
    await pass(0);
    expect(sockets.length).toBe(before + 1);
  });

  it('stays away while the page is hidden, unless its time has come', async () => {
    connect();
    await pass(0);
    last().breakDown();
    hidden = true;
    listeners['visibilitychange']?.();
    await pass(0);
    expect(sockets.length).toBe(1);
  });

  it('notices a dead line within seconds, and what comes late from it is not heard', async () => {
    connect();
    await pass(0);
    const dead = last();
    dead.accept();
    await pass(8_500);
    expect(sockets.length).toBe(2);
    dead.say({ type: 'presence', patrons: 1 });
    expect(heard).toEqual(['welcome']);
  });

  it('keeps a line that answers', async () => {
    connect();
    await pass(0);
    last().accept();
    for (let second = 0; second < 60; second++) {
      await pass(1_000);
      for (const ping of last().pings().splice(-3)) {
        last().say({ type: 'pong', request_id: ping.request_id, client_ms: ping.client_ms, server_utc_ms: 1 });
      }
    }
    expect(sockets.length).toBe(1);
    expect(heard).toEqual(['welcome']);
  });

  it('starts over on demand, and not at all once it was signed out', async () => {
    const connection = connect();
    await pass(0);
    last().accept();
    connection.resync();
    await pass(301);
    expect(sockets.length).toBe(2);
    last().accept();
    last().say({ type: 'session', reason: 'session_ended' });
    await pass(60_000);
    expect([sockets.length, states.at(-1)]).toEqual([2, 'ended']);
  });

  it('says when a message could not leave', async () => {
    const connection = connect();
    await pass(0);
    expect(connection.send({ type: 'submit', request_id: 'a', coup: 1 })).toBe(false);
    last().accept();
    expect(connection.send({ type: 'submit', request_id: 'a', coup: 1 })).toBe(true);
    expect(last().sent).toContain('{"type":"submit","request_id":"a","coup":1}');
  });
});
