/** Which languages there are. English is part of the page; the others are fetched when they are chosen. */

/** A translation: every key of `en.ts`, and `refusal.…` for the server's codes. What is missing is said in English. */
export type Catalogue = Readonly<Record<string, string>>;

export interface Language {
  /** BCP 47 */
  readonly tag: string;
  /** As its speakers call it. */
  readonly name: string;
  /** What a voice for it is asked for by. */
  readonly speech: string;
  readonly load: () => Promise<Catalogue>;
}

export const ENGLISH: Language = { tag: 'en', name: 'English', speech: 'en-US', load: () => Promise.resolve({}) };

export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  { tag: 'zh-Hans', name: '简体中文', speech: 'zh-CN', load: () => import('./zh_hans').then((it) => it.zhHans) },
  { tag: 'es', name: 'Español', speech: 'es-ES', load: () => import('./es').then((it) => it.es) },
  { tag: 'de', name: 'Deutsch', speech: 'de-DE', load: () => import('./de').then((it) => it.de) },
  { tag: 'fr', name: 'Français', speech: 'fr-FR', load: () => import('./fr').then((it) => it.fr) },
];

/** The language for a tag: itself, or another kind of the same tongue; English for what is not spoken here. */
export function languageOf(tag: string): Language {
  const wanted = tag.toLowerCase();
  const tongue = (one: string): string => one.toLowerCase().split('-')[0]!;
  return (
    LANGUAGES.find((one) => one.tag.toLowerCase() === wanted) ?? LANGUAGES.find((one) => tongue(one.tag) === tongue(wanted)) ?? ENGLISH
  );
}
