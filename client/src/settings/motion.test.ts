import { describe, expect, it } from 'vitest';
import { isReduced, watchMotion } from './motion';
import { settingsStore } from './settings';

describe('motion', () => {
  it.each([
    ['system', true, true],
    ['system', false, false],
    ['reduced', false, true],
    ['full', true, false],
  ] as const)('%s, where the system asks for less: %s', (motion, system, reduced) => expect(isReduced({ motion }, system)).toBe(reduced));

  it('is told once at the start and at every change of the answer', () => {
    let matches = false;
    let systemChanged = (): void => undefined;
    const store = settingsStore(null);
    const told: boolean[] = [];
    const media = {
      get matches() {
        return matches;
      },
      addEventListener: (_: 'change', listener: () => void) => (systemChanged = listener),
    };
    watchMotion(store, { matchMedia: () => media }, (reduced) => told.push(reduced));
    store.set({ captions: false });
    store.set({ motion: 'reduced' });
    store.set({ motion: 'system' });
    matches = true;
    systemChanged();
    expect(told).toEqual([false, true, false, true]);
  });
});
