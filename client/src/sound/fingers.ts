/** The patron's gestures on the page: any of them allows sound, and what is pressed is heard under the finger. */

import type { Sound } from './index';

/** Whichever a browser accepts as a wish of the patron. */
const GESTURES = ['pointerdown', 'pointerup', 'touchend', 'click', 'keydown'] as const;
const PRESSED = 'button, a[href], input[type=radio], input[type=checkbox], [role=button], [role=switch]';

/** What a click on an element sounds like; null where something else is heard of it (a chip that lands on an area, a refusal). */
export function soundOf(target: Pick<Element, 'closest'> | null): 'chip' | 'button' | null {
  const pressed = target?.closest(PRESSED) ?? null;
  if (pressed === null || pressed.matches('[data-area], [aria-disabled=true]')) return null;
  return pressed.matches('input[name=chip]') ? 'chip' : 'button';
}

/** Not every event of a gesture counts for the browser (a finger that may still become a scroll, Escape); asking then only earns a warning. */
const allowed = (): boolean => globalThis.navigator?.userActivation?.hasBeenActive ?? true;

/** Answers how to stop it. */
export function listenToFingers(sound: Pick<Sound, 'unlock' | 'press'>, page: EventTarget): () => void {
  const unlock = (): void => {
    if (allowed()) sound.unlock();
  };
  const press = ({ target }: Event): void => {
    const kind = soundOf(target as Element | null);
    if (kind !== null) sound.press(kind);
  };
  for (const gesture of GESTURES) page.addEventListener(gesture, unlock, { capture: true, passive: true });
  page.addEventListener('click', press, { capture: true, passive: true });
  return () => {
    for (const gesture of GESTURES) page.removeEventListener(gesture, unlock, { capture: true });
    page.removeEventListener('click', press, { capture: true });
  };
}
