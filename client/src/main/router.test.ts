import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, LOBBY, type Route, routeOf, Router } from './router';

const EMERALD: Route = { at: 'table', table: 'emerald' };

describe('addresses', () => {
  it.each([
    ['', LOBBY],
    ['?quality=low', LOBBY],
    ['?table=', LOBBY],
    ['?table=emerald', EMERALD],
    ['?quality=low&table=a%26b', { at: 'table', table: 'a&b' }],
  ])('%s', (search, route) => expect(routeOf(search)).toEqual(route));

  it('keep what else they ask for', () => {
    expect(addressOf(EMERALD, '?quality=low')).toBe('?quality=low&table=emerald');
    expect(addressOf(LOBBY, '?table=emerald&quality=low')).toBe('?quality=low');
    expect(addressOf(LOBBY, '?table=emerald')).toBe('');
  });
});

describe('the router', () => {
  let entries: string[];
  let at: number;
  let popped: () => void;
  let seen: Route[];
  let router: Router;
  const step = (by: number): void => {
    at += by;
    popped();
  };

  beforeEach(() => {
    [entries, at, seen] = [['?quality=low'], 0, []];
    router = new Router(
      {
        location: {
          get search() {
            return entries[at]!;
          },
          pathname: '/',
        },
        history: {
          pushState(_, __, url) {
            entries = [...entries.slice(0, at + 1), url === '/' ? '' : url];
            at += 1;
          },
          replaceState(_, __, url) {
            entries[at] = url === '/' ? '' : url;
          },
        },
        addEventListener: (_, listener) => (popped = listener),
      },
      (route) => seen.push(route),
    );
  });

  it('goes, and tells', () => {
    router.go(EMERALD);
    expect([entries[at], seen]).toEqual(['?quality=low&table=emerald', [EMERALD]]);
  });

  it('does not go where it is', () => {
    router.go(LOBBY);
    expect([entries.length, seen]).toEqual([1, []]);
  });

  it('follows back and forward', () => {
    router.go(EMERALD);
    step(-1);
    step(1);
    expect(seen).toEqual([EMERALD, LOBBY, EMERALD]);
  });

  it('knows no way back to what does not exist', () => {
    router.go(EMERALD);
    router.turnAway(LOBBY);
    expect([entries, router.route, seen]).toEqual([['?quality=low', '?quality=low'], LOBBY, [EMERALD, LOBBY]]);
  });
});
