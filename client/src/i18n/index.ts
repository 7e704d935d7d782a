/** Words from keys and facts, in the language of the page. All text of the page goes through here. */

import { type Code, WORDS } from '../wire/generated';
import { current } from './current.svelte';
import { en, type MessageKey } from './en';
import { clock, decimal, moment, money } from './format';
import type { Language } from './languages';
import { fill, type Filling } from './message';

export type { MessageKey } from './en';
export { useLanguage } from './current.svelte';
export { LANGUAGES, languageOf } from './languages';
export * from './format';

export type Facts = Readonly<Record<string, number | string>>;

/** The words of a key. `{name}` is filled from the facts: see `fact`. */
export const t = (key: MessageKey, facts: Facts = {}): string => fill(current().words[key] ?? en[key], filling(facts));

/** Several sentences as one line. */
export const tell = (says: readonly { key: MessageKey; facts: Facts }[]): string =>
  says.map((one) => t(one.key, one.facts)).join(current().language.tag.startsWith('zh') ? '' : ' ');

/** Why something was refused, in words; the code itself where it has none. */
export function refusal(code: string, facts: Facts): string {
  const words = code in WORDS ? (current().words[`refusal.${code as Code}`] ?? WORDS[code as Code]) : null;
  return words === null ? code : fill(words, filling(facts));
}

/** The language of the page now. */
export const language = (): Language => current().language;

function filling(facts: Facts): Filling {
  return {
    plain: (name) => fact(name, facts),
    raw: (name) => facts[name],
    plural: (count) => pluralRules().select(count),
  };
}

const rules = new Map<string, Intl.PluralRules>();
function pluralRules(): Intl.PluralRules {
  const { tag } = current().language;
  let found = rules.get(tag);
  if (found === undefined) {
    found = new Intl.PluralRules(tag);
    rules.set(tag, found);
  }
  return found;
}

/**
 * `…_minor` is money, `…_utc_ms` a moment, `…_clock` a clock of the fact named before it, areas, sides and periods are
 * named, the rest is as it is.
 */
function fact(name: string, facts: Facts): string | null {
  const value = facts[name];
  if (name.endsWith('_clock')) {
    const seconds = facts[name.slice(0, -'_clock'.length)];
    return typeof seconds === 'number' ? clock(seconds) : null;
  }
  if (value === undefined) return null;
  if (name.endsWith('_minor') && typeof value === 'number') return money(value);
  if (name.endsWith('_utc_ms') && typeof value === 'number') return moment(value);
  if (name === 'period' && `period.${value}` in en) return t(`period.${value}` as MessageKey);
  if (name === 'area' || name === 'side') return areaName(String(value));
  return typeof value === 'number' ? decimal(value) : value;
}

export function areaName(area: string): string {
  const key = `area.${area}`;
  return key in en ? t(key as MessageKey) : area;
}

/** "ten of spades" from "TS"; null is a card that lies face down. */
export function cardName(code: string | null): string {
  if (code === null) return t('card.down');
  const rank = `rank.${code.slice(0, -1)}`;
  const suit = `suit.${code.slice(-1)}`;
  if (!(rank in en) || !(suit in en)) return code;
  return t('card.named', { rank: t(rank as MessageKey), suit: t(suit as MessageKey) });
}
