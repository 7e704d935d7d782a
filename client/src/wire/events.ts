/**
 * Events as the page holds them. Two of them go to everybody for every coup, so on the wire their parts are arrays; here
 * they are objects with names, whoever reads them. Everything else is as `generated.ts` says.
 */

import type {
  AreaRow,
  AreaTerms,
  Ask,
  AskRow,
  ClearRow,
  CollectRow,
  CoupDealt as WireCoupDealt,
  CoupOpened as WireCoupOpened,
  CoupRecord as WireCoupRecord,
  DrawRow,
  PayRow,
  PublicEvent as WirePublicEvent,
  ResultRow,
  Roads,
  RoadsRow,
  ServerEvent as WireServerEvent,
  Snapshot as WireSnapshot,
  TurnRow,
} from './generated';

export * from './generated';

/** One gesture of the dealer. `at_ms` counts from `deals_utc_ms`; `points` is the hand's total once the card is turned. */
export interface Gesture {
  act: string;
  at_ms: number;
  dur_ms: number;
  side?: string | null;
  index?: number | null;
  points?: number | null;
}

export type CoupOpened = Omit<WireCoupOpened, 'areas'> & { areas: AreaTerms[] };
/** As it is told: without what is as in the coup before. */
export type CoupOpening = Omit<WireCoupOpened, 'areas'> & { areas: AreaTerms[] | null };
export type CoupDealt = Omit<WireCoupDealt, 'timeline' | 'roads'> & { timeline: Gesture[]; roads: Roads };
export type Snapshot = Omit<WireSnapshot, 'opened' | 'dealt'> & { opened: CoupOpened | null; dealt: CoupDealt | null };
export type CoupRecord = Omit<WireCoupRecord, 'opened' | 'dealt'> & { opened: CoupOpened; dealt: CoupDealt };
type Held<Event> = Event extends WireCoupOpened
  ? CoupOpening
  : Event extends WireCoupDealt
    ? CoupDealt
    : Event extends WireSnapshot
      ? Snapshot
      : Event;
export type PublicEvent = Held<WirePublicEvent>;
export type ServerEvent = Held<WireServerEvent>;

/** What came over the wire, with names. */
export function unpacked(event: WireServerEvent): ServerEvent {
  switch (event.type) {
    case 'coup_opened':
      return { ...event, areas: event.areas?.map(areaTerms) ?? null };
    case 'coup_dealt':
      return dealt(event);
    case 'snapshot':
      return { ...event, opened: event.opened && opened(event.opened), dealt: event.dealt && dealt(event.dealt) };
    default:
      return event;
  }
}

/** A coup of the past, with names. */
export const unpackedRecord = (record: WireCoupRecord): CoupRecord => ({
  ...record,
  opened: opened(record.opened),
  dealt: dealt(record.dealt),
});

const opened = (event: WireCoupOpened): CoupOpened => ({ ...event, areas: (event.areas ?? []).map(areaTerms) });

const dealt = (event: WireCoupDealt): CoupDealt => ({
  ...event,
  timeline: event.timeline.map(gesture),
  roads: roads(event.roads),
});

const areaTerms = ([area, min_minor, max_minor, pays_numerator, pays_denominator, commission_bps]: AreaRow): AreaTerms => ({
  area,
  min_minor,
  max_minor,
  pays_numerator,
  pays_denominator,
  commission_bps,
});

const CARDS_OF_A_HAND = 3;

function gesture(row: DrawRow | TurnRow | ResultRow | CollectRow | PayRow | ClearRow): Gesture {
  const [act, at_ms, dur_ms, card, points]: readonly [string, number, number, number?, number?] = row;
  if (card === undefined) return { act, at_ms, dur_ms };
  const place = { side: card < CARDS_OF_A_HAND ? 'player' : 'banker', index: card % CARDS_OF_A_HAND };
  return { act, at_ms, dur_ms, ...place, ...(points === undefined ? {} : { points }) };
}

function roads([boards, counts, if_banker, if_player, anew]: RoadsRow): Roads {
  const [bead_plate, big_road, big_eye_boy, small_road, cockroach_road] = boards;
  const [coups, banker, player, tie, natural, player_pair, banker_pair] = counts;
  return {
    boards: { bead_plate, big_road, big_eye_boy, small_road, cockroach_road },
    counts: { coups, banker, player, tie, natural, player_pair, banker_pair },
    if_banker: ask(if_banker),
    if_player: ask(if_player),
    anew,
  };
}

const ask = ([big_eye_boy, small_road, cockroach_road]: AskRow): Ask => ({ big_eye_boy, small_road, cockroach_road });
