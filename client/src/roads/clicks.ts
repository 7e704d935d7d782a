/** A double click by our own clock, so that mouse and finger, and all browsers, agree on it. */

export const DOUBLE_MS = 350;

/** Answers, click by click: is this the second on the same thing within 350 ms? A third starts anew. */
export function doubleClicks(now: () => number): (what: string) => boolean {
  let last: { what: string; atMs: number } | null = null;
  return (what) => {
    const atMs = now();
    const second = last !== null && last.what === what && atMs - last.atMs <= DOUBLE_MS;
    last = second ? null : { what, atMs };
    return second;
  };
}
