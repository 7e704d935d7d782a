/** Chips on the areas with their shadows and rings. */

import { progress } from '../craft/ease';
import { CHIP, FELT_Y } from '../layout';
import type { GroundMarks } from '../table/ground_marks';
import type { CoupTimes } from '../timeline';
import type { SceneView } from '../view';
import { ChipDrops } from './drops';
import type { ChipField } from './field';
import { poseStack, putChips, seedOf, type StackPose } from './motion';
import { type PlannedStack, planStacks } from './plan';

/** Chips that can stand on the felt at once. */
export const FIELD_CHIPS = 200;
const SHADOW = CHIP.radius * 3.3;
/** With the call of the result losing chips lose their colour. */
const GREYS_MS = 320;

interface Marks {
  readonly shadows: GroundMarks;
  readonly solid: GroundMarks;
  readonly dashed: GroundMarks;
}

const NONE: readonly PlannedStack[] = [];

export class Stacks {
  planned: readonly PlannedStack[] = [];
  /** Chips of the coup that is being swept away: still there, while the next bet is placed. */
  private left: readonly PlannedStack[] = NONE;
  private coupNo: number | null = null;
  private readonly drops = new ChipDrops();
  private readonly pose: StackPose = { x: 0, y: 0, z: 0, scale: 1 };
  private readonly putChip: ChipField['put'];

  constructor(
    private readonly field: ChipField,
    private readonly marks: Marks,
  ) {
    this.putChip = field.put.bind(field);
  }

  plan(view: SceneView): void {
    const { leaving } = view;
    if (leaving === null) this.left = NONE;
    else if (leaving.coup === this.coupNo) this.left = this.planned.filter((stack) => stack.placed);
    this.coupNo = view.deal?.coup ?? null;
    this.planned = planStacks(view);
    this.drops.notice(this.planned);
  }

  /** Shadows are added to those that are there; whoever clears them uploads them. */
  frame(coup: CoupTimes | null, leaving: CoupTimes | null, nowUtcMs: number, still: boolean): void {
    const { field, marks } = this;
    field.clear();
    marks.solid.clear();
    marks.dashed.clear();
    for (const stack of this.planned) this.both(stack, coup, nowUtcMs, still);
    if (leaving !== null) for (const stack of this.left) this.both(stack, leaving, nowUtcMs, still);
    field.upload();
    marks.solid.upload();
    marks.dashed.upload();
  }

  private both(stack: PlannedStack, coup: CoupTimes | null, nowUtcMs: number, still: boolean): void {
    const ms = coup === null ? 0 : nowUtcMs - coup.dealsUtcMs;
    this.stand(stack, 'stake', coup, ms, nowUtcMs, still);
    if (stack.win.length > 0) this.stand(stack, 'win', coup, ms, nowUtcMs, still);
  }

  private stand(
    stack: PlannedStack,
    what: 'stake' | 'win',
    coup: CoupTimes | null,
    ms: number,
    nowUtcMs: number,
    still: boolean,
  ): void {
    const { pose, marks } = this;
    const chips = what === 'stake' ? stack.chips : stack.win;
    if (chips.length === 0) return;
    poseStack(stack, what, coup, ms, pose, still);
    if (pose.scale <= 0) return;
    const lost = what === 'stake' && stack.placed && stack.fate === 'lost' && coup !== null;
    this.field.grey = lost ? progress(ms, coup.result.at, still ? 0 : GREYS_MS) : 0;
    const drop = still || what === 'win' || this.left.includes(stack) ? null : this.drops.at(stack.id, nowUtcMs);
    putChips(chips, pose, seedOf(stack.id) + (what === 'win' ? 1 : 0), drop, this.putChip);
    const grounded = Math.max(0, 1 - (pose.y - FELT_Y) / 0.05);
    marks.shadows.put(pose.x + 0.002, pose.z + 0.003, SHADOW * pose.scale * grounded, SHADOW * pose.scale * grounded);
    const stands = pose.x === stack.at.x && pose.z === stack.at.z;
    if (stack.own && what === 'stake' && stands && stack.id.endsWith('0')) {
      (stack.placed ? marks.solid : marks.dashed).put(pose.x, pose.z, 1, 1);
    }
  }
}
