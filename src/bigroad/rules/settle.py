"""What a coup gives back on each area."""

from collections.abc import Mapping
from dataclasses import dataclass

from bigroad.rules.coup import Outcome
from bigroad.rules.errors import BadAmount
from bigroad.rules.paytables import Paytable
from bigroad.rules.wagers import Area


@dataclass(frozen=True, slots=True)
class Settlement:
    """What comes back.

    returned_minor: area to minor units, stake included, in the order of the stakes; 0 where the stake is lost, the
    stake itself on a push. commission_minor: what the house kept of the wins; rounding goes to it, so that
    stake + win + commission is exact.
    """

    returned_minor: Mapping[str, int]
    commission_minor: int

    @property
    def returned_total_minor(self) -> int:
        """All areas together."""
        return sum(self.returned_minor.values())


def settle(stakes: Mapping[str, int], outcome: Outcome, paytable: Paytable) -> Settlement:
    """Settle the stakes of one coup. Source: docs/rules.md R6, R7.

    stakes: area to minor units, each at least 1; they may be one patron's or a table's totals, so there is no upper
    bound here. Raises UnknownArea for an area that the paytable does not have, BadAmount for a stake that is no whole
    number of at least 1.
    """
    returned: dict[str, int] = {}
    commission_minor = 0
    for area, stake_minor in stakes.items():
        pay = paytable.pay(area)
        if type(stake_minor) is not int or stake_minor < 1:
            raise BadAmount(f"the stake on {area} is to be a whole number of minor units", area=area)
        if area == outcome:
            win_minor = pay.win_minor(stake_minor)
            returned[area] = stake_minor + win_minor
            commission_minor += pay.gross_minor(stake_minor) - win_minor
        elif outcome is Outcome.TIE and area in (Area.PLAYER, Area.BANKER):
            returned[area] = stake_minor
        else:
            returned[area] = 0
    return Settlement(returned, commission_minor)
