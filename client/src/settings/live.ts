/** The store's value for components: what shows it follows every change. */

import { createSubscriber } from 'svelte/reactivity';
import type { Settings, SettingsStore } from './settings';

export function live(store: SettingsStore): { readonly value: Settings } {
  const follow = createSubscriber((update) => store.subscribe(update));
  return {
    get value() {
      follow();
      return store.value;
    },
  };
}
