"""What the log of rounds says: one JSON object an entry, its keys sorted, so that the same record is the same bytes.

kind       when, and what it fixes
────────   ───────────────────────────────────────────────────────────────────────────────
begun      the first entry, and the first one after a key was handed over: whose key signs
rekeyed    the last entry of a key: which key signs from here on, and the mark of the seal that goes with it
claimed    an owner takes a table over, with its epoch
rules      the rules that the next coup opens with, whole: the first ones, and every change
opened     a coup, its commitment, its moments, hashes of its rules and of its shoe
locked     how many bets, their total, the hash of the accepted set
dealt      the seed, every card, the hash of the shoe that is left
settled    what came back, the commission, the hash of every result
voided     why, the seed, and the stakes that are back
stopped    a significant event: the table broke off, and why
restored   a significant event: the operator took up an older database; its coup numbers go on behind the gap

An entry of a table has `wall_ahead_ms` where the machine's wall clock was set since the server started: by so much it
shows more than the moments in the entry, which go on with the time of the start.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from bigroad.table.events import Bet, CoupDealt, Opening, Stakes


class LogKind(StrEnum):
    """The kinds of entries; the values are what is kept."""

    BEGUN = "begun"
    REKEYED = "rekeyed"
    CLAIMED = "claimed"
    RULES = "rules"
    OPENED = "opened"
    LOCKED = "locked"
    DEALT = "dealt"
    SETTLED = "settled"
    VOIDED = "voided"
    STOPPED = "stopped"
    RESTORED = "restored"


class LogRecord(NamedTuple):
    """An entry before it is chained. table_no 0: no table's. coup_no 0: no coup's."""

    kind: LogKind
    table_no: int
    coup_no: int
    facts: Mapping[str, Any]

    def body(self, epoch: int, at_utc_ms: int) -> bytes:
        """The bytes that are kept, hashed and signed."""
        head = {"kind": self.kind.value, "table_no": self.table_no, "coup": self.coup_no}
        return _canonical({**self.facts, **head, "epoch": epoch, "at_utc_ms": at_utc_ms})


def hash_of(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def bets_hash(bets: Iterable[Bet]) -> str:
    """Fixes the accepted set: who, what, in which order, and whether the server submitted it."""
    rows = sorted(bet[:6] for bet in bets)
    return sha256(_canonical(rows)).hexdigest()


def results_hash(results: Iterable[tuple[int, Stakes, int]]) -> str:
    """Fixes what every bet got back. results: (bet_seq, returned by area, returned_minor)."""
    return sha256(_canonical(sorted(results))).hexdigest()


def begun(public_key: bytes) -> LogRecord:
    """The first entry of a key."""
    return LogRecord(LogKind.BEGUN, 0, 0, {"public_key": public_key.hex()})


def rekeyed(public_key: bytes, seal_mark: bytes) -> LogRecord:
    """The last entry of a key: that key signs from here on, and the seal of that mark has every open seed."""
    return LogRecord(LogKind.REKEYED, 0, 0, {"public_key": public_key.hex(), "seal_mark": seal_mark.hex()})


def claimed(table_no: int, table: str) -> LogRecord:
    """A table has an owner."""
    return LogRecord(LogKind.CLAIMED, table_no, 0, {"table": table})


def rules(table_no: int, coup_no: int, before: str | None, terms: str) -> LogRecord:
    """Other rules from this coup on. before and terms: texts of `app.texts`; None for a table's first."""
    facts = {"rules": terms, "rules_hash": hash_of(terms), "before_hash": hash_of(before) if before else None}
    return LogRecord(LogKind.RULES, table_no, coup_no, facts)


def opened(table_no: int, opening: Opening, terms: str, shoe: str) -> LogRecord:
    """A coup takes bets."""
    return LogRecord(
        LogKind.OPENED,
        table_no,
        opening.coup_no,
        {
            "shoe": opening.shoe_no,
            "commitment": opening.commitment.hex(),
            "opened_utc_ms": opening.opened_utc_ms,
            "closes_utc_ms": opening.closes_utc_ms,
            "deals_utc_ms": opening.deals_utc_ms,
            "cards_left": opening.cards_left,
            "last_of_shoe": opening.last_of_shoe,
            "rules_hash": hash_of(terms),
            "shoe_hash": hash_of(shoe),
        },
    )


def locked(table_no: int, coup_no: int, bets: Sequence[Bet]) -> LogRecord:
    """The accepted set is final."""
    facts = {"bets": len(bets), "staked_minor": sum(bet.staked_minor for bet in bets), "bets_hash": bets_hash(bets)}
    return LogRecord(LogKind.LOCKED, table_no, coup_no, facts)


def dealt(table_no: int, event: CoupDealt, shoe: str) -> LogRecord:
    """The cards are out."""
    coup = event.dealing.coup
    return LogRecord(
        LogKind.DEALT,
        table_no,
        event.opening.coup_no,
        {
            "seed": event.opening.seed.hex(),
            "player_cards": [str(card) for card in coup.player_cards],
            "banker_cards": [str(card) for card in coup.banker_cards],
            "burned": [str(card) for card in event.dealing.burned],
            "outcome": coup.outcome.value,
            "cards_left": event.dealing.cards_left,
            "shoe_hash": hash_of(shoe),
        },
    )


def settled(
    table_no: int, coup_no: int, results: Sequence[tuple[int, Stakes, int]], commission_minor: int
) -> LogRecord:
    """Everybody is paid."""
    facts = {
        "bets": len(results),
        "returned_minor": sum(total for _, _, total in results),
        "commission_minor": commission_minor,
        "results_hash": results_hash(results),
    }
    return LogRecord(LogKind.SETTLED, table_no, coup_no, facts)


def voided(table_no: int, coup_no: int, reason: str, seed: bytes, bets: Sequence[Bet]) -> LogRecord:
    """Every stake is back."""
    facts = {
        "reason": reason,
        "seed": seed.hex(),
        "bets": len(bets),
        "staked_minor": sum(bet.staked_minor for bet in bets),
        "bets_hash": bets_hash(bets),
    }
    return LogRecord(LogKind.VOIDED, table_no, coup_no, facts)


def stopped(table_no: int, coup_no: int, reason: str, detail: str) -> LogRecord:
    """The table broke off."""
    return LogRecord(LogKind.STOPPED, table_no, coup_no, {"reason": reason, "detail": detail})


def restored(
    table_no: int, coup_no: int, published_entry_no: int, published_hash: bytes, last_entry_no: int, skipped_to: int
) -> LogRecord:
    """The table goes on from an older database. coup_no: its last coup there. skipped_to: numbers up to this one may
    have been used in what is lost."""
    facts = {
        "published_entry": published_entry_no,
        "published_hash": published_hash.hex(),
        "last_entry": last_entry_no,
        "skipped_to": skipped_to,
    }
    return LogRecord(LogKind.RESTORED, table_no, coup_no, facts)


def flagged(records: Iterable[LogRecord], wall_ahead_ms: int) -> list[LogRecord]:
    """The same, saying that the wall clock shows another time."""
    return [record._replace(facts={**record.facts, "wall_ahead_ms": wall_ahead_ms}) for record in records]


def _canonical(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")
