/** Where in the house the page is, as its address says: `?table=emerald` is a table, anything else the lobby. */

export type Route = { readonly at: 'lobby' } | { readonly at: 'table'; readonly table: string };

export const LOBBY: Route = { at: 'lobby' };

export function routeOf(search: string): Route {
  const table = new URLSearchParams(search).get('table');
  return table === null || table === '' ? LOBBY : { at: 'table', table };
}

/** The query of a route; what else stood in the address stays there. */
export function addressOf(route: Route, search: string): string {
  const query = new URLSearchParams(search);
  if (route.at === 'table') query.set('table', route.table);
  else query.delete('table');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The part of `window` that is needed. */
export interface Browsing {
  readonly location: { readonly search: string; readonly pathname: string };
  readonly history: { pushState(data: unknown, unused: string, url: string): void; replaceState(data: unknown, unused: string, url: string): void };
  addEventListener(type: 'popstate', listener: () => void): void;
}

export const same = (one: Route, other: Route): boolean =>
  one.at === other.at && (one.at !== 'table' || (other.at === 'table' && one.table === other.table));

/** Follows the address, and changes it; `changed` hears of every new place, whoever went there. */
export class Router {
  route: Route;

  constructor(
    private readonly browsing: Browsing,
    private readonly changed: (route: Route) => void,
  ) {
    this.route = routeOf(browsing.location.search);
    browsing.addEventListener('popstate', () => this.arrive(routeOf(browsing.location.search)));
  }

  go(route: Route): void {
    if (same(route, this.route)) return;
    this.browsing.history.pushState(null, '', this.urlOf(route));
    this.arrive(route);
  }

  /** The place where one is does not exist: no way leads back to it. */
  turnAway(route: Route): void {
    this.browsing.history.replaceState(null, '', this.urlOf(route));
    this.arrive(route);
  }

  private urlOf(route: Route): string {
    const { pathname, search } = this.browsing.location;
    return addressOf(route, search) || pathname;
  }

  private arrive(route: Route): void {
    if (same(route, this.route)) return;
    this.route = route;
    this.changed(route);
  }
}
