/** The dealer's voice, where the browser has one for the page's language. Whatever it says stands in the caption too. */

export type Dealer = 'female' | 'male';
/** The parts of the browser's speech that are used. */
export type Synth = Pick<SpeechSynthesis, 'getVoices' | 'speak' | 'cancel'>;
export type Utter = (text: string) => SpeechSynthesisUtterance;

const NAMES: Readonly<Record<Dealer, RegExp>> = {
  female:
    /female|samantha|karen|moira|tessa|victoria|allison|\bava\b|susan|serena|zira|hazel|aria|jenny|sonia|libby|catherine|anna|petra|katja|hedda|helena|amala|m[oó]nica|paulina|laura|elvira|marisol|am[eé]lie|audrey|hortense|julie|denise|marie|ting-?ting|huihui|yaoyao|xiaoxiao|xiaoyi|mei-?jia|hanhan|kyoko|haruka|yuna|heami|luciana|maria/i,
  male: /\bmale|daniel|\balex\b|oliver|\btom\b|arthur|david|\bmark\b|george|\bguy\b|ryan|james|stefan|markus|yannick|conrad|martin|jorge|pablo|[aá]lvaro|diego|juan|thomas|\bpaul\b|henri|nicolas|kangkang|yunyang|yunxi|zhiwei|otoya|ichiro|felipe/i,
};
const BETTER = /natural|neural|premium|enhanced|siri|google/i;
/** Voices made for fun. */
const ODD = /albert|bad news|bahh|bells|boing|bubbles|cellos|good news|jester|organ|superstar|trinoids|whisper|wobble|zarvox|grandma|grandpa|junior|ralph|kathy|fred|\beddy|\bflo\b|reed|rocko|sandy|shelley/i;

/** The most fitting voice for a language and a dealer; null where none speaks that language. */
export function chooseVoice(voices: readonly SpeechSynthesisVoice[], language: string, dealer: Dealer): SpeechSynthesisVoice | null {
  const wanted = language.toLowerCase();
  const [tongue] = wanted.split('-');
  const other: Dealer = dealer === 'female' ? 'male' : 'female';
  const score = (voice: SpeechSynthesisVoice): number => {
    const says = (dealerName: Dealer): boolean => NAMES[dealerName].test(voice.name);
    let points = tag(voice) === wanted ? 2 : 0;
    if (says(dealer) && !(dealer === 'male' && says('female'))) points += 5;
    else if (says(other)) points -= 5;
    if (BETTER.test(voice.name)) points += 2;
    if (ODD.test(voice.name)) points -= 8;
    if (voice.localService) points += 1;
    if (voice.default) points += 0.5;
    return points;
  };
  const fitting = voices.filter((voice) => tag(voice).split('-')[0] === tongue);
  return fitting.reduce<SpeechSynthesisVoice | null>((best, voice) => (best === null || score(voice) > score(best) ? voice : best), null);
}

const tag = (voice: SpeechSynthesisVoice): string => voice.lang.replace('_', '-').toLowerCase();

export interface Spoken {
  readonly text: string;
  readonly language: string;
  readonly dealer: Dealer;
  /** 0 … 1 */
  readonly volume: number;
}

/** A call that has waited longer than this is no news any more. */
const STALE_MS = 2_000;
/** Some browsers never say that they have finished. */
const longestMs = (text: string): number => 1_500 + text.length * 110;

export class Voice {
  private running: { utterance: SpeechSynthesisUtterance; untilMs: number } | null = null;
  private unlocked = false;
  private next: { call: Spoken; atMs: number } | null = null;

  /** `speaking` is told when the voice begins and when it falls silent. */
  constructor(
    private readonly synth: Synth | null,
    private readonly utter: Utter,
    private readonly speaking: (on: boolean) => void,
    private readonly nowMs: () => number,
  ) {}

  /** Say it now, or right after what is being said; a call that waits is replaced by a newer one. */
  say(call: Spoken): void {
    const now = this.nowMs();
    if (this.running !== null && now < this.running.untilMs) this.next = { call, atMs: now };
    else this.begin(call);
  }

  /** From within a gesture: some browsers let nobody speak who has not first spoken in one. Says nothing, once. */
  unlock(language: string, dealer: Dealer): void {
    if (this.unlocked || this.synth === null || chooseVoice(this.synth.getVoices(), language, dealer) === null) return;
    this.unlocked = true;
    const nothing = this.utter(' ');
    nothing.volume = 0;
    this.synth.speak(nothing);
  }

  cancel(): void {
    this.next = null;
    if (this.running === null) return;
    this.running = null;
    this.synth?.cancel();
    this.speaking(false);
  }

  private begin({ text, language, dealer, volume }: Spoken): void {
    this.next = null;
    const { synth } = this;
    if (synth === null || volume <= 0) return;
    const voice = chooseVoice(synth.getVoices(), language, dealer);
    if (voice === null) return;
    const utterance = this.utter(text);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.volume = volume;
    utterance.rate = 1.02;
    // Where the voice is not known to be hers or his, at least its height is.
    utterance.pitch = NAMES[dealer].test(voice.name) ? 1 : dealer === 'female' ? 1.12 : 0.85;
    this.running = { utterance, untilMs: this.nowMs() + longestMs(text) };
    utterance.onstart = () => this.running?.utterance === utterance && this.speaking(true);
    utterance.onend = utterance.onerror = () => this.ended(utterance);
    synth.speak(utterance);
  }

  private ended(utterance: SpeechSynthesisUtterance): void {
    if (this.running?.utterance !== utterance) return;
    this.running = null;
    const { next } = this;
    if (next !== null && this.nowMs() - next.atMs <= STALE_MS) this.begin(next.call);
    if (this.running === null) this.speaking(false);
  }
}
