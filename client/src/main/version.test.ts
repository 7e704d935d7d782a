import { describe, expect, it } from 'vitest';
import { isOutdated, RELOADED_KEY } from './version';

const OWN = 'http://house/sub/assets/index-old.js';

function kept(): Pick<Storage, 'getItem' | 'setItem'> {
  const held = new Map<string, string>();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => void held.set(key, value) };
}

describe('a page of another version than the server', () => {
  it('is loaded anew, once', () => {
    const storage = kept();
    const asked = ['assets/index-new.js', 'assets/index-new.js', 'assets/index-newer.js'];
    expect(asked.map((begins) => isOutdated(begins, OWN, storage))).toEqual([true, false, true]);
    expect(storage.getItem(RELOADED_KEY)).toBe('assets/index-newer.js');
  });

  it.each([
    ['the same version', 'assets/index-old.js', OWN],
    ['a server without a page', '', OWN],
    ['a page that is being developed', 'assets/index-new.js', 'http://house/src/main.ts'],
  ])('is not: %s', (_, begins, own) => {
    expect(isOutdated(begins, own, kept())).toBe(false);
  });

  it('is left alone where nothing can be kept, for it might never end', () => {
    expect(isOutdated('assets/index-new.js', OWN, null)).toBe(false);
  });
});
