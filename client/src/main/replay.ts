/** A coup of the past, shown again on the table while the live one goes on unseen. */

import { replayed, replayEndsUtcMs, type State, type View, viewer } from '../model';
import type { CoupRecord, Roads } from '../wire/events';

export class ReplayRun {
  private state!: State;
  private lastUtcMs = 0;
  private readonly look = viewer();
  private seen: { readonly of: View; readonly with: View } | null = null;

  constructor(
    readonly record: CoupRecord,
    startsUtcMs: number,
    /** The boards beside it: a coup of the past has none of its own. */
    private readonly roads: Roads,
  ) {
    this.again(startsUtcMs);
  }

  again(startsUtcMs: number): void {
    const state = replayed(this.record, startsUtcMs);
    const { dealt } = state;
    const clears = dealt?.timeline.find((gesture) => gesture.act === 'clear');
    this.lastUtcMs = dealt === null || clears === undefined ? replayEndsUtcMs(state) : dealt.deals_utc_ms + clears.at_ms - 1;
    // Nothing is cleared away, neither to be seen nor to be heard.
    this.state = dealt === null ? state : { ...state, dealt: { ...dealt, timeline: dealt.timeline.filter((gesture) => gesture !== clears) } };
  }

  /** Before the table is cleared the moment stands still: the result stays to be looked at. */
  view(nowUtcMs: number): View {
    const view = this.look(this.state, this.moment(nowUtcMs));
    if (this.seen?.of !== view) this.seen = { of: view, with: { ...view, roads: this.roads } };
    return this.seen.with;
  }

  over(nowUtcMs: number): boolean {
    return nowUtcMs >= this.lastUtcMs;
  }

  /** The moment up to which the scene is drawn. */
  moment(nowUtcMs: number): number {
    return Math.min(nowUtcMs, this.lastUtcMs);
  }
}
