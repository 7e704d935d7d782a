/** Numbers as people read them. Amounts are integers of the minor unit; no float comes near them. */

const MINOR_PER_MAJOR = 100;

const group = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** "7,500"; cents only when there are some: "4,750.50". A minus sign, not a hyphen. */
export function money(minor: number): string {
  const size = Math.abs(minor);
  const cents = size % MINOR_PER_MAJOR;
  const whole = group((size - cents) / MINOR_PER_MAJOR);
  const tail = cents === 0 ? '' : `.${String(cents).padStart(2, '0')}`;
  return `${minor < 0 ? '−' : ''}${whole}${tail}`;
}

/** The value of a chip without separators, as its name has it: "25000", "0.50". */
export const plain = (minor: number): string => money(minor).replace(/,/g, '');

/** The value as printed on a chip: "500", "1K", "25K", "2.5K", "1M". */
export function chipFace(minor: number): string {
  for (const [size, letter] of [[1_000_000, 'M'], [1000, 'K']] as const) {
    const unit = size * MINOR_PER_MAJOR;
    if (minor >= unit && (minor * 10) % unit === 0) return `${minor / unit}${letter}`;
  }
  return plain(minor);
}

/** "00:34" */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.trunc(seconds));
  return `${String(Math.trunc(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}

/** "47.3 %" of a whole; "–" of nothing. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`;
