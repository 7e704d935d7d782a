/** What the page says, as keys and facts; words are made from them by i18n. */

import type { MessageKey } from '../i18n/en';

export type Facts = Readonly<Record<string, number | string>>;

export interface Say {
  readonly key: MessageKey;
  readonly facts: Facts;
}

export const say = (key: MessageKey, facts: Facts = {}): Say => ({ key, facts });
