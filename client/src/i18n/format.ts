/** Numbers as people read them. Amounts are integers of the minor unit; no float comes near them. */

import { current } from './current.svelte';

const MINOR_PER_MAJOR = 100;

interface Separators {
  readonly group: string;
  readonly decimal: string;
}
const PLAIN: Separators = { group: '', decimal: '.' };

const known = new Map<string, Separators>();
/** What stands between thousands and before decimals in the page's language. */
function separators(): Separators {
  const { tag } = current().language;
  let found = known.get(tag);
  if (found === undefined) {
    const parts = new Intl.NumberFormat(tag, { minimumFractionDigits: 1 }).formatToParts(1_234_567.5);
    const of = (type: string, otherwise: string): string => parts.find((part) => part.type === type)?.value ?? otherwise;
    found = { group: of('group', ','), decimal: of('decimal', '.') };
    known.set(tag, found);
  }
  return found;
}

function amount(minor: number, { group, decimal }: Separators): string {
  const size = Math.abs(minor);
  const cents = size % MINOR_PER_MAJOR;
  const whole = String((size - cents) / MINOR_PER_MAJOR).replace(/\B(?=(\d{3})+(?!\d))/g, group);
  const tail = cents === 0 ? '' : `${decimal}${String(cents).padStart(2, '0')}`;
  return `${minor < 0 ? '−' : ''}${whole}${tail}`;
}

/** "7,500"; cents only when there are some: "4,750.50"; as the language has it. A minus sign, not a hyphen. */
export const money = (minor: number): string => amount(minor, separators());

/** A number as it is, with the language's decimal sign: "2.5". */
export const decimal = (value: number): string => String(value).replace('.', separators().decimal);

/** The value of a chip as its name has it, the same in every language: "25000", "0.50". */
export const plain = (minor: number): string => amount(minor, PLAIN);

/** The value as printed on a chip: "500", "1K", "25K", "2.5K", "1M". */
export function chipFace(minor: number): string {
  for (const [size, letter] of [[1_000_000, 'M'], [1000, 'K']] as const) {
    const unit = size * MINOR_PER_MAJOR;
    if (minor >= unit && (minor * 10) % unit === 0) return `${minor / unit}${letter}`;
  }
  return plain(minor);
}

/** "1 Dec 2026, 16:20", in the time of the patron's own clock. */
export const moment = (utcMs: number): string =>
  new Date(utcMs).toLocaleString(current().language.tag, { dateStyle: 'medium', timeStyle: 'short' });

/** "00:34" */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.trunc(seconds));
  return `${String(Math.trunc(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}

/** "47.3 %" of a whole; "–" of nothing. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1).replace('.', separators().decimal)} %`;

/** "1.06 %" of a share of 0.010579. */
export const percentOf = (share: number): string => `${(share * 100).toFixed(2).replace('.', separators().decimal)} %`;
