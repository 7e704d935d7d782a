/** A notice in words: what was refused and why, and what became of the chips. */

import { type Facts, refusal, t, type MessageKey } from '../i18n';
import type { Notice, Why } from '../model';

const OF_THE_PAGE: Readonly<Record<string, MessageKey>> = {
  offline: 'notice.offline',
  sending: 'notice.sending',
  choose_chip: 'notice.choose_chip',
  dealing: 'notice.dealing',
  nothing_to_skip: 'notice.nothing_to_skip',
  network: 'notice.network',
  COUP_VOIDED: 'notice.voided',
};

export interface NoticeWords {
  readonly title: string;
  readonly more: string;
}

/** Why a button may not be pressed, in words. */
export function reasonWords({ reason, facts }: Why): string {
  const key = OF_THE_PAGE[reason];
  return key === undefined ? refusal(reason, facts) : t(key, facts);
}

/** `stakedMinor`: what lay on the table for the patron when it came. */
export function noticeWords(notice: Notice, stakedMinor: number): NoticeWords {
  const key = OF_THE_PAGE[notice.code];
  const title = key === undefined ? refusal(notice.code, notice.facts) : t(key, notice.facts);
  return { title, more: aftermath(notice, stakedMinor, notice.facts) };
}

function aftermath(notice: Notice, stakedMinor: number, facts: Facts): string {
  if (notice.code === 'COUP_VOIDED') return t('notice.voided_more', facts);
  if (notice.automatic) return t('notice.automatic');
  if (notice.about === null) return '';
  const what = notice.about.type === 'submit' ? t('notice.submit') : t(notice.about.type === 'stage' ? 'notice.stage' : 'notice.unchanged');
  if (notice.about.type === 'submit' || stakedMinor === 0) return what;
  return `${what} ${t('notice.stand', { total_minor: stakedMinor })}`;
}
