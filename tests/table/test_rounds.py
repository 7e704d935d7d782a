"""How a round moves on by time alone, and what each arrow does."""

from dataclasses import replace

import pytest

from bigroad.ledger.accounts import Account, AccountKind, Balance
from bigroad.ledger.transfers import TransferKind, postings
from bigroad.rules.shoe import CUT_FROM_END, Shoe
from bigroad.table.commands import Funds, Stage, Submit
from bigroad.table.errors import Refusal
from bigroad.table.events import (
    BetsLocked,
    CoupDealt,
    CoupOpened,
    CoupVoided,
    Event,
    Moved,
    Receipt,
    Refused,
    Settled,
    ShoeChanged,
)
from bigroad.table.machine import step
from bigroad.table.phases import NEXT, Phase
from bigroad.table.rounds import NS_PER_MS
from bigroad.table.state import TableState
from tests.tables import BETTING_MS, CLOSING_MS, RICH, Patron, open_table, ticked, usual_terms


def due_ms(state: TableState) -> int:
    return -(-state.due_ns // NS_PER_MS)


def kinds(events: tuple[Event, ...]) -> list[type]:
    return [type(event) for event in events]


def transfers(events: tuple[Event, ...]) -> list[tuple[TransferKind, int]]:
    return [(row.kind, row.amount_minor) for event in events if isinstance(event, Moved) for row in event.transfers]


def test_nothing_happens_before_its_time() -> None:
    state = open_table()
    after, events = ticked(state, BETTING_MS - 1)
    assert after is state
    assert events == ()


def test_a_round_takes_its_arrows_in_order_and_chains_its_deadlines() -> None:
    state, phases, moments = open_table(), [Phase.OPEN], []
    for _ in range(5):
        before = state.phase
        state, _ = ticked(state, due_ms(state) + 3)
        assert state.phase in NEXT[before] or before is Phase.CLOSED
        phases.append(state.phase)
        moments.append(due_ms(state))
    assert phases == [Phase.OPEN, Phase.LOCKED, Phase.DEALT, Phase.SETTLED, Phase.CLOSED, Phase.OPEN]
    assert state.opening is not None
    shown_ms = moments[2]
    assert moments[0] == BETTING_MS + CLOSING_MS
    assert 8_000 <= shown_ms - moments[0] <= 16_000
    assert state.opening.closes_ns == (shown_ms + BETTING_MS) * NS_PER_MS, "3 ms late ticks do not add up"


def test_first_coup_opens_with_a_shoe_and_a_commitment_but_without_the_seed() -> None:
    from bigroad.table.machine import first_state

    _, events = ticked(first_state(1, usual_terms(), 0), 0)
    assert kinds(events) == [ShoeChanged, CoupOpened]
    opened = events[1]
    assert isinstance(opened, CoupOpened)
    assert opened.opening.cards_left == 416
    assert len(opened.opening.commitment) == 32


def test_automatic_submission_takes_staged_chips_once() -> None:
    state, early, late = open_table(), Patron(1), Patron(2)
    state, _ = early.does(state, Stage("player", 2_000))
    state, _ = early.does(state, Submit())
    state, _ = late.does(state, Stage("banker", 5_000))
    state, events = ticked(state, BETTING_MS)
    receipts = [event for event in events if isinstance(event, Receipt)]
    assert [(r.patron_id, r.bet.automatic, r.bet.staked_minor, r.request_id) for r in receipts] == [
        (2, True, 5_000, None)
    ]
    locked = events[-1]
    assert isinstance(locked, BetsLocked)
    assert (locked.totals, locked.bettors) == ({"player": 2_000, "banker": 5_000}, 2)
    assert not state.drafts


LOCK_REFUSALS = [
    ("below MIN", {"tie": 1}, RICH, Refusal.BELOW_MIN),
    ("balance gone meanwhile", {"tie": 5_000}, Funds({1: 4_999}, 10**12), Refusal.BALANCE_TOO_LOW),
    ("house cannot pay", {"tie": 5_000}, Funds({1: 10**9}, 1), Refusal.HOUSE_LIMIT),
]


@pytest.mark.parametrize(("title", "stakes", "funds", "code"), LOCK_REFUSALS, ids=[row[0] for row in LOCK_REFUSALS])
def test_automatic_submission_is_whole_or_not_at_all(
    title: str, stakes: dict[str, int], funds: Funds, code: Refusal
) -> None:
    state, patron = open_table(), Patron(1)
    for area, amount in stakes.items():
        state, _ = patron.does(state, Stage(area, amount))
    state, events = ticked(state, BETTING_MS, funds)
    refused = events[0]
    assert isinstance(refused, Refused)
    assert (refused.code, refused.automatic) == (code, True)
    assert not state.bets
    assert transfers(events) == []


def test_two_late_patrons_cannot_overdraw_the_house_together() -> None:
    state = open_table()
    for patron in (Patron(1), Patron(2)):
        state, _ = patron.does(state, Stage("tie", 5_000))
    state, events = ticked(state, BETTING_MS, Funds({1: 10**9, 2: 10**9}, 60_000))
    assert sorted(state.bets) == [1]
    assert [event.code for event in events if isinstance(event, Refused)] == [Refusal.HOUSE_LIMIT]


def test_settlement_pays_by_the_rules_and_empties_the_escrow() -> None:
    for seed in range(1, 40):
        state = open_table()
        stakes = {1: {"player": 2_000}, 2: {"banker": 2_011}, 3: {"tie": 3_000}, 4: {"player": 5_000, "banker": 5_000}}
        for patron_id, areas in stakes.items():
            patron = Patron(patron_id)
            for area, amount in areas.items():
                state, _ = patron.does(state, Stage(area, amount))
            state, _ = patron.does(state, Submit())
        state = reseeded(state, seed)
        state, _ = ticked(state, BETTING_MS)
        state, dealt = ticked(state, due_ms(state))
        assert isinstance(dealt[0], CoupDealt)
        outcome = dealt[0].dealing.coup.outcome.value
        state, events = ticked(state, due_ms(state))
        expected = {
            "player": {1: 4_000, 2: 0, 3: 0, 4: 10_000},
            "banker": {1: 0, 2: 2_011 + 1_910, 3: 0, 4: 5_000 + 4_750},
            "tie": {1: 2_000, 2: 2_011, 3: 27_000, 4: 10_000},
        }[outcome]
        assert {e.patron_id: e.returned_minor for e in events if isinstance(e, Settled)} == expected
        rows = [row for event in events if isinstance(event, Moved) for row in event.transfers]
        escrow = next(change for account, change in postings(rows).items() if account.kind is AccountKind.ESCROW)
        assert escrow == Balance(0, 0, -sum(sum(areas.values()) for areas in stakes.values()))


def reseeded(state: TableState, seed: int) -> TableState:
    from dataclasses import replace

    from tests.tables import seed_of

    assert state.opening is not None
    return replace(state, opening=replace(state.opening, seed=seed_of(seed)))


@pytest.mark.parametrize(("late_ms", "phase"), [(0, Phase.LOCKED), (1_999, Phase.LOCKED), (2_000, Phase.VOIDED)])
def test_away_over_the_close(late_ms: int, phase: Phase) -> None:
    """Row 6 of the recovery table: within 2 s lock and go on, later void and refund."""
    state, better, stager = open_table(), Patron(1), Patron(2)
    state, _ = better.does(state, Stage("player", 2_000))
    state, _ = better.does(state, Submit())
    state, _ = stager.does(state, Stage("player", 3_000))
    state, events = ticked(state, BETTING_MS + late_ms)
    assert state.phase is phase
    if phase is Phase.VOIDED:
        assert transfers(events) == [(TransferKind.VOID, 2_000)]
        assert [(e.patron_id, e.outcome, e.returned_minor) for e in events if isinstance(e, Settled)] == [
            (1, None, 2_000)
        ]
        assert isinstance(events[-1], CoupVoided)
        assert not state.drafts


def test_a_long_sleep_makes_no_burst_of_rounds() -> None:
    state, coup_no = open_table(), 1
    wake_ms = 300_000
    state, _ = ticked(state, wake_ms)
    assert state.phase is Phase.VOIDED
    state, _ = ticked(state, wake_ms)
    assert state.coup_no == coup_no + 1
    after, events = ticked(state, wake_ms)
    assert events == ()
    assert after.opening is not None
    assert after.opening.closes_ns == (wake_ms + BETTING_MS) * NS_PER_MS


def test_a_void_round_takes_no_cards() -> None:
    state = open_table()
    shoe = state.shoe
    state, _ = ticked(state, BETTING_MS + 5_000)
    state, events = ticked(state, BETTING_MS + 5_000)
    assert kinds(events) == [CoupOpened]
    assert state.shoe == shoe


def test_cut_card_one_more_coup_then_a_new_shoe_with_clear_boards() -> None:
    state, now, last_seen, coups = open_table(), 0, [], 0
    while state.shoe_no == 1:
        now = max(now, due_ms(state))
        state, events = ticked(state, now, seed=coups + 1)
        for event in events:
            if isinstance(event, CoupOpened):
                coups += 1
                last_seen.append(event.opening.last_of_shoe)
    assert last_seen[:-1] == [False] * (len(last_seen) - 2) + [True]
    assert 60 <= coups <= 100
    assert state.shoe.cards_left == 416
    assert state.scoreboard.counts.coups == 0


@pytest.mark.parametrize("cut", CUT_FROM_END)
@pytest.mark.parametrize("left_over", [0, 1, 5])
def test_the_cut_card_comes_out_in_mid_coup(cut: int, left_over: int) -> None:
    """With so many cards left that the cut card is drawn in the coup, first card or last: it is finished, one more is
    dealt, and then the shoe is new."""
    state, now, last_of_shoe = open_table(), 0, []
    counts = [0] * 52
    for place in range(cut + left_over):
        counts[place * 5 % 52] += 1
    state = replace(state, shoe=replace(Shoe.fresh(8), counts=tuple(counts), cut_from_end=cut))
    while state.shoe_no == 1:
        now = max(now, due_ms(state))
        state, events = ticked(state, now, seed=state.coup_no)
        for event in events:
            if isinstance(event, CoupDealt):
                drawn = len(event.dealing.coup.player_cards) + len(event.dealing.coup.banker_cards)
                assert (4 <= drawn <= 6, event.dealing.burned) == (True, ())
                last_of_shoe.append(event.opening.last_of_shoe)
    assert last_of_shoe[-2:] == [False, True]
    assert len(last_of_shoe) == 2 or left_over > 3
    assert state.shoe.cards_left == 416


def test_the_seed_decides_the_cards() -> None:
    runs = []
    for _ in range(2):
        state, _ = ticked(reseeded(open_table(), 5), BETTING_MS)
        _, events = ticked(state, due_ms(state))
        assert isinstance(events[0], CoupDealt)
        runs.append(events[0].dealing.coup)
    other, _ = ticked(reseeded(open_table(), 6), BETTING_MS)
    _, events = ticked(other, due_ms(other))
    assert isinstance(events[0], CoupDealt)
    assert runs[0] == runs[1] != events[0].dealing.coup


def test_stop_decides_nothing() -> None:
    from bigroad.table.commands import Stop

    state, patron = open_table(), Patron(1)
    state, _ = patron.does(state, Stage("player", 2_000))
    done = step(state, Stop(0), 2 * BETTING_MS * NS_PER_MS)
    assert (done.state.phase, done.state.drafts) == (Phase.OPEN, state.drafts)


def test_patron_account_is_the_one_debited() -> None:
    state, patron = open_table(), Patron(7)
    state, _ = patron.does(state, Stage("player", 2_000))
    _, events = patron.does(state, Submit())
    assert isinstance(events[0], Moved)
    assert events[0].transfers[0].debit == Account(AccountKind.PATRON, 7)
