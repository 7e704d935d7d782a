/** The colours of chips, for the table and for the HUD. Values differ in lightness as well as in hue. */

export interface ChipColours {
  readonly base: string;
  readonly spot: string;
  readonly ink: string;
}

const COLOURS: readonly ChipColours[] = [
  { base: '#d9d3c6', spot: '#2b5f9e', ink: '#22304a' },
  { base: '#16171b', spot: '#e9c372', ink: '#f3d48f' },
  { base: '#6a2a94', spot: '#f4efe6', ink: '#f8f2ff' },
  { base: '#d39a1e', spot: '#1b1712', ink: '#2b1e06' },
  { base: '#a3172a', spot: '#f6e3b4', ink: '#ffeccc' },
  { base: '#0c7a63', spot: '#f5f1e8', ink: '#eafff6' },
  { base: '#1d3f9c', spot: '#f0c25e', ink: '#fff3d6' },
];

/** What is left below the smallest chip: a small one without a number. */
export const SMALL_CHANGE_COLOURS: ChipColours = { base: '#8d8578', spot: '#d8d0c0', ink: '#f4efe4' };

/** The usual values (in minor units) keep their colours at every table; others go by their place on the rail. */
const USUAL: readonly number[] = [2_000, 10_000, 50_000, 100_000, 500_000, 2_500_000, 10_000_000];

export function chipColours(valueMinor: number, place = 0): ChipColours {
  const usual = USUAL.indexOf(valueMinor);
  return COLOURS[(usual >= 0 ? usual : place) % COLOURS.length]!;
}
