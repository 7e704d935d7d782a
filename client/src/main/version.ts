/** A page that was open while the server was brought up to date: it would not understand what it is told. */

export const RELOADED_KEY = 'bigroad.reloaded';

/**
 * Should the page be loaded anew? `begins`: the script that the server's page begins with, "" where it has none; `own`:
 * the address of the one that this page began with. Once for each version: what does not help is not tried again.
 */
export function isOutdated(begins: string, own: string, kept: Pick<Storage, 'getItem' | 'setItem'> | null): boolean {
  const isBuilt = own.includes('/assets/');
  if (begins === '' || !isBuilt || own.endsWith(`/${begins}`)) return false;
  if (kept === null || kept.getItem(RELOADED_KEY) === begins) return false;
  kept.setItem(RELOADED_KEY, begins);
  return true;
}

/** The script that this page began with. */
export const ownScript = (): string => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '';

/** What this tab keeps over a reload, null where it may keep nothing. */
export function keptByTab(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
