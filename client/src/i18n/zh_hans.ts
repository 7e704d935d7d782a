import type { Catalogue } from './languages';

export const zhHans: Catalogue = {};
