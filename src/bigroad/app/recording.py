"""From what a step brought about to what the store keeps and what is told."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never, get_args

from bigroad.app import log_records
from bigroad.app.ports import News
from bigroad.app.store import Advanced, BetResult, Changes, Opened, Spending
from bigroad.app.texts import kept_answer, shoe_text, terms_text
from bigroad.ledger.transfers import TransferKind
from bigroad.protection.periods import day_of
from bigroad.table import events
from bigroad.table.commands import PatronCommand
from bigroad.table.exposure import worst_loss_minor
from bigroad.table.phases import Phase
from bigroad.table.state import TableState
from bigroad.wire import translate


@dataclass(slots=True)
class Record:
    """Everything that one commit keeps, and what is told once it is kept. replies: to the asking socket alone, by the
    position of its command in the batch. rules_before: the text of the rules so far, None for a new table. counted:
    the patrons whose days are summed up."""

    changes: Changes
    rules_before: str | None = None
    news: list[News] = field(default_factory=list)
    replies: dict[int, bytes] = field(default_factory=dict)
    totals_changed: bool = False
    counted: Container[int] = ()


_PUBLIC: Final = get_args(events.Public)


def note(
    record: Record,
    table: str,
    state: TableState,
    happened: Sequence[events.Event],
    command: PatronCommand | None,
    at: int,
) -> None:
    """Add one step to the record. state: after the step, or after those that were judged together with it: no two of
    them are public. command: whose step it was, None for the table's own. at: the command's position in the batch."""
    changes = record.changes
    for place, event in enumerate(happened):
        if isinstance(event, events.Moved):
            changes.transfers.extend(event.transfers)
        elif isinstance(event, events.Receipt):
            _note_receipt(record, state, event, command)
        elif isinstance(event, events.Repeated):
            record.replies[at] = translate.encode(translate.answer(event.answer))
        elif isinstance(event, events.Public):
            follow = sum(isinstance(later, _PUBLIC) for later in happened[place + 1 :])
            stamp = translate.Stamp(table, changes.epoch, state.seq - follow, changes.at_utc_ms)
            same_rules = isinstance(event, events.CoupOpened) and terms_text(state.coup_terms) == record.rules_before
            body = translate.encode(translate.public(event, stamp, state.coup_terms, same_rules=same_rules))
            changes.events.append((stamp.seq, body))
            record.news.append(News(body))
            _note_public(record, state, event)
        else:
            _note_private(record, state, event, command, at)


def _note_public(record: Record, state: TableState, event: events.Public) -> None:
    changes = record.changes
    match event:
        case events.CoupOpened(opening):
            terms, shoe = terms_text(state.coup_terms), shoe_text(state.shoe)
            changes.opened = Opened(opening, terms, shoe, state.coup_terms.profile)
            changes.drop_drafts = True
            if terms != record.rules_before:
                changes.log.append(log_records.rules(state.table_no, opening.coup_no, record.rules_before, terms))
            changes.log.append(log_records.opened(state.table_no, opening, terms, shoe))
        case events.BetsLocked(coup_no=coup_no):
            changes.open_coup_no = coup_no
            changes.advanced = Advanced(
                coup_no,
                Phase.OPEN,
                Phase.LOCKED,
                locked=None if state.coup_terms.clock else state.opening,
                exposure_minor=_exposure_minor(state),
            )
            changes.drop_drafts = True
            changes.log.append(log_records.locked(state.table_no, coup_no, list(state.bets.values())))
        case events.CoupDealt(opening, dealing):
            shoe = shoe_text(state.shoe)
            changes.advanced = Advanced(
                opening.coup_no,
                Phase.LOCKED,
                Phase.DEALT,
                dealing,
                shoe,
                exposure_minor=_exposure_minor(state),
            )
            changes.log.append(log_records.dealt(state.table_no, event, shoe))
        case events.CoupVoided(coup_no, reason, seed):
            changes.advanced = Advanced(coup_no, Phase.OPEN, Phase.VOIDED)
            changes.drop_drafts = True
            changes.log.append(log_records.voided(state.table_no, coup_no, reason, seed, list(state.bets.values())))
        case events.ShoeChanged() | events.TableClosed():
            pass
        case _:
            assert_never(event)


def _note_receipt(record: Record, state: TableState, event: events.Receipt, command: PatronCommand | None) -> None:
    changes, patron_id, bet = record.changes, event.patron_id, event.bet
    changes.open_coup_no = state.coup_no
    changes.bets.append(bet)
    if patron_id in record.counted:
        changes.spending.append(Spending(patron_id, day_of(bet.at_utc_ms), bet.staked_minor, 0))
    changes.drafts[patron_id] = ()
    _keep_answer(changes, command, event)
    record.totals_changed = True
    record.news.append(News(translate.encode(translate.receipt(event)), patron_id))


def _note_private(
    record: Record,
    state: TableState,
    event: events.Staged | events.Settled | events.Refused | events.CoupSettled | events.CoupClosed,
    command: PatronCommand | None,
    at: int,
) -> None:
    changes = record.changes
    match event:
        case events.Staged(patron_id=patron_id, steps=steps):
            changes.open_coup_no = state.coup_no
            changes.drafts[patron_id] = steps
            _keep_answer(changes, command, event)
            record.news.append(News(translate.encode(translate.staged(event)), patron_id))
        case events.Settled(patron_id=patron_id, bet=bet):
            changes.results.append(
                BetResult(
                    bet.bet_seq,
                    event.returned,
                    event.returned_minor,
                    event.balance_before_minor + event.returned_minor,
                )
            )
            if patron_id in record.counted:
                day = day_of(bet.at_utc_ms)
                voided = event.outcome is None
                spent = (-bet.staked_minor, 0) if voided else (0, event.returned_minor)
                changes.spending.append(Spending(patron_id, day, *spent))
            record.news.append(News(translate.encode(translate.settled(event)), patron_id))
        case events.Refused(patron_id=patron_id):
            body = translate.encode(translate.refused(event))
            if command is None:
                record.news.append(News(body, patron_id))
            else:
                record.replies[at] = body
        case events.CoupSettled(coup_no):
            changes.advanced = Advanced(coup_no, Phase.DEALT, Phase.SETTLED)
            results = [row[:3] for row in changes.results]
            commission = sum(row.amount_minor for row in changes.transfers if row.kind is TransferKind.COMMISSION)
            changes.log.append(log_records.settled(state.table_no, coup_no, results, commission))
        case events.CoupClosed(coup_no):
            changes.advanced = Advanced(coup_no, Phase.SETTLED, Phase.CLOSED)
        case _:
            assert_never(event)


def _keep_answer(changes: Changes, command: PatronCommand | None, answer: events.Staged | events.Receipt) -> None:
    if command is not None:
        changes.answers.append(kept_answer(command, answer))


def _exposure_minor(state: TableState) -> int:
    """What the coup can cost a bank that other coups share."""
    return worst_loss_minor(state.coup_terms.paytable, state.totals) if state.bank_no is not None else 0
