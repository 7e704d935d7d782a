/** Canvas text does not wait for fonts: whoever draws a texture must. */

import '@fontsource/marcellus/400.css';
import '@fontsource-variable/hanken-grotesk/index.css';
import { DISPLAY_FONT, UI_FONT } from './pen';

const NEEDED = [`400 40px ${DISPLAY_FONT}`, `700 40px ${UI_FONT}`, `800 40px ${UI_FONT}`];
const PATIENCE_MS = 4_000;

/** Resolves when the fonts are there, or when waiting longer would be worse than another font. */
export async function fontsReady(): Promise<void> {
  const fonts = Promise.allSettled(NEEDED.map((font) => document.fonts.load(font, 'BIGROAD 0123456789')));
  await Promise.race([fonts, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
