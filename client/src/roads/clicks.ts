/** A double click by our own measure, so that mouse and finger, and all browsers, agree on it. */

export const DOUBLE_MS = 350;

/**
 * Answers, click by click: is this the second on the same thing within 350 ms? A third starts anew.
 * `atMs`: when the hand clicked (`event.timeStamp`), however late the page gets to hear of it.
 */
export function doubleClicks(): (what: string, atMs: number) => boolean {
  let last: { what: string; atMs: number } | null = null;
  return (what, atMs) => {
    const second = last !== null && last.what === what && atMs - last.atMs <= DOUBLE_MS;
    last = second ? null : { what, atMs };
    return second;
  };
}
