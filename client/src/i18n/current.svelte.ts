/** The language of the page. Templates that read it follow when it changes. */

import { type Catalogue, ENGLISH, type Language, languageOf } from './languages';

interface Current {
  readonly language: Language;
  readonly words: Catalogue;
}

let state: Current = $state.raw({ language: ENGLISH, words: {} });
let wanted: Language = ENGLISH;

export const current = (): Current => state;

/** Change to the language of a tag; resolves when it is there. It stays as it was where the words cannot be fetched. */
export async function useLanguage(tag: string, find = languageOf): Promise<void> {
  const language = find(tag);
  if (language === wanted) return;
  wanted = language;
  try {
    const words = await language.load();
    if (wanted === language) state = { language, words };
  } catch (error) {
    console.warn(`The words of ${language.name} cannot be fetched.`, error);
    if (wanted === language) wanted = state.language;
  }
}
