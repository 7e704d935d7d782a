"""What patrons may be told: only what is in the store, and never a card before its time."""

from typing import Any

import msgspec

from bigroad.app.ports import News
from bigroad.simulation.truth import REMEMBERED_COUPS, TableTruth, Truth, added
from bigroad.simulation.world import Breach
from bigroad.table.phases import Phase

FLEETING = frozenset({"STORE_UNAVAILABLE", "INTERNAL", "TABLE_CLOSED", "RATE_LIMITED"})
"""Refusals that judge nothing: the patron may ask again."""
PUBLIC = frozenset({"shoe_changed", "coup_opened", "bets_locked", "coup_dealt", "coup_voided"})
CACHED = 256


class Told:
    """Looks at every message on its way out. Raises Breach.

    told: how many messages. variants: by request id, the different bodies that were sent under it.
    """

    def __init__(self, truth: Truth) -> None:
        self.told = 0
        self.variants: dict[str, set[str]] = {}
        self._truth = truth
        self._decoded: dict[bytes, dict[str, Any]] = {}
        self._published: set[bytes] = set()
        self._verdicts: dict[tuple[int, str], tuple[str, int]] = {}
        self._epochs: dict[tuple[int, str], int] = {}

    def verify(self, server: int, table_name: str, patron_id: int, body: bytes) -> dict[str, Any]:
        """One message to one patron, from one process; answers what it says."""
        self.told += 1
        message = self._decoded.get(body)
        known = message is not None
        if message is None:
            message = self._decode(body)
        kind, table = message["type"], self._truth.tables[table_name]
        if kind in PUBLIC:
            if table.bodies.get(message["seq"]) != body:
                raise Breach("told", f"{table_name}: told before it was kept: {body[:200]!r}")
        elif kind == "totals":
            if not known:
                _verify_totals(table, message)
        elif kind == "table_closed":
            if message["reason"] in ("broken", "taken_over") and message["epoch"] == table.epoch:
                raise Breach("stopped", f"{table_name} has stopped, though nobody else owns it")
        elif kind == "snapshot":
            self._epochs[server, table_name] = message["epoch"]
            _verify_snapshot(table, message)
        elif kind == "receipt":
            self._verify_receipt(server, table, patron_id, message)
        elif kind == "staged":
            self._verify_staged(server, table, patron_id, message)
        elif kind == "settled":
            _verify_settled(table, patron_id, message)
        elif kind == "refused":
            self._verify_refused(server, table, patron_id, message)
        elif kind == "you" and body not in self._published:
            self._verify_you(server, table, patron_id, message)
        return message

    def verify_published(self, server: int, table_name: str, item: News) -> None:
        """What goes to the bus, whether anybody listens or not. A patron's own side is true when it is published; when
        it is told, news that follows it may be true already."""
        if item.body.startswith(b'{"type":"table_closed"'):
            self.verify(server, table_name, 0, item.body)
        elif item.body.startswith(b'{"type":"you"'):
            self.verify(server, table_name, item.patron_id or 0, item.body)
            self._published.add(item.body)

    def _decode(self, body: bytes) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(body)
        for table in self._truth.tables.values():
            if table.secret is not None and table.secret in body:
                raise Breach("secret", f"{table.name}: the seed is out before the deal: {body[:200]!r}")
        if b"_cards" in body and message["type"] not in ("coup_dealt", "snapshot"):
            raise Breach("secret", f"cards in {body[:200]!r}")
        if len(self._decoded) >= CACHED:
            self._decoded.clear()
        self._decoded[body] = message
        return message

    def _verify_receipt(self, server: int, table: TableTruth, patron_id: int, message: dict[str, Any]) -> None:
        bet = table.all_bets.get(message["coup"], {}).get(patron_id)
        if bet is None or (message["bet_seq"], message["stakes"], message["automatic"]) != (
            bet.bet_seq,
            dict(bet.stakes),
            bet.automatic,
        ):
            raise Breach("told", f"{table.name}: patron {patron_id} has {bet}, told {message}")
        self._verdict(server, table, patron_id, message, "receipt")

    def _verify_staged(self, server: int, table: TableTruth, patron_id: int, message: dict[str, Any]) -> None:
        request_id = message["request_id"]
        if request_id is None:
            return
        kept = table.effects.get((patron_id, request_id))
        if kept is None or msgspec.json.decode(kept.answer)["staged"] != message["steps"]:
            raise Breach("told", f"{table.name}: patron {patron_id} told {message}, kept {kept}")
        self._verdict(server, table, patron_id, message, "staged")

    def _verify_refused(self, server: int, table: TableTruth, patron_id: int, message: dict[str, Any]) -> None:
        request_id, code = message["request_id"], message["code"]
        if request_id is None or code in FLEETING:
            return
        if code == "CONFLICT":
            if len(self.variants.get(request_id, ())) < 2:
                raise Breach("verdict", f"{table.name}: CONFLICT for {request_id}, which was sent with one body")
            return
        kept = table.effects.get((patron_id, request_id))
        if kept is not None and len(self.variants.get(request_id, ())) < 2:
            forgotten = code == "STALE_COUP" and table.coup_no >= kept.coup_no + REMEMBERED_COUPS
            if not forgotten:
                raise Breach("verdict", f"{table.name}: {request_id} was accepted, then refused with {code}")
        self._verdict(server, table, patron_id, message, "refused")

    def _verdict(self, server: int, table: TableTruth, patron_id: int, message: dict[str, Any], kind: str) -> None:
        """Once accepted, always accepted; and refused for as long as the process lives (it is not kept)."""
        request_id = message["request_id"]
        if request_id is None or len(self.variants.get(request_id, ())) > 1:
            return
        key = (patron_id, request_id)
        before, by = self._verdicts.get(key, (kind, server))
        if before != kind and (before != "refused" or by == server) and message.get("code") != "STALE_COUP":
            raise Breach("verdict", f"{table.name}: {request_id} of patron {patron_id}: {before}, then {kind}")
        self._verdicts[key] = (kind, server)

    def _verify_you(self, server: int, table: TableTruth, patron_id: int, message: dict[str, Any]) -> None:
        coup = message["coup"]
        receipt, settled = message["receipt"], message["settled"]
        if self._epochs.get((server, table.name), table.epoch) < table.epoch:
            return  # from one that was the owner, and greets again who had been behind: it knows no better
        bet = table.all_bets.get(coup, {}).get(patron_id)
        if receipt is not None:
            self._verify_receipt(server, table, patron_id, receipt)
        elif bet is not None and coup == table.coup_no:
            raise Breach("told", f"{table.name}: patron {patron_id} has {bet} and is told of none")
        if settled is not None:
            _verify_settled(table, patron_id, settled)
        elif bet is not None and coup == table.coup_no and patron_id in table.results.get(coup, {}):
            raise Breach("told", f"{table.name}: patron {patron_id} is not told how coup {coup} ended")
        if coup == table.coup_no and table.phase is Phase.OPEN:
            staged = added(table.drafts.get(patron_id, ()))
            if message["staged"]["stakes"] != staged:
                raise Breach("told", f"{table.name}: patron {patron_id} staged {staged}, told {message['staged']}")


def _verify_totals(table: TableTruth, message: dict[str, Any]) -> None:
    """I10: gold totals are the sum of the bets so far; each patron's are those less one's own."""
    counted = [bet for bet in table.all_bets.get(message["coup"], {}).values() if bet.bet_seq <= message["bet_seq"]]
    totals = added([bet.stakes for bet in counted])
    if message["totals"] != totals or message["bettors"] != len(counted):
        raise Breach("I10", f"{table.name}: told {message}, the bets come to {totals}")


def _verify_snapshot(table: TableTruth, message: dict[str, Any]) -> None:
    _verify_totals(table, message["totals"])
    opened, dealt = message["opened"], message["dealt"]
    if message["seq"] > table.seq or message["epoch"] > table.epoch:
        raise Breach("told", f"{table.name}: a snapshot of the future: {message['seq']} after {table.seq}")
    if dealt is not None:
        hands = table.cards.get(dealt["coup"])
        if hands is None or list(hands) != [dealt["player_cards"], dealt["banker_cards"], dealt["outcome"]]:
            raise Breach("secret", f"{table.name}: cards of coup {dealt['coup']} that are not dealt")
    if message["epoch"] == table.epoch and opened is not None and opened["coup"] != table.coup_no:
        raise Breach("told", f"{table.name}: a snapshot of coup {opened['coup']} in coup {table.coup_no}")


def _verify_settled(table: TableTruth, patron_id: int, message: dict[str, Any]) -> None:
    due = table.results.get(message["coup"], {}).get(patron_id)
    if due is None or message["returned"] != due or message["returned_minor"] != sum(due.values()):
        raise Breach("told", f"{table.name}: patron {patron_id} is due {due}, told {message}")
    if message["balance_minor"] - message["balance_before_minor"] != message["returned_minor"]:
        raise Breach("told", f"{table.name}: balances that do not add up: {message}")
