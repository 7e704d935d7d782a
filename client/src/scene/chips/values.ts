/** Amounts as chips. */

/** Values of the chips that are drawn, minor units, largest first. */
export const CHIP_VALUES = [2_500_000, 500_000, 100_000, 50_000, 10_000, 2_000] as const;
/** What is left below the smallest chip: one small chip without a number. */
export const SMALL_CHANGE = 0;

export type ChipValue = (typeof CHIP_VALUES)[number] | typeof SMALL_CHANGE;

/** The fewest chips that make up an amount, largest first: the bottom of the stack. At most `most` of them. */
export function chipsFor(amountMinor: number, most = 24): ChipValue[] {
  const chips: ChipValue[] = [];
  let rest = amountMinor;
  for (const value of CHIP_VALUES) {
    while (rest >= value && chips.length < most) {
      chips.push(value);
      rest -= value;
    }
  }
  if (rest > 0 && chips.length < most) chips.push(SMALL_CHANGE);
  return chips;
}

/** 2_500 minor units as "25", 2_550 as "25.50", 2_500_000 as "25,000". */
export function majorText(minor: number): string {
  const whole = minor % 100 === 0;
  return (minor / 100).toLocaleString('en-US', { minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2 });
}
