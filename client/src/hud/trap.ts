/** Keeps the focus inside an open dialog, closes it with Escape, and gives the focus back afterwards. */

/** Dialogs that are open, the newest last: only that one hears the keys. */
const open: HTMLElement[] = [];

const STOPS = 'button, a[href], input, select, textarea, [tabindex]';

export interface TrapOptions {
  close(): void;
  /** Where the focus goes first; by default the dialog itself. */
  first?: string;
}

export const isTop = (dialog: HTMLElement): boolean => open.at(-1) === dialog;

export function trap(dialog: HTMLElement, options: TrapOptions): { destroy(): void } {
  const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  open.push(dialog);
  const first = options.first === undefined ? null : dialog.querySelector<HTMLElement>(options.first);
  (first ?? dialog).focus({ preventScroll: true });

  const onkeydown = (event: KeyboardEvent): void => {
    if (!isTop(dialog) || event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      options.close();
    } else if (event.key === 'Tab') {
      const to = nextStop(stops(dialog), document.activeElement, event.shiftKey);
      if (to === null) return;
      event.preventDefault();
      to.focus();
    }
  };
  document.addEventListener('keydown', onkeydown);
  return {
    destroy() {
      document.removeEventListener('keydown', onkeydown);
      open.splice(open.indexOf(dialog), 1);
      // Not before the page beneath can be reached again.
      requestAnimationFrame(() => {
        if (before?.isConnected === true && (document.activeElement === null || document.activeElement === document.body)) before.focus();
      });
    },
  };
}

function stops(dialog: HTMLElement): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.getClientRects().length > 0 && one.closest('[inert]') === null,
  );
}

/** Where Tab leads at the ends, or from outside; null where the browser knows it itself. */
export function nextStop<Stop>(all: readonly Stop[], from: unknown, backwards: boolean): Stop | null {
  const at = all.findIndex((one) => one === from);
  const end = backwards ? 0 : all.length - 1;
  if (at >= 0 && at !== end) return null;
  return all.at(backwards ? -1 : 0) ?? null;
}
