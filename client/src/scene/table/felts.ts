/** Felt colours of the scene, by the names of the tokens. The albedo is darker than the token: light is added to it. */

export interface Felt {
  readonly albedo: string;
  readonly print: string;
  readonly pad: string;
}

const EMERALD: Felt = { albedo: '#0a5a3f', print: '#e2ba68', pad: '#23120e' };

export const FELTS: Readonly<Record<string, Felt>> = {
  emerald: EMERALD,
  midnight: { albedo: '#173f80', print: '#e0c88e', pad: '#17181d' },
  burgundy: { albedo: '#621728', print: '#e6bd74', pad: '#1b1312' },
  onyx: { albedo: '#2f3138', print: '#d9b162', pad: '#241a14' },
  teal: { albedo: '#0b5a63', print: '#e3c27c', pad: '#22191a' },
};

export const feltOf = (name: string): Felt => FELTS[name] ?? EMERALD;
