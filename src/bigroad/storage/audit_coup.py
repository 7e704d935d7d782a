"""Everything that can be said against one kept coup: its numbers, cards, bets, money and records.

Nothing is believed because it is written down: the cards are dealt again from the seed and the shoe before, the bets
are paid again from the cards and the frozen rules, and what the log of rounds signed must be what the rows say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bigroad.app.log_records import LogKind, bets_hash, hash_of, results_hash
from bigroad.app.shoe_record import coup_of
from bigroad.app.store import StoredBet, StoredCoup
from bigroad.app.texts import shoe_of, shoe_text, terms_of
from bigroad.fairness.deal import commitment, deal
from bigroad.ledger import book
from bigroad.ledger.transfers import Transfer
from bigroad.rules.settle import settle
from bigroad.rules.shoe import Shoe
from bigroad.storage.errors import AuditFailed
from bigroad.storage.keys import is_sealed
from bigroad.table.phases import ENDED, Phase
from bigroad.table.terms import Terms

_DEALT = (Phase.DEALT, Phase.SETTLED, Phase.CLOSED)
_PAID = (Phase.SETTLED, Phase.CLOSED)
_ROUND = (LogKind.OPENED, LogKind.LOCKED, LogKind.DEALT, LogKind.SETTLED, LogKind.VOIDED)
_PATHS = {
    Phase.OPEN: [["opened"]],
    Phase.LOCKED: [["opened", "locked"]],
    Phase.DEALT: [["opened", "locked", "dealt"]],
    Phase.SETTLED: [["opened", "locked", "dealt", "settled"]],
    Phase.CLOSED: [["opened", "locked", "dealt", "settled"]],
    Phase.VOIDED: [
        ["opened", "voided"],
        ["opened", "locked", "voided"],
        ["opened", "locked", "dealt", "voided"],
    ],
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as kept. logged_from: the first coup that has entries in the log, None where none has. bank_no: the table
    whose bank pays, None for its own. told_as: what its events call it; a seat's call it as the table it belongs to."""

    table_no: int
    table_id: str
    epoch: int
    logged_from: int | None
    bank_no: int | None
    told_as: str


@dataclass(frozen=True, slots=True)
class KeptCoup:
    """A coup with all its rows. epochs: of the coup and of its transfers. log: entry number and what it says."""

    coup: StoredCoup
    epoch: int
    bets: Sequence[StoredBet]
    returned_minor: Sequence[int | None]
    transfers: Sequence[Transfer]
    transfer_epochs: Sequence[int]
    log: Sequence[tuple[int, Mapping[str, Any]]]


@dataclass(slots=True)
class CoupAudit:
    """Walks the coups of one table in order; each is held against the one before.

    after_restore: by the last coup that an older database had, the number that the table went on behind.
    """

    table: TableRow
    after_restore: Mapping[int, int]
    before: KeptCoup | None = None
    _shoe: Shoe | None = field(default=None)

    def check(self, kept: KeptCoup, *, last: bool) -> None:
        """Hold one coup against everything. last: no coup follows. Raises AuditFailed."""
        self._check_numbers(kept, last=last)
        terms = self._read(kept, "terms", lambda: terms_of(kept.coup.terms))
        self._check_bets(kept, terms)
        shoe_before = self._check_cards(kept, terms)
        self._check_money(kept, terms)
        self._check_log(kept, shoe_before)
        self.before = kept

    def fail(self, kept: KeptCoup, invariant: str, row: str, why: str) -> AuditFailed:
        """What is wrong, with its place."""
        where = f"table {self.table.table_id}, coup {kept.coup.coup_no}"
        return AuditFailed(invariant, f"{where}, {row}" if row else where, why)

    def _read(self, kept: KeptCoup, row: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except Exception as problem:
            raise self.fail(kept, "rows", row, f"cannot be read: {problem}") from problem

    # ---- I6, I8

    def _check_numbers(self, kept: KeptCoup, *, last: bool) -> None:
        coup, before = kept.coup, self.before.coup if self.before else None
        due = (before.coup_no if before else 0) + 1
        skipped_to = self.after_restore.get(due - 1)
        if coup.coup_no not in (due, (skipped_to or 0) + 1):
            raise self.fail(kept, "I6", "", f"it follows coup {due - 1}, and no restore explains the gap")
        if not last and coup.phase not in ENDED:
            raise self.fail(kept, "I6", "", f"it is {coup.phase} though another coup follows")
        if self.before is not None and kept.epoch < self.before.epoch:
            raise self.fail(kept, "I8", "", f"epoch {kept.epoch} after epoch {self.before.epoch}")
        if not 0 < kept.epoch <= self.table.epoch:
            raise self.fail(kept, "I8", "", f"epoch {kept.epoch}, but the table is at {self.table.epoch}")
        if any(not 0 < epoch <= self.table.epoch for epoch in kept.transfer_epochs):
            raise self.fail(kept, "I8", "a transfer", f"its epoch is none of the table's 1 to {self.table.epoch}")
        if coup.shoe_no not in ((before.shoe_no, before.shoe_no + 1) if before else (1,)):
            raise self.fail(kept, "I6", "", f"shoe {coup.shoe_no} follows shoe {before.shoe_no if before else 0}")
        if coup.closes_utc_ms is None and coup.phase not in (Phase.OPEN, Phase.VOIDED):
            raise self.fail(kept, "rows", "its moments", "it is locked and nobody knows since when")
        if coup.closes_utc_ms is not None and coup.closes_utc_ms < coup.opened_utc_ms:
            raise self.fail(kept, "rows", "its moments", "it closes before it opens")
        if coup.phase in _DEALT and coup.shown_until_utc_ms < (coup.deals_utc_ms or 0):
            raise self.fail(kept, "rows", "its moments", "it is shown until before it is dealt")

    # ---- I7

    def _check_bets(self, kept: KeptCoup, terms: Terms) -> None:
        patrons: set[int] = set()
        for number, row in enumerate(kept.bets, 1):
            bet, name = row.bet, f"bet {row.bet.bet_seq}"
            if bet.bet_seq != number:
                raise self.fail(kept, "I7", name, f"it stands where bet {number} is due")
            if bet.patron_id in patrons:
                raise self.fail(kept, "I7", name, f"patron {bet.patron_id} has bet before in this coup")
            patrons.add(bet.patron_id)
            if bet.staked_minor != sum(bet.stakes.values()):
                raise self.fail(kept, "I10", name, f"{dict(bet.stakes)} is not {bet.staked_minor}")
            for area, amount in bet.stakes.items():
                limit = terms.limit(area)
                if limit is None or not limit.min_minor <= amount <= limit.max_minor:
                    raise self.fail(kept, "I7", name, f"{amount} on {area} is outside the limits of the coup")
            closes_utc_ms = kept.coup.closes_utc_ms
            if not bet.automatic and (closes_utc_ms is None or bet.at_utc_ms > closes_utc_ms):
                raise self.fail(kept, "I7", name, "it came after the close")

    # ---- I9

    def _check_cards(self, kept: KeptCoup, terms: Terms) -> Shoe:
        """Deal it again. Answers the shoe before the coup."""
        coup = kept.coup
        shoe: Shoe = self._read(kept, "its shoe", lambda: shoe_of(coup.shoe))
        before = self._shoe_before(coup, terms)
        last = before.last_coup and terms.shoe == "kept"
        if (coup.cards_left, coup.last_of_shoe) != (before.cards_left, last):
            raise self.fail(kept, "I9", "", f"{coup.cards_left} cards were left, {before.cards_left} are due")
        if coup.phase in (Phase.OPEN, Phase.LOCKED) or (coup.phase is Phase.VOIDED and not coup.player_cards):
            if coup.player_cards or coup.banker_cards or coup.burned:
                raise self.fail(kept, "I9", "its cards", f"it has some though it is {coup.phase}")
            if shoe != before:
                raise self.fail(kept, "I9", "its shoe", "it was not dealt, but its shoe has changed")
        else:
            dealt = self._read(kept, "its seed", lambda: deal(before, coup.seed, coup.coup_no))
            due = tuple(
                tuple(map(str, cards)) for cards in (dealt.coup.player_cards, dealt.coup.banker_cards, dealt.burned)
            )
            if due != (coup.player_cards, coup.banker_cards, coup.burned):
                raise self.fail(kept, "I9", "its cards", f"the seed deals {due[0]} and {due[1]}")
            if coup.outcome != dealt.coup.outcome:
                raise self.fail(kept, "I9", "its outcome", f"it is kept as {coup.outcome}")
            if shoe != dealt.shoe:
                raise self.fail(kept, "I9", "its shoe", "it is not what the coup left")
        self._shoe = shoe
        return before

    def _shoe_before(self, coup: StoredCoup, terms: Terms) -> Shoe:
        before = self.before
        if terms.shoe == "every_round":
            return Shoe.for_one_coup(terms.decks)
        if before is None or before.coup.shoe_no != coup.shoe_no or self._shoe is None:
            return Shoe.fresh(terms.decks)
        return self._shoe

    # ---- I3, I4, I5

    def _check_money(self, kept: KeptCoup, terms: Terms) -> None:
        coup, no, bets = kept.coup, self.table.table_no, [row.bet for row in kept.bets]
        due = [book.stake(no, coup.coup_no, bet.bet_seq, bet.patron_id, bet.staked_minor) for bet in bets]
        if coup.phase is Phase.VOIDED:
            due += book.void(no, coup.coup_no, [(bet.bet_seq, bet.patron_id, bet.staked_minor) for bet in bets])
        if coup.phase in _PAID:
            due += self._payouts(kept, terms)
        for row, total in zip(kept.bets, kept.returned_minor, strict=True):
            back = dict(row.returned) if row.returned is not None else None
            wanted = self._returned(kept, row, terms)
            if back != wanted or total != (sum(wanted.values()) if wanted is not None else None):
                raise self.fail(kept, "I5", f"bet {row.bet.bet_seq}", f"{back} came back, {wanted} was due")
        wanted_rows = {(row.bet_seq, row.kind): row for row in due}
        for transfer in kept.transfers:
            name = f"transfer {transfer.kind.name} {transfer.bet_seq}"
            wanted_row = wanted_rows.pop((transfer.bet_seq, transfer.kind), None)
            if wanted_row is None:
                raise self.fail(kept, "I3", name, f"nothing in a {coup.phase} coup calls for it")
            if not same(transfer, wanted_row):
                raise self.fail(kept, "I5" if transfer.bet_seq == 0 else "I3", name, f"due was {wanted_row[3:]}")
        for missing in wanted_rows.values():
            raise self.fail(kept, "I3", f"transfer {missing.kind.name} {missing.bet_seq}", "it is missing")

    def _payouts(self, kept: KeptCoup, terms: Terms) -> list[Transfer]:
        outcome = self._outcome(kept)
        rows, commission_minor = [], 0
        for bet in (row.bet for row in kept.bets):
            result = settle(bet.stakes, outcome, terms.paytable)
            commission_minor += result.commission_minor
            rows.append((bet.bet_seq, bet.patron_id, bet.staked_minor, result.returned_total_minor))
        return book.settlement(self.table.table_no, kept.coup.coup_no, rows, commission_minor, self.table.bank_no)

    def _returned(self, kept: KeptCoup, row: StoredBet, terms: Terms) -> dict[str, int] | None:
        if kept.coup.phase is Phase.VOIDED:
            return dict(row.bet.stakes)
        if kept.coup.phase not in _PAID:
            return None
        return dict(settle(row.bet.stakes, self._outcome(kept), terms.paytable).returned_minor)

    def _outcome(self, kept: KeptCoup) -> Any:
        return self._read(kept, "its cards", lambda: coup_of(kept.coup).outcome)

    # ---- I6: what was signed

    def _check_log(self, kept: KeptCoup, shoe_before: Shoe) -> None:
        coup = kept.coup
        if self.table.logged_from is None or coup.coup_no < self.table.logged_from:
            return  # older than the log
        told = {str(body["kind"]): (number, body) for number, body in kept.log if body["kind"] in _ROUND}
        kinds = [str(body["kind"]) for _, body in kept.log if body["kind"] in _ROUND]
        if kinds not in _PATHS[coup.phase]:
            raise self.fail(kept, "I6", "the log", f"says {kinds} of a coup that is {coup.phase}")
        bets = [row.bet for row in kept.bets]
        facts: dict[str, dict[str, Any]] = {
            "opened": {
                "shoe": coup.shoe_no,
                "opened_utc_ms": coup.opened_utc_ms,
                "cards_left": coup.cards_left,
                "last_of_shoe": coup.last_of_shoe,
                "rules_hash": hash_of(coup.terms),
                "shoe_hash": hash_of(shoe_text(shoe_before)),
                "commitment": commitment(coup.seed).hex() if len(coup.seed) == 32 else "",
            },
            "locked": {
                "bets": len(bets),
                "staked_minor": sum(bet.staked_minor for bet in bets),
                "bets_hash": bets_hash(bets),
            },
            "dealt": {
                "seed": coup.seed.hex(),
                "player_cards": list(coup.player_cards),
                "banker_cards": list(coup.banker_cards),
                "burned": list(coup.burned),
                "shoe_hash": hash_of(coup.shoe),
            },
            "settled": {
                "results_hash": results_hash(
                    (row.bet.bet_seq, row.returned or {}, total or 0)
                    for row, total in zip(kept.bets, kept.returned_minor, strict=True)
                )
            },
            "voided": {"seed": coup.seed.hex(), "bets_hash": bets_hash(bets)},
        }
        if is_sealed(coup.seed) and coup.phase in (Phase.OPEN, Phase.LOCKED):
            del facts["opened"]["commitment"]  # nobody but the server can read it yet
        for kind, (number, body) in told.items():
            for name, value in facts[kind].items():
                if body.get(name) != value:
                    raise self.fail(
                        kept, "I6", f"{name.replace('_', ' ')}", f"entry {number} of the log says {body.get(name)!r}"
                    )


def same(transfer: Transfer, due: Transfer) -> bool:
    """Is it what was due?"""
    return transfer == due
