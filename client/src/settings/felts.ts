/** Which felts a table may wear: its profile's own and the alternatives that suit it. */

export const FELTS = ['emerald', 'midnight', 'burgundy', 'onyx', 'teal'] as const;
export type Felt = (typeof FELTS)[number];

const BY_PROFILE: Readonly<Record<string, readonly Felt[]>> = {
  'multiplayer-deluxe': ['emerald', 'midnight', 'burgundy'],
  deluxe: ['burgundy', 'emerald', 'onyx'],
  'three-d': ['midnight', 'onyx', 'teal'],
  tableau: ['emerald', 'teal', 'burgundy'],
};

/** The felts of a profile with the table's own first; an operator's own profile has them all. */
export function feltsOf(profile: string, own: string): readonly Felt[] {
  const felts = BY_PROFILE[profile] ?? FELTS;
  const first = FELTS.find((felt) => felt === own);
  return first === undefined ? felts : [first, ...felts.filter((felt) => felt !== first)];
}

/** What the table wears when the patron has chosen `chosen`: that, where it suits, else its own. */
export const feltOf = (profile: string, own: string, chosen: string | null): string =>
  feltsOf(profile, own).find((felt) => felt === chosen) ?? own;
