"""Why the rules refuse a value.

BigroadError                    root of every error that this package raises on purpose
└── RulesError
    ├── UnknownCard             UNKNOWN_CARD      the text names none of the 52 cards
    ├── TooFewCards             TOO_FEW_CARDS     the coup needs a card that is not there
    ├── TooManyCopies           TOO_MANY_COPIES   more copies of a card than the decks hold
    ├── BadShoe                 BAD_SHOE          decks, counts or cut card that no shoe can have
    ├── ShoeSpent               SHOE_SPENT        the last coup of this shoe has been dealt
    ├── BadAmount               BAD_AMOUNT        not a whole number of minor units from 1 to 2^53 - 1
    ├── UnknownArea             UNKNOWN_AREA      no such betting area
    └── BadPaytable             BAD_PAYTABLE      odds or commission that no table can pay
"""

from typing import ClassVar


class BigroadError(Exception):
    """Root of the package's own errors.

    code: stable word for machines, the same in every release. facts: the values that the message speaks of, so that
    a page can say it in its own language. The message itself is plain English.
    """

    code: ClassVar[str] = "ERROR"

    def __init__(self, message: str, **facts: int | str) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts


class RulesError(BigroadError):
    """Root of this room's errors."""

    code: ClassVar[str] = "RULES"


class UnknownCard(RulesError):
    """The text names none of the 52 cards."""

    code: ClassVar[str] = "UNKNOWN_CARD"


class TooFewCards(RulesError):
    """A card is needed and none is left."""

    code: ClassVar[str] = "TOO_FEW_CARDS"


class TooManyCopies(RulesError):
    """More copies of a card than the decks hold."""

    code: ClassVar[str] = "TOO_MANY_COPIES"


class BadShoe(RulesError):
    """Decks, counts or cut card that no shoe can have."""

    code: ClassVar[str] = "BAD_SHOE"


class ShoeSpent(RulesError):
    """The last coup of this shoe has been dealt; a new shoe has to come."""

    code: ClassVar[str] = "SHOE_SPENT"


class BadAmount(RulesError):
    """Not a whole number of minor units from 1 to 2^53 - 1."""

    code: ClassVar[str] = "BAD_AMOUNT"


class UnknownArea(RulesError):
    """No such betting area."""

    code: ClassVar[str] = "UNKNOWN_AREA"


class BadPaytable(RulesError):
    """Odds or commission that no table can pay."""

    code: ClassVar[str] = "BAD_PAYTABLE"
