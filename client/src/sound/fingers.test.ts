import { describe, expect, it } from 'vitest';
import { listenToFingers, soundOf } from './fingers';

/** An element that knows which of the selectors it fits, itself or through what it lies in. */
const element = (...fits: string[]): Element => {
  const self = { matches: (selector: string) => selector.split(', ').some((one) => fits.includes(one)) };
  return { ...self, closest: (selector: string) => (self.matches(selector) ? self : null) } as unknown as Element;
};

describe('what is pressed', () => {
  it.each([
    ['a button', element('button'), 'button'],
    ['a chip of the rail', element('input[type=radio]', 'input[name=chip]'), 'chip'],
    ['another choice', element('input[type=radio]'), 'button'],
    ['an area, whose chip is heard when it lands', element('button', '[data-area]'), null],
    ['a button that will say why not', element('button', '[aria-disabled=true]'), null],
    ['the felt', element(), null],
    ['nothing', null, null],
  ] as const)('%s', (_, target, kind) => expect(soundOf(target)).toBe(kind));
});

describe('the page', () => {
  it('unlocks with every gesture until it is stopped', () => {
    const page = new EventTarget();
    let unlocked = 0;
    const stop = listenToFingers({ unlock: () => void unlocked++, press: () => undefined }, page);
    for (const type of ['touchend', 'touchend', 'keydown', 'pointermove']) page.dispatchEvent(new Event(type));
    expect(unlocked).toBe(3);
    stop();
    page.dispatchEvent(new Event('click'));
    expect(unlocked).toBe(3);
  });
});
