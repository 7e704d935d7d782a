import { t } from '../i18n';
import type { AreaTerms } from '../wire/generated';

/** What an area pays, in words: the table's own terms, never a figure of the page's. */
export function payoutWords(one: AreaTerms): string {
  const pays = t('help.pays', { numerator: one.pays_numerator, denominator: one.pays_denominator });
  return one.commission_bps === 0 ? pays : `${pays} ${t('help.less', { percent: one.commission_bps / 100 })}`;
}
