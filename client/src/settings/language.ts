/** Keeps the page in the language that the settings name. */

import { language, useLanguage } from '../i18n';
import type { SettingsStore } from './settings';

/** `root`: the page's own element, which tells browsers and screen readers the language. Answers how to stop it. */
export function watchLanguage(store: Pick<SettingsStore, 'value' | 'subscribe'>, root: { lang: string }): () => void {
  const follow = async (tag: string): Promise<void> => {
    await useLanguage(tag);
    root.lang = language().tag;
  };
  void follow(store.value.language);
  return store.subscribe((value) => void follow(value.language));
}
