/** Her lips while she speaks: a function of when a call was made and how long it is. */

import { clamp01, easeHand, scatter } from '../craft/ease';

export const MOUTH = ['aa', 'ee', 'oo', 'mm'] as const;
export type Mouth = Record<(typeof MOUTH)[number], number>;

/** A voice needs a moment to begin; then it speaks so fast. */
const BEGINS_MS = 160;
const LETTER_MS = 63;
const SOUND_MS = 118;
const WIDEST: Mouth = { aa: 0.5, ee: 0.45, oo: 0.5, mm: 0.7 };

export const speaksMs = (letters: number): number => BEGINS_MS + letters * LETTER_MS;

/** Sounds follow one another and overlap by half. */
export function speak(sinceMs: number, letters: number, seed: number, out: Mouth): void {
  out.aa = out.ee = out.oo = out.mm = 0;
  const spoken = sinceMs - BEGINS_MS;
  const length = letters * LETTER_MS;
  if (spoken <= 0 || spoken >= length) return;
  const loud = easeHand(spoken / 120) * easeHand((length - spoken) / 160);
  const place = spoken / SOUND_MS;
  for (let sound = Math.floor(place) - 1; sound <= Math.floor(place) + 1; sound++) {
    const near = 1 - Math.abs(place - sound - 0.5) / 1.1;
    if (near <= 0) continue;
    const name = MOUTH[Math.floor(scatter(sound, seed) * 3.5) % 4]!;
    out[name] = clamp01(out[name] + WIDEST[name] * loud * near * near * (0.6 + 0.4 * scatter(sound, seed + 1)));
  }
}
