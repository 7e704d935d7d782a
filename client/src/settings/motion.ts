/** Whether things may move: the patron's setting, or else what the system asks for. */

import type { Settings, SettingsStore } from './settings';

/** The part of `window` that is needed. */
export interface Moves {
  matchMedia(query: string): { readonly matches: boolean; addEventListener(type: 'change', listener: () => void): void };
}

const QUERY = '(prefers-reduced-motion: reduce)';

export const isReduced = ({ motion }: Pick<Settings, 'motion'>, system: boolean): boolean =>
  motion === 'system' ? system : motion === 'reduced';

/** Calls back with the answer now, and whenever it changes. */
export function watchMotion(store: SettingsStore, moves: Moves, tell: (reduced: boolean) => void): void {
  const media = moves.matchMedia(QUERY);
  let told: boolean | null = null;
  const look = (): void => {
    const reduced = isReduced(store.value, media.matches);
    if (reduced !== told) tell((told = reduced));
  };
  media.addEventListener('change', look);
  store.subscribe(look);
  look();
}
