/** What this browser remembers of the patron's choices. Works without storage too. */

import { BOARD_NAMES, type BoardName } from '../model';

export interface Memory {
  board(): BoardName;
  chipMinor(): number;
  keep(name: 'board' | 'chip', value: string): void;
}

const PREFIX = 'bigroad.';

export function remembered(storage: Storage | null): Memory {
  const read = (name: string): string | null => {
    try {
      return storage?.getItem(PREFIX + name) ?? null;
    } catch {
      return null;
    }
  };
  return {
    board: () => BOARD_NAMES.find((name) => name === read('board')) ?? 'big_road',
    chipMinor: () => Number(read('chip') ?? 0) || 0,
    keep: (name, value) => {
      try {
        storage?.setItem(PREFIX + name, value);
      } catch {
        // A full or forbidden store costs the patron a preference, no more.
      }
    },
  };
}
