"""What is true of each table, followed commit by commit from outside, and what must hold of every commit."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from bigroad.app.store import Advanced, Changes, Claim, KeptAnswer
from bigroad.app.texts import shoe_of, terms_of
from bigroad.fairness.deal import deal
from bigroad.ledger import accounts
from bigroad.ledger.transfers import Transfer
from bigroad.protection.guard import Change
from bigroad.rules.shoe import Shoe
from bigroad.simulation.log import Log
from bigroad.simulation.money import SecondBook, due_at_bets, due_at_settlement, due_at_void, returned
from bigroad.simulation.wishes import Wishes
from bigroad.simulation.world import Breach
from bigroad.storage.memory import MemoryStore
from bigroad.table.events import Bet, Opening, Stakes
from bigroad.table.phases import Phase
from bigroad.table.rounds import LATE_NS, NS_PER_MS
from bigroad.table.terms import Terms

SLACK_MS = 2
"""UTC is counted in whole milliseconds on both sides of a comparison."""
LONGEST_WAIT_MS = 60_000
"""A step is judged by the moment at which it was due; it is kept a little later, when the store can be had."""
REMEMBERED_COUPS = 2
"""For so long a request's id is its own: the coup that it was for, and the next."""
FOLLOWS = {
    Phase.LOCKED: Phase.OPEN,
    Phase.VOIDED: Phase.OPEN,
    Phase.DEALT: Phase.LOCKED,
    Phase.SETTLED: Phase.DEALT,
    Phase.CLOSED: Phase.SETTLED,
}
ENDED = (Phase.CLOSED, Phase.VOIDED)


@dataclass(slots=True)
class TableTruth:
    """One table as the store has it. bodies: public events by number. secret: the seed (hex) that nobody may see yet.
    effects: by patron and request, what it did. all_bets, results: by coup and patron."""

    name: str
    table_no: int
    bank_no: int
    epoch: int = 0
    seq: int = 0
    coup_no: int = 0
    phase: Phase = Phase.CLOSED
    terms: Terms | None = None
    opening: Opening | None = None
    shoe: Shoe | None = None
    secret: bytes | None = None
    bodies: dict[int, bytes] = field(default_factory=dict)
    drafts: dict[int, tuple[Stakes, ...]] = field(default_factory=dict)
    all_bets: dict[int, dict[int, Bet]] = field(default_factory=dict)
    last_stakes: dict[int, Stakes] = field(default_factory=dict)
    effects: dict[tuple[int, str], KeptAnswer] = field(default_factory=dict)
    cards: dict[int, tuple[list[str], list[str], str]] = field(default_factory=dict)
    results: dict[int, dict[int, dict[str, int]]] = field(default_factory=dict)

    @property
    def bets(self) -> dict[int, Bet]:
        """By patron, of this coup."""
        return self.all_bets.setdefault(self.coup_no, {})

    @property
    def key(self) -> int:
        """The coup's key in the ledger."""
        return accounts.coup_key(self.table_no, self.coup_no)


class Truth:
    """Implements `bigroad.simulation.store.Witness`. Raises Breach from inside the commit that broke something.

    was_late: whether a request of a patron at a table was taken too late to have an effect, or never at all.
    """

    def __init__(self, store: MemoryStore, log: Log, was_late: Callable[[str, int, str], str | None]) -> None:
        self.book = SecondBook(store)
        self.wishes = Wishes()
        self.tables: dict[str, TableTruth] = {}
        self.by_number: dict[int, TableTruth] = {}
        self.ended = self.voided = self.bets = self.automatic = 0
        self.wall_is_steady = True
        self._store, self._log, self._was_late = store, log, was_late
        self._rows: list[Transfer] = []
        self._seeds: set[bytes] = set()

    def claimed(self, table: str, claim: Claim, bank_no: int) -> None:
        """See Witness."""
        truth = self.tables.get(table)
        if truth is None:
            truth = self.tables[table] = self.by_number[claim.table_no] = TableTruth(table, claim.table_no, bank_no)
        if claim.epoch <= truth.epoch:
            raise Breach("I8", f"{table}: epoch {claim.epoch} after {truth.epoch}")
        truth.epoch = claim.epoch
        self._rows.clear()
        self._log.add(f"claim {table} {claim.epoch}")

    def moved(self, rows: Sequence[Transfer]) -> None:
        """See Witness."""
        self.book.add(rows)
        self._rows.extend(row for row in rows if row.coup_key)
        for row in rows:
            self._log.add(f"money {row.coup_key} {row.bet_seq} {row.kind} {row.debit} {row.credit} {row.amount_minor}")

    def kept(self, changes: Changes) -> None:
        """See Witness."""
        table, rows = self.by_number[changes.table_no], set(self._rows)
        self._rows.clear()
        if changes.epoch != table.epoch:
            raise Breach("I8", f"{table.name}: kept for epoch {changes.epoch}, owned by {table.epoch}")
        if changes.opened is not None:
            self._opened(table, changes)
        if changes.answers or changes.bets or changes.drafts:
            rows -= self._acts(table, changes)
        if changes.advanced is not None:
            rows -= self._advanced(table, changes, changes.advanced)
        if rows:
            raise Breach("I5", f"{table.name}: nobody asked for {sorted(rows)}")
        self._events(table, changes)

    def wished(self, patron_id: int, change: Change) -> None:
        """See Witness."""
        self.wishes.wished(patron_id, change)
        self._log.add(f"wish {patron_id} {' '.join(map(str, change))}")

    # ---- a coup opens

    def _opened(self, table: TableTruth, changes: Changes) -> None:
        assert changes.opened is not None
        opening = changes.opened.opening
        if opening.coup_no != table.coup_no + 1 or table.phase not in ENDED:
            raise Breach("I6", f"{table.name}: coup {opening.coup_no} after {table.coup_no} {table.phase}")
        if opening.seed in self._seeds or hashlib.sha256(opening.seed).digest() != opening.commitment:
            raise Breach("I9", f"{table.name}: coup {opening.coup_no} has a seed used before, or another's commitment")
        self._seeds.add(opening.seed)
        shoe = shoe_of(changes.opened.shoe)
        terms = terms_of(changes.opened.terms)
        due = Shoe.for_one_coup(terms.decks) if terms.shoe == "every_round" else table.shoe
        if due is None or due.spent:
            due = Shoe.fresh(terms.decks)
        if shoe != due:
            raise Breach("I9", f"{table.name}: coup {opening.coup_no} has another shoe than was left")
        table.coup_no, table.phase, table.opening = opening.coup_no, Phase.OPEN, opening
        table.terms, table.shoe = terms, shoe
        table.secret = opening.seed.hex().encode()
        table.drafts = {}

    # ---- patrons act

    def _acts(self, table: TableTruth, changes: Changes) -> set[Transfer]:
        if table.phase is not Phase.OPEN or changes.open_coup_no != table.coup_no:
            raise Breach("I7", f"{table.name}: an act on coup {changes.open_coup_no} while {table.phase}")
        by_hand = {bet.patron_id: bet for bet in changes.bets if not bet.automatic}
        touched = dict(table.drafts)
        for row in changes.answers:
            self._effect(table, row, touched, by_hand)
            if self.wishes.is_away(row.patron_id, changes.at_utc_ms) and adds(row.act):
                raise Breach("protection", f"{table.name}: patron {row.patron_id} is away, and did {row.act}")
        if by_hand:
            raise Breach("request", f"{table.name}: bets that nobody asked for: {by_hand}")
        assert table.terms is not None
        locks = changes.advanced is not None and changes.advanced.phase is Phase.LOCKED and table.terms.clock
        for bet in changes.bets:
            self._bet(table, bet, locks)
            touched.pop(bet.patron_id, None)
        for patron_id, steps in changes.drafts.items():
            if tuple(map(dict, steps)) != touched.get(patron_id, ()):
                raise Breach("draft", f"{table.name}: patron {patron_id} staged {touched.get(patron_id)}, kept {steps}")
        if locks:
            self._forgotten(table, changes)
        table.drafts = {patron_id: steps for patron_id, steps in touched.items() if steps}
        return due_at_bets(table.key, changes.bets)

    def _effect(
        self,
        table: TableTruth,
        row: KeptAnswer,
        drafts: dict[int, tuple[Stakes, ...]],
        by_hand: dict[int, Bet],
    ) -> None:
        key = (row.patron_id, row.request_id)
        earlier = table.effects.get(key)
        if earlier is not None and row.coup_no < earlier.coup_no + REMEMBERED_COUPS:
            raise Breach("request", f"{table.name}: {key} has had an effect already")
        late = self._was_late(table.name, *key)
        if late or row.coup_no != table.coup_no:
            raise Breach("deadline", f"{table.name}: {key} for coup {row.coup_no} in coup {table.coup_no}: {late}")
        table.effects[key] = row
        steps = drafts.get(row.patron_id, ())
        act, *details = msgspec.json.decode(row.act)
        if row.patron_id in table.bets:
            raise Breach("I7", f"{table.name}: patron {row.patron_id} staged after the bet")
        assert table.terms is not None
        last = table.last_stakes.get(row.patron_id, {})
        steps = restaged(steps, act, details, last, table.terms.clock)
        drafts[row.patron_id] = steps
        if act == "submit" or (act == "rebet" and details[1]):
            bet = by_hand.pop(row.patron_id, None)
            if bet is None or dict(bet.stakes) != added(steps):
                raise Breach("draft", f"{table.name}: patron {row.patron_id} staged {steps}, bet {bet}")
            drafts[row.patron_id] = ()
        elif msgspec.json.decode(row.answer)["staged"] != list(steps):
            raise Breach("draft", f"{table.name}: patron {row.patron_id} did {act} {details}, answered {row.answer}")

    def _bet(self, table: TableTruth, bet: Bet, locks: bool) -> None:
        if bet.patron_id in table.bets or bet.bet_seq != len(table.bets) + 1:
            raise Breach("request", f"{table.name} coup {table.coup_no}: a second bet, or a number out of turn: {bet}")
        if bet.automatic and (not locks or dict(bet.stakes) != added(table.drafts.get(bet.patron_id, ()))):
            raise Breach("draft", f"{table.name} coup {table.coup_no}: submitted what was not staged: {bet}")
        if table.terms is None or refused_by_limits(table.terms, bet.stakes):
            raise Breach("limits", f"{table.name} coup {table.coup_no}: against the coup's rules: {bet}")
        self.wishes.accepted(bet.patron_id, (table.key, bet.bet_seq), bet.staked_minor, bet.at_utc_ms)
        table.bets[bet.patron_id] = bet
        table.last_stakes[bet.patron_id] = dict(bet.stakes)
        self.bets += 1
        self.automatic += bet.automatic

    def _forgotten(self, table: TableTruth, changes: Changes) -> None:
        """Whoever had chips staged at the close has a bet, unless there is a reason."""
        assert table.terms is not None
        for patron_id, steps in table.drafts.items():
            stakes = added(steps)
            if not stakes or patron_id in table.bets or refused_by_limits(table.terms, stakes):
                continue
            available = self.book.balance(accounts.patron(patron_id)).available_minor
            bank = self.book.balance(accounts.bank(table.bank_no)).balance_minor
            if sum(stakes.values()) > available:
                continue
            if sum(stakes.values()) * 8 + sum(8 * bet.staked_minor for bet in table.bets.values()) > bank:
                continue
            asked_ms = (changes.at_utc_ms - LONGEST_WAIT_MS, changes.at_utc_ms)
            if any(self.wishes.forbids(patron_id, sum(stakes.values()), at_utc_ms) for at_utc_ms in asked_ms):
                continue
            raise Breach("draft", f"{table.name} coup {table.coup_no}: {stakes} of patron {patron_id} are lost")

    # ---- the round moves on

    def _advanced(self, table: TableTruth, changes: Changes, advanced: Advanced) -> set[Transfer]:
        phase, opening = advanced.phase, table.opening
        if opening is None or advanced.coup_no != table.coup_no or table.phase is not FOLLOWS[phase]:
            raise Breach("I6", f"{table.name}: coup {advanced.coup_no} {phase} after {table.coup_no} {table.phase}")
        late_ms = changes.at_utc_ms - (opening.closes_utc_ms or changes.at_utc_ms)
        due: set[Transfer] = set()
        assert table.terms is not None
        if phase is Phase.LOCKED:
            table.opening = advanced.locked or opening
            if self.wall_is_steady and late_ms < -SLACK_MS:
                raise Breach("deadline", f"{table.name} coup {table.coup_no}: locked {-late_ms} ms before its close")
            if table.drafts and not changes.bets and not changes.answers:
                self._forgotten(table, changes)
            table.drafts = {}
            self.book.verify_escrow(table.key, sum(bet.staked_minor for bet in table.bets.values()))
        elif phase is Phase.DEALT:
            self._dealt(table, advanced)
        elif phase is Phase.SETTLED:
            _, _, outcome = table.cards[table.coup_no]
            bets = table.bets.values()
            due = due_at_settlement(table.key, table.bank_no, bets, outcome, table.terms.paytable)
            told = {row.bet_seq: dict(row.returned) for row in changes.results}
            back = {bet.patron_id: returned(bet.stakes, outcome, table.terms.paytable) for bet in bets}
            if told != {bet.bet_seq: back[bet.patron_id] for bet in bets}:
                raise Breach("I5", f"{table.name} coup {table.coup_no}: results {told}")
            table.results[table.coup_no] = back
        elif phase is Phase.VOIDED:
            if not table.terms.clock:
                if table.bets:
                    raise Breach("I3", f"{table.name} coup {table.coup_no}: void with bets, where no clock runs")
            elif self.wall_is_steady and late_ms < LATE_NS // NS_PER_MS - SLACK_MS:
                raise Breach("deadline", f"{table.name} coup {table.coup_no}: void {late_ms} ms after its close")
            due = due_at_void(table.key, table.bets.values())
            table.results[table.coup_no] = {patron_id: dict(bet.stakes) for patron_id, bet in table.bets.items()}
            table.secret, table.drafts = None, {}
            self.voided += 1
        missing = due.difference(changes.transfers)
        if missing:
            raise Breach("I3", f"{table.name} coup {table.coup_no} {phase}: not paid: {sorted(missing)}")
        table.phase = phase
        if phase in (Phase.SETTLED, Phase.VOIDED):
            for bet in table.bets.values():
                came_back_minor = sum(table.results[table.coup_no][bet.patron_id].values())
                key = (table.key, bet.bet_seq)
                self.wishes.came_back(bet.patron_id, key, came_back_minor, is_void=phase is Phase.VOIDED)
            self.book.verify_escrow(table.key, 0)
            for patron_id in table.bets:
                self.book.verify_patron(patron_id, self._running(patron_id))
        if phase in ENDED:
            self.ended += 1
        return due

    def _running(self, patron_id: int) -> int:
        return sum(
            table.bets[patron_id].staked_minor
            for table in self.tables.values()
            if patron_id in table.bets and table.phase not in (*ENDED, Phase.SETTLED)
        )

    def _dealt(self, table: TableTruth, advanced: Advanced) -> None:
        dealing, opening, before = advanced.dealing, table.opening, table.shoe
        if dealing is None or opening is None or before is None or advanced.shoe is None:
            raise Breach("I9", f"{table.name} coup {table.coup_no}: dealt without cards")
        again = deal(before, opening.seed, opening.coup_no)
        if (again.coup, again.burned, again.shoe) != (dealing.coup, dealing.burned, shoe_of(advanced.shoe)):
            raise Breach("I9", f"{table.name} coup {table.coup_no}: the cards do not follow from seed and shoe")
        counts = list(before.counts)
        for card in (*dealing.burned, *dealing.coup.player_cards, *dealing.coup.banker_cards):
            counts[card.code] -= 1
        if min(counts) < 0 or tuple(counts) != again.shoe.counts:
            raise Breach("I9", f"{table.name} coup {table.coup_no}: cards and shoe disagree")
        self.book.verify_escrow(table.key, sum(bet.staked_minor for bet in table.bets.values()))
        hands = [list(map(str, hand)) for hand in (dealing.coup.player_cards, dealing.coup.banker_cards)]
        table.cards[table.coup_no] = (hands[0], hands[1], dealing.coup.outcome.value)
        table.shoe, table.secret = again.shoe, None

    def _events(self, table: TableTruth, changes: Changes) -> None:
        for seq, body in changes.events:
            if seq != table.seq + 1:
                raise Breach("I6", f"{table.name}: event {seq} after {table.seq}")
            table.seq = seq
            table.bodies[seq] = body
        parts = [changes.advanced.phase.value] if changes.advanced is not None else []
        parts += [f"{row.patron_id}:{row.request_id}:{row.act}" for row in changes.answers]
        crowd = f"{len(changes.bets)} bets" if changes.bets else ""
        self._log.add(f"kept {table.name} {table.coup_no} {table.seq} {' '.join(parts)} {crowd}")
        for _, body in changes.events:
            self._log.add(body.decode())


def adds(act: str) -> bool:
    """Whether an act, as it is kept, puts chips on the table."""
    return msgspec.json.decode(act)[0] not in ("unstage", "clear")


def added(steps: Sequence[Stakes]) -> dict[str, int]:
    """What staged steps come to."""
    total: dict[str, int] = {}
    for step in steps:
        for area, amount in step.items():
            total[area] = total.get(area, 0) + amount
    return total


def restaged(
    steps: tuple[Stakes, ...], act: str, details: Sequence[str | int], last: Stakes, clock: bool
) -> tuple[Stakes, ...]:
    """The steps after an act, said a second time."""
    match act, *details:
        case "submit", _:
            return steps
        case "stage", str(area), int(amount):
            return (*steps, {area: amount})
        case ("unstage",):
            return steps[:-1]
        case ("clear",):
            return ()
        case ("double",):
            return (*steps, added(steps))
        case "rebet", int(times), _, _:
            again = {area: amount * times for area, amount in last.items()}
            return (*steps, again) if clock else (again,)
    raise Breach("request", f"an act that nobody knows: {act} {details}")


def refused_by_limits(terms: Terms, stakes: Mapping[str, int]) -> bool:
    """Whether the coup's own limits forbid this bet."""
    limits = {str(limit.area): limit for limit in terms.limits}
    return any(
        area not in limits or not limits[area].min_minor <= amount <= limits[area].max_minor
        for area, amount in stakes.items()
    )
