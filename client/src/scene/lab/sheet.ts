/** A contact sheet of a whole coup: its key moments side by side, drawn one by one. For the documentation, and to judge by. */

import { LET_GO } from '../cards/motion';
import { SHOE_CHANGE_MS } from '../dealer/shoe_change';
import type { CardTimes, CoupTimes } from '../timeline';
import type { Stage } from '../view';

export interface KeyMoment {
  readonly name: string;
  /** Since the deal. */
  readonly ms: number;
}

/** `broughtMs` and `closesMs`: when the new shoe is brought and bets close, since the deal. */
export function keyMoments(coup: CoupTimes, broughtMs: number, closesMs: number): KeyMoment[] {
  const moments: KeyMoment[] = [];
  const add = (name: string, ms: number): void => void moments.push({ name, ms });
  add('New shoe: the spent cards', broughtMs + SHOE_CHANGE_MS * 0.27);
  add('New shoe: a fresh pack', broughtMs + SHOE_CHANGE_MS * 0.61);
  add('Bets are open', broughtMs + 34_600);
  add('No more bets', closesMs + 220);
  add('No more bets', closesMs + 760);
  const inOrder = (span: (card: CardTimes) => number): CardTimes[] => [...coup.cards].sort((a, b) => span(a) - span(b));
  for (const card of inOrder((one) => one.draw.at)) {
    const which = `${card.side === 'player' ? 'Player' : 'Banker'} ${card.index + 1}`;
    add(`${which} leaves the shoe`, card.draw.at + card.draw.duration * 0.3);
    if (card.side === 'player' && card.index === 0) add(`${which} is handed on`, card.draw.at + card.draw.duration * 0.51);
    add(`${which} is laid`, card.draw.at + card.draw.duration * 0.97);
    if (card.turn !== null) add(`${which} is turned`, card.turn.at + card.turn.duration * (card.index % 2 === 0 ? 0.36 : 0.5));
    if (card.turn !== null && card.index === 2) add(`${which} lies open`, card.turn.at + card.turn.duration * LET_GO);
  }
  const during = (name: string, { at, duration }: { at: number; duration: number }, ...shares: number[]): void => {
    for (const share of shares) add(name, at + duration * share);
  };
  during('The result', coup.result, 0.62);
  during('Losing stakes', coup.collect, 0.36, 0.72);
  during('Winnings', coup.pay, 0.36, 0.76);
  during('Cards are swept', coup.clear, 0.22, 0.5, 0.8);
  add('The next round', coup.clear.at + coup.clear.duration + 1_400);
  return moments.sort((a, b) => a.ms - b.ms);
}

export interface SheetOptions {
  readonly columns: number;
  /** Pixels of one picture. */
  readonly width: number;
  /** Rows of the screen that are kept, from the top; the HUD covers the rest. */
  readonly keep: number;
}

const GAP = 4;
const CAPTION = 22;

/** Answers the sheet as a data URL of the given quality (0 … 1). */
export class ContactSheet {
  private readonly picture = document.createElement('canvas');
  private readonly pen: CanvasRenderingContext2D;
  private readonly height: number;

  constructor(
    private readonly stage: Stage,
    private readonly canvas: HTMLCanvasElement,
    private readonly moments: readonly KeyMoment[],
    private readonly options: SheetOptions,
  ) {
    const { columns, width, keep } = options;
    this.height = Math.round((width * keep) / canvas.clientWidth);
    this.picture.width = columns * (width + GAP) + GAP;
    this.picture.height = Math.ceil(moments.length / columns) * (this.height + CAPTION + GAP) + GAP;
    this.pen = this.picture.getContext('2d')!;
    this.pen.fillStyle = '#14100d';
    this.pen.fillRect(0, 0, this.picture.width, this.picture.height);
    this.pen.font = '13px "Hanken Grotesk Variable", sans-serif';
    this.pen.imageSmoothingQuality = 'high';
  }

  get length(): number {
    return this.moments.length;
  }

  /** Draws one moment into its place. */
  draw(index: number, dealsUtcMs: number): void {
    const { pen, canvas, options, height } = this;
    const { name, ms } = this.moments[index]!;
    const x = GAP + (index % options.columns) * (options.width + GAP);
    const y = GAP + Math.floor(index / options.columns) * (height + CAPTION + GAP);
    this.stage.frame(dealsUtcMs + ms);
    const kept = (canvas.height * options.keep) / canvas.clientHeight;
    pen.drawImage(canvas, 0, 0, canvas.width, kept, x, y, options.width, height);
    pen.fillStyle = '#d9c9a8';
    pen.fillText(name, x + 4, y + height + 15);
    const clock = `${(ms / 1000).toFixed(2)} s`;
    pen.fillText(clock, x + options.width - 4 - pen.measureText(clock).width, y + height + 15);
  }

  url(quality: number): string {
    return this.picture.toDataURL('image/webp', quality);
  }
}
