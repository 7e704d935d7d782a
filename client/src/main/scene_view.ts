/** What the scene is told: the model's view, in the scene's words. */

import type { CoupDealt } from '../wire/events';
import { tell } from '../i18n';
import type { AreaView, View } from '../model';
import { spoken } from '../model/calls';
import type { Area, Deal, Gesture, Limits, SceneView, Stack } from '../scene/view';

const AREAS: readonly Area[] = ['player', 'tie', 'banker'];

export function sceneView(view: View, hover: Area | null, focus: Area | null): SceneView {
  return {
    phase: view.phase,
    deal: dealOf(view.deal),
    leaving: dealOf(view.leaving),
    mine: AREAS.map((area) => view.areas[area])
      .filter((one) => one.mineMinor > 0)
      .map(
        (one): Stack => ({
          area: one.area,
          amountMinor: one.mineMinor,
          placed: one.placed,
          returnedMinor: one.returnedMinor,
        }),
      ),
    others: amounts((area) => view.areas[area].othersMinor),
    othersLeaving: amounts((area) => view.areas[area].othersLeavingMinor),
    closesUtcMs: view.closesUtcMs,
    dealsUtcMs: view.dealsUtcMs,
    newShoeUtcMs: view.newShoeUtcMs,
    call: callOf(view),
    limits: limitsOf(view),
    cardsLeft: view.cardsLeft,
    decks: view.decks,
    hover,
    focus,
  };
}

function amounts(of: (area: Area) => number): Partial<Record<Area, number>> {
  const found: Partial<Record<Area, number>> = {};
  for (const area of AREAS) if (of(area) > 0) found[area] = of(area);
  return found;
}

function limitsOf({ areas, laid, terms }: View): SceneView['limits'] {
  if (terms.length === 0) return null;
  const of = ({ minMinor, maxMinor }: AreaView): Limits => ({ minMinor, maxMinor });
  return Object.fromEntries(laid.map((area) => [area, of(areas[area])]));
}

/** Only what is spoken moves her lips. */
function callOf(view: View): SceneView['call'] {
  const letters = tell(spoken(view.call)).length;
  return letters === 0 ? null : { atUtcMs: view.callUtcMs, letters };
}

const known = new WeakMap<CoupDealt, Deal>();

/** The same object for the same coup, so that the scene can tell a new one at a glance. */
function dealOf(dealt: CoupDealt | null): Deal | null {
  if (dealt === null) return null;
  let deal = known.get(dealt);
  if (deal === undefined) {
    deal = {
      coup: dealt.coup,
      dealsUtcMs: dealt.deals_utc_ms,
      playerCards: dealt.player_cards,
      bankerCards: dealt.banker_cards,
      outcome: dealt.outcome as Deal['outcome'],
      timeline: dealt.timeline as Gesture[],
    };
    known.set(dealt, deal);
  }
  return deal;
}
