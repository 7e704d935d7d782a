/**
 * Messages with gaps: `{name}`, and of ICU's messages what is needed, without nesting:
 * `{coups, plural, one {# coup} other {# coups}}` and `{side, select, player {the Player} other {the Banker}}`.
 */

const GAPS = /\{(\w+)(?:, (plural|select),((?: \w+ \{[^{}]*\})+))?\}/g;
const CASES = / (\w+) \{([^{}]*)\}/g;

export interface Gap {
  readonly name: string;
  readonly kind: 'plain' | 'plural' | 'select';
  /** Words by case; empty for a plain gap. */
  readonly cases: Readonly<Record<string, string>>;
}

/** The gaps of a message, in order. */
export const gapsOf = (message: string): readonly Gap[] =>
  [...message.matchAll(GAPS)].map(([, name, kind, cases]) => ({
    name: name!,
    kind: (kind ?? 'plain') as Gap['kind'],
    cases: Object.fromEntries([...(cases ?? '').matchAll(CASES)].map(([, word, text]) => [word!, text!])),
  }));

export interface Filling {
  /** The words for a plain gap, or for `#`; null leaves the gap as it is. */
  plain(name: string): string | null;
  /** What a gap chooses by. */
  raw(name: string): string | number | undefined;
  /** CLDR's plural case of a number. */
  plural(count: number): string;
}

export function fill(message: string, filling: Filling): string {
  if (!message.includes('{')) return message;
  return message.replace(GAPS, (whole: string, name: string, kind: string | undefined, cases: string | undefined) => {
    if (kind === undefined) return filling.plain(name) ?? whole;
    const value = filling.raw(name);
    const wanted = kind === 'plural' && typeof value === 'number' ? filling.plural(value) : String(value);
    let [found, otherwise] = [null as string | null, ''];
    for (const [, word, text] of cases!.matchAll(CASES)) {
      if (word === wanted) found = text!;
      if (word === 'other') otherwise = text!;
    }
    return (found ?? otherwise).replaceAll('#', filling.plain(name) ?? '#');
  });
}
