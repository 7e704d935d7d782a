/** What the scene is told: the model's view, in the scene's words. */

import type { View } from '../model';
import type { Area, Deal, Gesture, SceneView, Stack } from '../scene/view';

const AREAS: readonly Area[] = ['player', 'tie', 'banker'];

export function sceneView(view: View, hover: Area | null, focus: Area | null): SceneView {
  const limits = AREAS.map((area) => view.areas[area]).filter((one) => one.maxMinor > 0);
  const others: Partial<Record<Area, number>> = {};
  for (const area of AREAS) if (view.areas[area].othersMinor > 0) others[area] = view.areas[area].othersMinor;
  return {
    phase: view.phase,
    deal: dealOf(view),
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
    others,
    signMin: Math.min(...limits.map((one) => one.minMinor), Number.MAX_SAFE_INTEGER),
    signMax: Math.max(0, ...limits.map((one) => one.maxMinor)),
    cardsLeft: view.cardsLeft,
    decks: view.decks,
    hover,
    focus,
  };
}

let lastDealt: View['deal'] = null;
let lastDeal: Deal | null = null;

/** The same object for the same coup, so that the scene can tell a new one at a glance. */
function dealOf({ deal }: View): Deal | null {
  if (deal !== lastDealt) {
    lastDealt = deal;
    lastDeal =
      deal === null
        ? null
        : {
            coup: deal.coup,
            dealsUtcMs: deal.deals_utc_ms,
            playerCards: deal.player_cards,
            bankerCards: deal.banker_cards,
            outcome: deal.outcome as Deal['outcome'],
            timeline: deal.timeline as Gesture[],
          };
  }
  return lastDeal;
}
