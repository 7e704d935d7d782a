/** The room behind the table: made piece by piece when it is first wanted, so that nothing stutters; then it lives on. */

import { between, random } from './dsp';
import type { Ear } from './ear';
import { murmur } from './recipes/room';

const LOOP_SECONDS = 17;
const SEED = 3;
const PIECE_AFTER_MS = 12;

export class Room {
  private begun = false;
  private readonly next = random(SEED);
  private clinkUtcMs: number | null = null;

  /** `later` calls back after so many milliseconds. */
  constructor(
    private readonly ear: Ear,
    private readonly later: (act: () => void, ms: number) => void,
  ) {}

  /** Call while the room can be heard. */
  live(nowUtcMs: number): void {
    if (!this.begun) this.begin();
    this.clinkUtcMs ??= nowUtcMs + between(this.next, 3_000, 9_000);
    if (nowUtcMs < this.clinkUtcMs) return;
    // Not several at once after a pause.
    this.clinkUtcMs = nowUtcMs + between(this.next, 5_000, 16_000);
    const side = between(this.next, -0.9, 0.9);
    this.ear.play({ name: 'clink' }, 0, between(this.next, 0.4, 1), [side, side], true);
  }

  private begin(): void {
    this.begun = true;
    const work = murmur(SEED, LOOP_SECONDS);
    const piece = (): void => {
      const { done, value } = work.next();
      if (done) this.ear.murmur(value as Float32Array<ArrayBuffer>);
      else this.later(piece, PIECE_AFTER_MS);
    };
    this.later(piece, PIECE_AFTER_MS);
  }
}
