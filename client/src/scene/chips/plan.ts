/** Which chips stand where, and what becomes of them when a coup is settled. Pure. */

import { AREA_NAMES, inArea, type Spot } from '../layout';
import type { Area, SceneView } from '../view';
import { chipsFor, type ChipValue } from './values';

export type Fate = 'lost' | 'won' | 'stays';

export interface PlannedStack {
  readonly id: string;
  readonly area: Area;
  readonly own: boolean;
  /** false: staged; such chips belong to the coup that comes, not to the one being shown. */
  readonly placed: boolean;
  /** From the bottom up. */
  readonly chips: readonly ChipValue[];
  readonly at: Spot;
  readonly fate: Fate;
  /** What the house sets beside a winning stack. */
  readonly win: readonly ChipValue[];
  readonly winAt: Spot;
  /** Which stack of the area lies under the dealer's hand when all of them are taken, or paid, together. */
  readonly lead: Lead;
  readonly winLead: Lead | null;
}

export interface Lead {
  readonly id: string;
  readonly at: Spot;
  /** Place of this stack in the row that travels, counted from the lead, from the patron's left to the right. */
  readonly place: number;
}

type Standing = Omit<PlannedStack, 'lead' | 'winLead'>;

const OWN_COLUMN = 10;
/** The Tie area has no room for a second column. */
const TOWER = 24;
const OTHERS_PILE = 5;
const OTHERS_MOST = 3 * OTHERS_PILE;
/** Places of the others' piles (u, v), and of what they win: behind the outer two. */
const OTHERS_PLACES: Readonly<Record<Area, readonly (readonly [number, number])[]>> = {
  player: [
    [0.19, 0.77],
    [0.81, 0.77],
    [0.3, 0.89],
  ],
  tie: [
    [0.19, 0.78],
    [0.81, 0.78],
  ],
  banker: [
    [0.81, 0.77],
    [0.19, 0.77],
    [0.7, 0.89],
  ],
};
const BEHIND = 0.2;
const OWN: readonly [number, number] = [0.5, 0.765];
const BESIDE = 0.155;

export function planStacks(view: SceneView): PlannedStack[] {
  const outcome = view.deal?.outcome ?? null;
  const standing: Standing[] = [
    ...view.mine.flatMap((stack) => {
      const { area, amountMinor, placed, returnedMinor } = stack;
      if (amountMinor <= 0) return [];
      const won = returnedMinor !== null && returnedMinor > amountMinor;
      const fate: Fate = won ? 'won' : returnedMinor === 0 ? 'lost' : 'stays';
      const win = won ? chipsFor(returnedMinor - amountMinor) : [];
      return ownStacks(area, placed, chipsFor(amountMinor), placed ? fate : 'stays', win);
    }),
    ...AREA_NAMES.flatMap((area) =>
      othersStacks(area, view.others[area] ?? view.othersLeaving[area] ?? 0, othersFate(area, outcome)),
    ),
  ];
  return AREA_NAMES.flatMap((area) => inRows(standing.filter((stack) => stack.area === area)));
}

/** Stacks of one area in the rows in which they travel: own chips first, and those paid in a row of their own. */
function inRows(standing: readonly Standing[]): PlannedStack[] {
  const stakes = standing.filter((stack) => stack.chips.length > 0);
  const wins = standing.filter((stack) => stack.win.length > 0);
  return standing.map((stack) => ({
    ...stack,
    lead: leadOf(stack, stakes, (one) => one.at) ?? { id: stack.id, at: stack.at, place: 0 },
    winLead: leadOf(stack, wins, (one) => one.winAt),
  }));
}

function leadOf(stack: Standing, row: readonly Standing[], place: (stack: Standing) => Spot): Lead | null {
  const lead = row[0];
  if (lead === undefined) return null;
  const order = [...row].sort((a, b) => place(a).x - place(b).x || (a.id < b.id ? -1 : 1));
  const at = (one: Standing): number => order.findIndex((other) => other.id === one.id);
  return { id: lead.id, at: place(lead), place: Math.max(0, at(stack)) - at(lead) };
}

/** One column, or two behind one another when it would be a tower. */
function ownStacks(
  area: Area,
  placed: boolean,
  chips: readonly ChipValue[],
  fate: Fate,
  win: readonly ChipValue[],
): Standing[] {
  const [u, v] = OWN;
  const narrow = area === 'tie';
  const column = narrow ? TOWER : OWN_COLUMN;
  return [0, 1].flatMap((row) => {
    const part = chips.slice(row * column, (row + 1) * column);
    const winPart = win.slice(row * column, (row + 1) * column);
    if (part.length === 0 && winPart.length === 0) return [];
    const back = v - row * BEHIND;
    const winAt = narrow ? inArea(area, u, v - BEHIND) : inArea(area, u + BESIDE, back);
    const id = `mine-${area}-${row}`;
    return [{ id, area, own: true, placed, chips: part, at: inArea(area, u, back), fate, win: winPart, winAt }];
  });
}

function othersStacks(area: Area, amountMinor: number, fate: Fate): Standing[] {
  const chips = chipsFor(amountMinor, OTHERS_MOST);
  const places = OTHERS_PLACES[area];
  const most = Math.ceil(OTHERS_MOST / places.length);
  return places.flatMap(([u, v], pile) => {
    const part = chips.slice(pile * most, (pile + 1) * most);
    if (part.length === 0) return [];
    const winAt = pile < 2 ? inArea(area, u, v - BEHIND) : inArea(area, u, v - 2 * BEHIND);
    const win = fate === 'won' ? part : [];
    return [
      {
        id: `others-${area}-${pile}`,
        area,
        own: false,
        placed: true,
        chips: part,
        at: inArea(area, u, v),
        fate,
        win,
        winAt,
      },
    ];
  });
}

/** All that is known of the others: their total and where the coup ended. */
function othersFate(area: Area, outcome: Area | null): Fate {
  if (outcome === null || (outcome === 'tie' && area !== 'tie')) return 'stays';
  return area === outcome ? 'won' : 'lost';
}
