import type { Catalogue } from './languages';

export const es: Catalogue = {};
