"""What a coup gives back on each area."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bigroad.rules.coup import Outcome
from bigroad.rules.errors import BadAmount
from bigroad.rules.paytables import Pay, Paytable
from bigroad.rules.wagers import Area


class Settlement(NamedTuple):
    """What comes back.

    returned_minor: area to minor units, stake included, in the order of the stakes; 0 where the stake is lost, the
    stake itself on a push. commission_minor: what the house kept of the wins; rounding goes to it, so that
    stake + win + commission is exact. returned_total_minor: all areas together.
    """

    returned_minor: dict[str, int]
    commission_minor: int
    returned_total_minor: int


def settle(stakes: Mapping[str, int], outcome: Outcome, paytable: Paytable) -> Settlement:
    """Settle the stakes of one coup. Source: docs/rules.md R6, R7.

    stakes: area to minor units, each at least 1; they may be one patron's or a table's totals, so there is no upper
    bound here. Raises UnknownArea for an area that the paytable does not have, BadAmount for a stake that is no whole
    number of at least 1.
    """
    return settler(outcome, paytable)(stakes)


def settler(outcome: Outcome, paytable: Paytable) -> Callable[[Mapping[str, int]], Settlement]:
    """`settle` for the many stakes of one coup: what does not depend on the stake is looked up once an area."""
    known: dict[str, tuple[Pay, bool, bool]] = {}

    def of(area: str) -> tuple[Pay, bool, bool]:
        pay = paytable.pay(area)
        pushes = outcome is Outcome.TIE and area in (Area.PLAYER, Area.BANKER)
        known[area] = pay, area == outcome, pushes
        return known[area]

    def settled(stakes: Mapping[str, int]) -> Settlement:
        returned: dict[str, int] = {}
        commission_minor = total_minor = 0
        for area, stake_minor in stakes.items():
            pay, wins, pushes = known.get(area) or of(area)
            if type(stake_minor) is not int or stake_minor < 1:
                raise BadAmount(f"the stake on {area} is to be a whole number of minor units", area=area)
            back_minor = 0
            if wins:
                win_minor = pay.win_minor(stake_minor)
                back_minor = stake_minor + win_minor
                commission_minor += pay.gross_minor(stake_minor) - win_minor
            elif pushes:
                back_minor = stake_minor
            returned[area] = back_minor
            total_minor += back_minor
        return Settlement(returned, commission_minor, total_minor)

    return settled
