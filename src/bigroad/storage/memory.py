"""The store for simulations: the same contract in dictionaries, gone with the process."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bigroad.app import log_records
from bigroad.app.log_records import LogRecord
from bigroad.app.store import (
    EVERYTHING,
    SHOE_MOST,
    BetResult,
    Changes,
    Claim,
    Cursor,
    Decide,
    KeptAnswer,
    Purse,
    Sitting,
    Spending,
    StaleOwner,
    StoredBet,
    StoredCoup,
    StoredPatron,
    StoredSession,
    StoredTable,
    StoreError,
    Wanted,
    Wish,
)
from bigroad.ledger import accounts, chain, transfers
from bigroad.ledger.accounts import Account, Balance
from bigroad.ledger.audit import verify_balances
from bigroad.ledger.chain import Entry, Signer, Unsigned
from bigroad.ledger.transfers import Transfer, TransferKind, added, postings
from bigroad.protection.guard import UNGUARDED, Change, Guard, applied
from bigroad.protection.periods import counted_since, day_of
from bigroad.protection.standing import Protected, Spent
from bigroad.storage.sqlite_apply import ANSWERED_COUPS
from bigroad.table.commands import Funds
from bigroad.table.events import Bet, Stakes
from bigroad.table.phases import Phase


@dataclass(slots=True)
class _Table:
    table_no: int
    epoch: int
    coups: list[StoredCoup] = field(default_factory=list)
    drafts: dict[int, tuple[Stakes, ...]] = field(default_factory=dict)
    answers: list[KeptAnswer] = field(default_factory=list)
    events: list[tuple[int, bytes]] = field(default_factory=list)
    bets: dict[int, dict[int, Bet]] = field(default_factory=dict)
    results: dict[tuple[int, int], BetResult] = field(default_factory=dict)
    bank_no: int | None = None
    patron_id: int | None = None
    exposure_minor: int = 0


class MemoryStore:
    """Implements `bigroad.app.store.Store`. signer: signs the log."""

    def __init__(self, signer: Signer | None = None) -> None:
        self._signer: Signer = signer or Unsigned()
        self._log: list[Entry] = []
        self._tables: dict[str, _Table] = {}
        self._balances: dict[Account, Balance] = {}
        self._transfers: dict[tuple[int, int, int], Transfer] = {}
        self._patrons: dict[int, StoredPatron] = {}
        self._sessions: dict[bytes, tuple[int, int]] = {}
        self._preferences: dict[int, str] = {}
        self._guards: dict[int, Guard] = {}
        self._guard_changes: dict[int, list[Change]] = {}
        self._days: dict[int, dict[int, Spent]] = {}
        self._sittings: dict[int, tuple[int, int]] = {}

    async def claim(self, table: str, bankroll_minor: int, at_utc_ms: int) -> Claim:
        """See Store."""
        known = self._tables.get(table)
        if known is None:
            known = self._tables[table] = _Table(len(self._tables) + 1, 0)
            key = transfers.dated_key(known.table_no, 0)
            bank = accounts.bank(known.table_no)
            self._move([Transfer(0, key, TransferKind.BANKROLL, accounts.WORLD, bank, bankroll_minor)])
        known.epoch += 1
        self._append([log_records.claimed(known.table_no, table)], known.epoch, at_utc_ms)
        return Claim(known.table_no, known.epoch)

    async def table_no(self, table: str) -> int | None:
        """See Store."""
        return self._tables[table].table_no if table in self._tables else None

    async def claim_seat(self, bank_no: int, patron_id: int, at_utc_ms: int) -> Claim:
        """See Store."""
        seat, name = self._seat(bank_no, patron_id), f"{self._name(bank_no)}/{patron_id}"
        if seat is None:
            seat = self._tables[name] = _Table(len(self._tables) + 1, 0, bank_no=bank_no, patron_id=patron_id)
        seat.epoch += 1
        self._append([log_records.claimed(seat.table_no, name)], seat.epoch, at_utc_ms)
        return Claim(seat.table_no, seat.epoch)

    def _name(self, table_no: int) -> str:
        return next(name for name, table in self._tables.items() if table.table_no == table_no)

    async def seat_no(self, bank_no: int, patron_id: int) -> int | None:
        """See Store."""
        seat = self._seat(bank_no, patron_id)
        return seat.table_no if seat else None

    async def seats_under_way(self, bank_no: int) -> Sequence[int]:
        """See Store."""
        running = (Phase.LOCKED, Phase.DEALT, Phase.SETTLED)
        return [
            table.patron_id
            for table in self._tables.values()
            if table.bank_no == bank_no and table.patron_id and table.coups and table.coups[-1].phase in running
        ]

    def _seat(self, bank_no: int, patron_id: int) -> _Table | None:
        tables = self._tables.values()
        return next((one for one in tables if one.bank_no == bank_no and one.patron_id == patron_id), None)

    async def load(self, table_no: int) -> StoredTable:
        """See Store."""
        table = self._table(table_no)
        last = table.coups[-1] if table.coups else None
        dealt = await self.shoe(table_no, last.shoe_no) if last else []
        bets = table.bets.get(last.coup_no, {}) if last else {}
        return StoredTable(
            seq=table.events[-1][0] if table.events else 0,
            last=last,
            shoe_coups=dealt,
            bets=[bets[seq] for seq in sorted(bets)],
            earlier_bets=list(table.bets.get(last.coup_no - 1, {}).values()) if last else [],
            drafts=dict(table.drafts),
            answers=list(table.answers),
            events=list(table.events),
            hold=self._hold(table),
        )

    async def commit(self, table_no: int, patron_ids: Sequence[int], decide: Decide, since_day: int = 0) -> Changes:
        """See Store."""
        available = {patron_id: self._balance(accounts.patron(patron_id)).available_minor for patron_id in patron_ids}
        table = self._table(table_no)
        protected = {
            patron_id: self._protected(patron_id, since_day) for patron_id in patron_ids if patron_id in self._guards
        }
        changes = decide(Funds(available, self._bank_minor(table), self._hold(table), protected))
        if changes.empty:
            return changes
        self._verify(table, changes)
        self._move(changes.transfers)
        self._apply(table, changes)
        self._spend(changes.spending)
        self._append(changes.log, changes.epoch, changes.at_utc_ms)
        return changes

    def _bank_minor(self, table: _Table) -> int:
        """What the paying bank has, less what its other seats can still cost it."""
        if table.bank_no is None:
            return self._balance(accounts.bank(table.table_no)).balance_minor
        others = (
            one.exposure_minor for one in self._tables.values() if one.bank_no == table.bank_no and one is not table
        )
        return self._balance(accounts.bank(table.bank_no)).balance_minor - sum(others)

    async def last_stakes(self, table_no: int, patron_ids: Sequence[int]) -> Mapping[int, Stakes]:
        """See Store."""
        return {patron_id: self._last_stakes(table_no, patron_id) for patron_id in patron_ids}

    def _last_stakes(self, table_no: int, patron_id: int) -> Stakes:
        bets = next((table.bets for table in self._tables.values() if table.table_no == table_no), {})
        for coup_no in sorted(bets, reverse=True):
            for bet in bets[coup_no].values():
                if bet.patron_id == patron_id:
                    return bet.stakes
        return {}

    async def create_guest(self, nickname: str, token_hash: bytes, grant_minor: int, at_utc_ms: int) -> StoredPatron:
        """See Store."""
        patron = StoredPatron(len(self._patrons) + 1, nickname, 0)
        key, owner = transfers.dated_key(patron.patron_id, 0), accounts.patron(patron.patron_id)
        self._move([Transfer(0, key, TransferKind.GRANT, accounts.WORLD, owner, grant_minor)])
        self._patrons[patron.patron_id] = patron
        self._sessions[token_hash] = patron.patron_id, at_utc_ms
        return patron

    async def session(self, token_hash: bytes) -> StoredSession | None:
        """See Store."""
        if token_hash not in self._sessions:
            return None
        patron_id, begun = self._sessions[token_hash]
        return StoredSession(token_hash, self._patrons[patron_id], begun, begun)

    async def patron(self, patron_id: int) -> StoredPatron:
        """See Store."""
        return self._patrons[patron_id]

    async def purse(self, patron_id: int) -> Purse:
        """See Store."""
        balance = self._balance(accounts.patron(patron_id))
        refilled_utc_ms = self._patrons[patron_id].refilled_utc_ms if patron_id in self._patrons else 0
        return Purse(balance.available_minor, balance.balance_minor, refilled_utc_ms)

    async def purses(self, patron_ids: Sequence[int]) -> Mapping[int, Purse]:
        """See Store."""
        return {patron_id: await self.purse(patron_id) for patron_id in patron_ids}

    async def refill(self, patron_id: int, below_minor: int, to_minor: int, utc_day: int, at_utc_ms: int) -> bool:
        """See Store."""
        key = transfers.dated_key(patron_id, utc_day)
        balance = self._balance(accounts.patron(patron_id)).balance_minor
        if balance >= below_minor or (0, key, TransferKind.REFILL) in self._transfers:
            return False
        owner = accounts.patron(patron_id)
        self._move([Transfer(0, key, TransferKind.REFILL, accounts.WORLD, owner, to_minor - balance)])
        self._patrons[patron_id] = self._patrons[patron_id]._replace(refilled_utc_ms=at_utc_ms)
        return True

    async def history(
        self, patron_id: int, limit: int, wanted: Wanted = EVERYTHING, before: Cursor | None = None
    ) -> Sequence[StoredBet]:
        """See Store."""
        found = [
            self._stored(table, coup_no, bet)
            for table in self._tables.values()
            for coup_no, bets in table.bets.items()
            for bet in bets.values()
            if bet.patron_id == patron_id
        ]
        fitting = [row for row in found if _fits(row, wanted) and (before is None or row.cursor < before)]
        return sorted(fitting, key=lambda row: row.cursor, reverse=True)[:limit]

    def _stored(self, table: _Table, coup_no: int, bet: Bet) -> StoredBet:
        name = self._name(table.bank_no or table.table_no)
        result = table.results.get((coup_no, bet.bet_seq))
        cursor = Cursor(bet.at_utc_ms, accounts.coup_key(table.table_no, coup_no))
        returned, after = (result.returned, result.balance_after_minor) if result else (None, None)
        return StoredBet(name, table.coups[coup_no - 1], bet, returned, after, cursor)

    async def own_bet(self, table_no: int, coup_no: int, patron_id: int) -> StoredBet | None:
        """See Store."""
        table = self._table(table_no)
        bets = table.bets.get(coup_no, {}).values()
        return next((self._stored(table, coup_no, bet) for bet in bets if bet.patron_id == patron_id), None)

    async def coup(self, table_no: int, coup_no: int) -> StoredCoup | None:
        """See Store."""
        coups = self._table(table_no).coups
        return coups[coup_no - 1] if 1 <= coup_no <= len(coups) else None

    async def preferences(self, patron_id: int) -> str | None:
        """See Store."""
        return self._preferences.get(patron_id)

    async def keep_preferences(self, patron_id: int, text: str) -> None:
        """See Store."""
        self._preferences[patron_id] = text

    async def protected(self, patron_id: int, since_day: int) -> Protected | None:
        """See Store."""
        return self._protected(patron_id, since_day) if patron_id in self._guards else None

    async def protect(self, patron_id: int, at_utc_ms: int, wish: Wish) -> Guard:
        """See Store."""
        guard = self._guards.get(patron_id, UNGUARDED)
        change = wish(guard)
        if change is None:
            return guard
        if patron_id not in self._guards:
            since_day = counted_since(at_utc_ms)
            self._spend(row for row in self._spending_of(patron_id) if row.day >= since_day)
        self._guard_changes.setdefault(patron_id, []).append(change)
        self._guards[patron_id] = applied(guard, change)
        return self._guards[patron_id]

    async def protection_changes(self, patron_id: int, limit: int) -> Sequence[Change]:
        """See Store."""
        return self._guard_changes.get(patron_id, [])[::-1][:limit]

    async def sit(self, patron_id: int, at_utc_ms: int, gap_ms: int) -> Sitting:
        """See Store."""
        started, seen = self._sittings.get(patron_id, (at_utc_ms, at_utc_ms))
        if seen < at_utc_ms - gap_ms:
            started = at_utc_ms
        self._sittings[patron_id] = (started, max(seen, at_utc_ms))
        rows = [
            row
            for row in await self.history(patron_id, 2**31)
            if row.bet.at_utc_ms >= started
            and row.returned is not None
            and row.coup.phase in (Phase.SETTLED, Phase.CLOSED)
            and row.coup.shown_until_utc_ms <= at_utc_ms
        ]
        back = sum(sum((row.returned or {}).values()) for row in rows)
        return Sitting(started, sum(row.bet.staked_minor for row in rows), back)

    def _protected(self, patron_id: int, since_day: int) -> Protected:
        days = self._days.get(patron_id, {})
        return Protected(self._guards[patron_id], [days[day] for day in sorted(days) if day >= since_day])

    def _spending_of(self, patron_id: int) -> Iterator[Spending]:
        """The patron's bets that count."""
        for table in self._tables.values():
            for coup_no, bets in table.bets.items():
                if table.coups[coup_no - 1].phase is Phase.VOIDED:
                    continue
                for bet in bets.values():
                    if bet.patron_id == patron_id:
                        result = table.results.get((coup_no, bet.bet_seq))
                        back = result.returned_minor if result else 0
                        yield Spending(patron_id, day_of(bet.at_utc_ms), bet.staked_minor, back)

    def _spend(self, rows: Iterable[Spending]) -> None:
        for patron_id, day, staked, returned in rows:
            days = self._days.setdefault(patron_id, {})
            before = days.get(day, Spent(day, 0, 0))
            days[day] = Spent(day, before.staked_minor + staked, before.returned_minor + returned)

    async def book(self) -> tuple[dict[Account, Balance], list[Transfer]]:
        """See Store."""
        return dict(self._balances), list(self._transfers.values())

    async def coups(self, table_no: int) -> Sequence[StoredCoup]:
        """See Store."""
        return list(self._table(table_no).coups)

    async def shoe(self, table_no: int, shoe_no: int) -> Sequence[StoredCoup]:
        """See Store."""
        dealt = [coup for coup in self._table(table_no).coups if coup.shoe_no == shoe_no and coup.player_cards]
        return dealt[-SHOE_MOST:]

    async def log(self) -> Sequence[Entry]:
        """See Store."""
        return list(self._log)

    async def log_entry(self, entry_no: int) -> Entry | None:
        """See Store."""
        return self._log[entry_no - 1] if 0 <= entry_no <= len(self._log) and self._log else None

    async def probe(self) -> None:
        """See Store."""

    async def close(self) -> None:
        """See Store."""

    def balance(self, account: Account) -> Balance:
        """An account's numbers, for checks in simulations."""
        return self._balance(account)

    def _hold(self, table: _Table) -> Balance:
        """The escrow of the table's last coup."""
        if not table.coups:
            return Balance()
        return self._balance(accounts.escrow(accounts.coup_key(table.table_no, table.coups[-1].coup_no)))

    def _append(self, records: Sequence[LogRecord], epoch: int, at_utc_ms: int) -> None:
        if records and not self._log:
            records = [log_records.begun(self._signer.public_key), *records]
        for record in records:
            last = self._log[-1] if self._log else chain.EMPTY
            self._log.append(chain.appended(last, record.body(epoch, at_utc_ms), self._signer))

    def _balance(self, account: Account) -> Balance:
        return self._balances.get(account, Balance())

    def _table(self, table_no: int) -> _Table:
        return next(table for table in self._tables.values() if table.table_no == table_no)

    def _move(self, rows: Sequence[Transfer]) -> None:
        keys = [(row.coup_key, row.bet_seq, row.kind) for row in rows]
        if len(set(keys)) != len(keys) or any(key in self._transfers for key in keys):
            raise StoreError("a transfer's key is used already")
        changes = postings(rows)
        after = added({account: self._balance(account) for account in changes}, changes)
        verify_balances(after)
        self._balances.update(after)
        self._transfers.update(zip(keys, rows, strict=True))

    def _verify(self, table: _Table, changes: Changes) -> None:
        if table.epoch != changes.epoch:
            raise StaleOwner(f"table {table.table_no} is at epoch {table.epoch}, not {changes.epoch}")
        last = table.coups[-1] if table.coups else None
        opened, advanced = changes.opened, changes.advanced
        if changes.open_coup_no is not None and (
            last is None or last.coup_no != changes.open_coup_no or last.phase is not Phase.OPEN
        ):
            raise StaleOwner(f"coup {changes.open_coup_no} is not open")
        if advanced is not None and (
            last is None or last.coup_no != advanced.coup_no or last.phase is not advanced.expected
        ):
            raise StaleOwner(f"coup {advanced.coup_no} is not {advanced.expected}")
        if opened is not None and opened.opening.coup_no != (last.coup_no if last else 0) + 1:
            raise StaleOwner(f"coup {opened.opening.coup_no} cannot follow")

    def _apply(self, table: _Table, changes: Changes) -> None:
        if changes.opened is not None:
            opening = changes.opened.opening
            table.coups.append(
                StoredCoup(
                    coup_no=opening.coup_no,
                    shoe_no=opening.shoe_no,
                    phase=Phase.OPEN,
                    seed=opening.seed,
                    opened_utc_ms=opening.opened_utc_ms,
                    closes_utc_ms=opening.closes_utc_ms,
                    deals_utc_ms=opening.deals_utc_ms,
                    shown_until_utc_ms=0,
                    last_of_shoe=opening.last_of_shoe,
                    terms=changes.opened.terms,
                    shoe=changes.opened.shoe,
                    player_cards=(),
                    banker_cards=(),
                    burned=(),
                    cards_left=opening.cards_left,
                    fast=False,
                    profile=changes.opened.profile,
                    outcome=None,
                )
            )
            oldest = opening.coup_no - ANSWERED_COUPS
            table.answers = [row for row in table.answers if row.coup_no > oldest]
        if changes.drop_drafts:
            table.drafts.clear()
        for patron_id, steps in changes.drafts.items():
            table.drafts.pop(patron_id, None)
            if steps:
                table.drafts[patron_id] = steps
        for bet in changes.bets:
            table.bets.setdefault(changes.open_coup_no or 0, {})[bet.bet_seq] = bet
        if changes.advanced is not None:
            self._advance(table, changes)
        table.answers.extend(changes.answers)
        table.events.extend(changes.events)
        del table.events[: -changes.tail]

    @staticmethod
    def _advance(table: _Table, changes: Changes) -> None:
        advanced = changes.advanced
        if advanced is None:
            return
        coup = replace(table.coups[-1], phase=advanced.phase)
        table.exposure_minor = advanced.exposure_minor
        if advanced.locked is not None:
            locked = advanced.locked
            coup = replace(coup, closes_utc_ms=locked.closes_utc_ms, deals_utc_ms=locked.deals_utc_ms, fast=locked.fast)
        if advanced.dealing is not None:
            dealing = advanced.dealing
            coup = replace(
                coup,
                shown_until_utc_ms=dealing.shown_until_utc_ms,
                deals_utc_ms=dealing.deals_utc_ms,
                shoe=advanced.shoe or coup.shoe,
                player_cards=tuple(map(str, dealing.coup.player_cards)),
                banker_cards=tuple(map(str, dealing.coup.banker_cards)),
                burned=tuple(map(str, dealing.burned)),
                outcome=dealing.coup.outcome.value,
            )
        table.coups[-1] = coup
        for row in changes.results:
            table.results[(advanced.coup_no, row.bet_seq)] = row


def _fits(row: StoredBet, wanted: Wanted) -> bool:
    back = sum((row.returned or {}).values())
    ended = row.coup.phase in (Phase.SETTLED, Phase.CLOSED)
    results = {"won": back > row.bet.staked_minor, "lost": back < row.bet.staked_minor}
    return (
        wanted.table in (None, row.table)
        and wanted.profile in (None, row.coup.profile)
        and wanted.outcome in (None, row.coup.outcome)
        and (wanted.result is None or (ended and results.get(wanted.result, back == row.bet.staked_minor)))
        and (wanted.from_utc_ms is None or row.bet.at_utc_ms >= wanted.from_utc_ms)
        and (wanted.to_utc_ms is None or row.bet.at_utc_ms < wanted.to_utc_ms)
    )
