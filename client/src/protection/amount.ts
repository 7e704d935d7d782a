/** Amounts as patrons type them. No float comes near them. */

const TYPED = /^(\d{1,13})(?:[.,](\d{1,2}))?$/;

/** "1500", "1 500", "12.50" or "12,50" in minor units; null for anything else, and for nothing at all. */
export function minorOf(text: string): number | null {
  const found = TYPED.exec(text.replace(/[\s\u00a0\u202f]/g, ''));
  if (found === null) return null;
  const minor = Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
  return minor > 0 ? minor : null;
}

/** What stands in the field for an amount: "1500", "12.50". */
export function typed(minor: number): string {
  const cents = minor % 100;
  return `${(minor - cents) / 100}${cents === 0 ? '' : `.${String(cents).padStart(2, '0')}`}`;
}
