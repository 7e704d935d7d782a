/** What of the browser is needed to be heard, in one place, so that tests can bring their own. */

import { BrowserEar, type Ear } from './ear';
import type { Synth, Utter } from './voice';

export interface Device {
  readonly ear: Ear;
  /** null: this browser does not speak. */
  readonly synth: Synth | null;
  readonly utter: Utter;
  /** Milliseconds that only ever grow. */
  nowMs(): number;
  later(act: () => void, ms: number): void;
  hidden(): boolean;
  /** Calls back whenever the page is hidden or shown; answers how to stop it. */
  onHidden(changed: () => void): () => void;
}

export function browserDevice(): Device {
  return {
    ear: new BrowserEar(() => (typeof AudioContext === 'undefined' ? null : new AudioContext({ latencyHint: 'interactive' }))),
    synth: typeof speechSynthesis === 'undefined' ? null : speechSynthesis,
    utter: (text) => new SpeechSynthesisUtterance(text),
    nowMs: () => performance.now(),
    later: (act, ms) => void setTimeout(act, ms),
    hidden: () => document.hidden,
    onHidden: (changed) => {
      document.addEventListener('visibilitychange', changed);
      return () => document.removeEventListener('visibilitychange', changed);
    },
  };
}
