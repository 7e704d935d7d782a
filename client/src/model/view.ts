/** `view(state, now)`: everything that HUD, boards and scene show at a moment. Derived, never stored. */

import type { AreaTerms, CoupDealt, Roads } from '../wire/generated';
import { type BetFace, betFace, type Buttons, buttons } from './buttons';
import { type Moment, moment, momentKey, type Phase } from './moment';
import { type Banner, banner, phaseNote, phaseTitle } from './speech';
import type { Say } from './say';
import { othersOn, ownStakes, type Result, resultOn, winMinor } from './stakes';
import { type Area, AREAS, type Notice, type State } from './state';
import type { HandShown } from './timeline';

export interface AreaView {
  readonly area: Area;
  readonly mineMinor: number;
  readonly placed: boolean;
  /** With the call of the result. */
  readonly result: Result | null;
  /** What came beyond the stake, once it is paid. */
  readonly winMinor: number;
  /** What the server has returned for this area, known from the deal on; for the scene, which pays at its moment. */
  readonly returnedMinor: number | null;
  readonly othersMinor: number;
  /** The same, while the chips are being cleared away. */
  readonly othersLeavingMinor: number;
  readonly minMinor: number;
  readonly maxMinor: number;
}

export interface ClockView {
  readonly seconds: number;
  /** Parts of the whole ring: what is left, and what is after the close. */
  readonly share: number;
  readonly closedShare: number;
  readonly tone: 'open' | 'closing' | 'zero';
}

export interface View {
  readonly key: string;
  readonly phase: Phase;
  readonly link: State['link']['status'];
  readonly latencyMs: number | null;
  readonly tableName: string;
  readonly profile: string;
  readonly felt: string;
  readonly decks: number;
  readonly chipsMinor: readonly number[];
  readonly shoe: number;
  readonly coup: number;
  readonly cardsLeft: number;
  readonly title: Say;
  readonly note: Say | null;
  /** What the dealer says, and since when; 0 while nothing is said. */
  readonly call: readonly Say[];
  readonly callUtcMs: number;
  /** Moments of this coup: bets open, no more bets, the deal; null where there is no clock. */
  readonly opensUtcMs: number | null;
  readonly closesUtcMs: number | null;
  readonly dealsUtcMs: number | null;
  /** When this shoe was brought; null: long ago. */
  readonly newShoeUtcMs: number | null;
  readonly clock: ClockView;
  readonly areas: Readonly<Record<Area, AreaView>>;
  /** Limits and payouts of every area, as the server names them. */
  readonly terms: readonly AreaTerms[];
  readonly player: HandShown;
  readonly banker: HandShown;
  readonly winner: Area | null;
  readonly natural: boolean;
  readonly banner: Banner | null;
  readonly deal: CoupDealt | null;
  /** Cards and chips have left the table. */
  readonly cleared: boolean;
  readonly roads: Roads;
  readonly balanceMinor: number | null;
  readonly stakeMinor: number;
  readonly lastWinMinor: number;
  readonly canRefill: boolean;
  readonly buttons: Buttons;
  readonly bet: { readonly face: BetFace; readonly amountMinor: number };
  readonly automatic: boolean;
  readonly closesAtSeconds: number;
  readonly notice: Notice | null;
}

export function view(state: State, nowUtcMs: number, at: Moment = moment(state, nowUtcMs)): View {
  const { shown } = at;
  const cleared = shown.cleared || state.voided !== null;
  const settled = state.settled !== null && state.settled.coup === state.dealt?.coup ? state.settled : null;
  const waits = settled !== null && !shown.paid;
  const held = waits ? settled.balance_minor - settled.balance_before_minor : 0;
  const lastWin = state.settled === null || waits ? 0 : winMinor(state.settled);
  return {
    key: momentKey(at),
    phase: at.phase,
    link: state.link.status,
    latencyMs: state.link.latencyMs,
    tableName: state.terms?.name ?? '',
    profile: state.terms?.profile ?? '',
    felt: state.terms?.felt ?? 'emerald',
    decks: state.terms?.decks ?? 8,
    chipsMinor: chips(state),
    shoe: state.shoe,
    coup: state.opened?.coup ?? 0,
    cardsLeft: cardsLeft(state, at),
    title: phaseTitle(state, at),
    note: phaseNote(state, at),
    call: at.call?.says ?? [],
    callUtcMs: at.call?.atUtcMs ?? 0,
    opensUtcMs: state.opened?.opened_utc_ms ?? null,
    closesUtcMs: state.opened?.closes_utc_ms ?? null,
    dealsUtcMs: state.opened?.deals_utc_ms ?? null,
    newShoeUtcMs: state.newShoeUtcMs,
    clock: clock(at),
    terms: termsOf(state),
    areas: { player: areaView(state, at, 'player'), tie: areaView(state, at, 'tie'), banker: areaView(state, at, 'banker') },
    player: cleared ? { cards: [], points: null } : shown.player,
    banker: cleared ? { cards: [], points: null } : shown.banker,
    winner: cleared ? null : shown.winner,
    natural: shown.natural,
    banner: at.bannerUp ? banner(state, shown) : null,
    deal: state.dealt,
    cleared,
    roads: state.dealt !== null && shown.winner === null ? state.roadsBefore : state.roads,
    balanceMinor: state.balanceMinor === null ? null : state.balanceMinor - held,
    stakeMinor: cleared ? 0 : ownStakes(state).total,
    lastWinMinor: lastWin || (state.earlierWinMinor ?? 0),
    canRefill: state.canRefill && !waits,
    buttons: buttons(state, at),
    bet: betFace(state, at),
    automatic: state.receipt?.automatic ?? false,
    closesAtSeconds: at.secondsClosed,
    notice: state.notice,
  };
}

/** The same view object as long as nothing to be seen has changed. */
export function viewer(): (state: State, nowUtcMs: number) => View {
  let last: { state: State; view: View } | null = null;
  return (state, nowUtcMs) => {
    const at = moment(state, nowUtcMs);
    if (last === null || last.state !== state || last.view.key !== momentKey(at)) {
      last = { state, view: view(state, nowUtcMs, at) };
    }
    return last.view;
  };
}

function areaView(state: State, at: Moment, area: Area): AreaView {
  const own = ownStakes(state);
  const settled = state.settled !== null && state.settled.coup === state.dealt?.coup ? state.settled : null;
  const result = settled !== null && at.shown.winner !== null ? resultOn(settled, area) : null;
  const stake = own.stakes[area] ?? 0;
  const returned = settled === null ? null : (settled.returned[area] ?? 0);
  const terms = termsOf(state).find((one) => one.area === area);
  return {
    area,
    mineMinor: stake,
    placed: own.placed,
    result,
    winMinor: at.shown.paid && returned !== null ? Math.max(0, returned - stake) : 0,
    returnedMinor: returned,
    othersMinor: at.shown.cleared ? 0 : othersOn(state, area),
    othersLeavingMinor: at.shown.cleared ? othersOn(state, area) : 0,
    minMinor: terms?.min_minor ?? 0,
    maxMinor: terms?.max_minor ?? 0,
  };
}

const termsOf = (state: State): readonly AreaTerms[] => state.opened?.areas ?? state.terms?.areas ?? [];

/** Chips of the rail: none above every MAX. */
function chips(state: State): readonly number[] {
  const areas = termsOf(state).filter((one) => (AREAS as readonly string[]).includes(one.area));
  const most = Math.max(0, ...areas.map((one) => one.max_minor));
  return (state.terms?.chips_minor ?? []).filter((chip) => chip <= most);
}

/** Cards in the shoe as seen: each draw takes one out. */
function cardsLeft(state: State, at: Moment): number {
  if (state.dealt === null || state.opened === null) return state.cardsLeft;
  return at.shown.winner === null ? state.opened.cards_left : state.dealt.cards_left;
}

function clock(at: Moment): ClockView {
  const whole = Math.max(1, at.secondsInAll);
  const tone = at.secondsLeft === 0 ? 'zero' : at.secondsLeft <= at.secondsClosed * 2 ? 'closing' : 'open';
  return { seconds: at.secondsLeft, share: at.secondsLeft / whole, closedShare: at.secondsClosed / whole, tone };
}
