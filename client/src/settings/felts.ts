/** Which felts a table may wear: its own and the alternatives that its profile names. */

export const FELTS = ['emerald', 'midnight', 'burgundy', 'onyx', 'teal'] as const;
export type Felt = (typeof FELTS)[number];

/** The felts of a table with its own first; one that names none has only its own. Names that the page does not know are left out. */
export function feltsOf(felts: readonly string[], own: string): readonly Felt[] {
  const known = FELTS.filter((felt) => felt === own || felts.includes(felt));
  return [...known].sort((one, other) => Number(other === own) - Number(one === own));
}

/** What the table wears when the patron has chosen `chosen`: that, where it suits, else its own. */
export const feltOf = (felts: readonly string[], own: string, chosen: string | null): string =>
  feltsOf(felts, own).find((felt) => felt === chosen) ?? own;
