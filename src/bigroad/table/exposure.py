"""What a coup can cost the house."""

from bigroad.rules.coup import Outcome
from bigroad.rules.paytables import Paytable
from bigroad.rules.settle import settle
from bigroad.table.events import Stakes


def most_loss_minor(paytable: Paytable, totals: Stakes) -> int:
    """Never below `worst_loss_minor` and quicker to say: every area wins at once, and nobody loses. It never falls when
    a stake is added."""
    return sum(paytable.pay(area).gross_minor(stake) for area, stake in totals.items())


def worst_loss_minor(paytable: Paytable, totals: Stakes) -> int:
    """What the house would lose on these totals at the worst outcome; at least 0."""
    staked = sum(totals.values())
    ends = (settle(totals, outcome, paytable) for outcome in Outcome)
    return max(0, *(end.returned_total_minor + end.commission_minor - staked for end in ends))
