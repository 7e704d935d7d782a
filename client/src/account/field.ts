/** Which field of a form a refusal is about. */

export type FieldName = 'name' | 'password' | 'old' | null;

export function fieldOf(code: string, form: 'register' | 'sign_in' | 'change'): FieldName {
  if (code.startsWith('NAME_')) return 'name';
  if (code.startsWith('PASSWORD_')) return 'password';
  if (code === 'SIGN_IN_REFUSED') return form === 'change' ? 'old' : 'password';
  return null;
}

/** What a device is called where the browser said nothing: the words for that are given. */
export const deviceName = (device: string, otherwise: string): string => (device === '' ? otherwise : device);
