/** The hint that an account keeps the balance is closed for good in this browser. */

const KEY = 'bigroad.account_hint';

export function hintWasClosed(storage: Storage | null): boolean {
  try {
    return storage?.getItem(KEY) === 'closed';
  } catch {
    return false;
  }
}

export function closeHint(storage: Storage | null): void {
  try {
    storage?.setItem(KEY, 'closed');
  } catch {
    // It comes back with the next visit.
  }
}
