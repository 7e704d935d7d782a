/** One try of a form of the account: what went wrong, in words, and at which field. */

import { tick } from 'svelte';
import { refusal, t } from '../i18n';
import type { Outcome } from './accounts.svelte';
import { type FieldName, fieldOf } from './field';

export class Attempt {
  /** Empty while nothing is wrong. */
  wrong: string = $state('');
  field: FieldName = $state(null);

  constructor(private readonly kind: () => Parameters<typeof fieldOf>[1]) {}

  /** Whether it was done. If not, the field that is wrong gets the focus. */
  async make(form: HTMLFormElement, act: () => Promise<Outcome>): Promise<boolean> {
    [this.wrong, this.field] = ['', null];
    const done = await act();
    if (done === 'done' || done === 'busy') return done === 'done';
    this.wrong = done === null ? t('notice.network') : refusal(done.code, done.facts);
    this.field = done === null ? null : fieldOf(done.code, this.kind());
    await tick();
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    return false;
  }
}
