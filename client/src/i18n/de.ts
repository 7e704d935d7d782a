import type { Catalogue } from './languages';

export const de: Catalogue = {};
