import type { Catalogue } from './languages';

export const fr: Catalogue = {};
