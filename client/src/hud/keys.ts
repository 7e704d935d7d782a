/**
 * The keyboard of the table: 1–6 chips, P T B areas, Enter bet, Backspace undo, X clear,
 * D double (or Rebet x2), R rebet, S boards, Escape back.
 */

import type { Area } from '../model';

export type KeyAct =
  | { act: 'chip'; place: number }
  | { act: 'area'; area: Area }
  | { act: 'bet' | 'undo' | 'clear' | 'double' | 'rebet' | 'roads' | 'back' };

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
  /** The focus is on a control that itself answers Enter. */
  readonly onControl: boolean;
}

const LETTERS: Readonly<Record<string, KeyAct>> = {
  p: { act: 'area', area: 'player' },
  t: { act: 'area', area: 'tie' },
  b: { act: 'area', area: 'banker' },
  x: { act: 'clear' },
  d: { act: 'double' },
  r: { act: 'rebet' },
  s: { act: 'roads' },
  enter: { act: 'bet' },
  backspace: { act: 'undo' },
  escape: { act: 'back' },
};

/** What a key means, or null. A held key acts once. */
export function keyAct(press: KeyPress): KeyAct | null {
  if (press.ctrlKey || press.altKey || press.metaKey || press.repeat) return null;
  if (/^[1-9]$/.test(press.key)) return { act: 'chip', place: Number(press.key) - 1 };
  if (press.key === 'Enter' && press.onControl) return null;
  return LETTERS[press.key.toLowerCase()] ?? null;
}

/** Does the element answer Enter itself? Areas reached with the mouse do not: there Enter means BET. */
export function answersEnter(element: Element | null): boolean {
  if (element === null || !element.matches('button, a[href], select, textarea, input:not([type=radio])')) return false;
  return !element.matches('[data-area]') || element.matches(':focus-visible');
}

/** Is the patron writing? Then letters are letters. */
export const isWriting = (element: Element | null): boolean =>
  element?.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])') ?? false;
