/** Felt colours of the scene, by the names of the tokens, and what each does to the room around it. */

export interface Felt {
  /** Darker than the token: light is added to it. */
  readonly albedo: string;
  readonly print: string;
  readonly pad: string;
  /** The room's niches, and every seventh light in it. */
  readonly niche: string;
  readonly lamp: string;
  /** The light over the table; never far from warm white, which keeps paper white. */
  readonly key: string;
}

const EMERALD: Felt = {
  albedo: '#0a5a3f',
  print: '#e2ba68',
  pad: '#23120e',
  niche: '#10302a',
  lamp: '#2fa37c',
  key: '#ffefdb',
};

export const FELTS: Readonly<Record<string, Felt>> = {
  emerald: EMERALD,
  midnight: {
    albedo: '#13376f',
    print: '#e0c88e',
    pad: '#17181d',
    niche: '#14264a',
    lamp: '#4c7fd0',
    key: '#fdf0e2',
  },
  burgundy: {
    albedo: '#621728',
    print: '#e6bd74',
    pad: '#1b1312',
    niche: '#3a1420',
    lamp: '#c2566a',
    key: '#ffeed9',
  },
  onyx: {
    albedo: '#2f3138',
    print: '#d9b162',
    pad: '#241a14',
    niche: '#2a2622',
    lamp: '#d8b070',
    key: '#fff0de',
  },
  teal: {
    albedo: '#0b5a63',
    print: '#e3c27c',
    pad: '#22191a',
    niche: '#0f3238',
    lamp: '#35a3ad',
    key: '#fff0dd',
  },
};

export const feltOf = (name: string): Felt => FELTS[name] ?? EMERALD;
