"""`bigroad coup`: deal one coup from the given head of a shoe and settle bets on it."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Final

from cyclopts import Parameter

from bigroad.cli import output
from bigroad.cli.errors import BadField, BadUsage, DuplicateKey
from bigroad.cli.json_input import parse_object
from bigroad.rules.cards import Card, parse_card
from bigroad.rules.coup import Coup, deal_coup
from bigroad.rules.errors import TooFewCards
from bigroad.rules.paytables import STANDARD
from bigroad.rules.settle import Settlement, settle
from bigroad.rules.shoe import Shoe
from bigroad.rules.wagers import verify_stakes

DECKS: Final = 8


def coup(
    source: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True, help='A dash reads one coup a line, as {"shoe":["2C"],"bets":{"tie":20}}.'
        ),
    ] = None,
    /,
    *,
    shoe: Annotated[str | None, Parameter(help='First cards of the shoe, like "2C 8S TS TD".')] = None,
    bet: Annotated[
        list[str] | None, Parameter(negative="", help="AREA=STAKE in minor units; once for each area.")
    ] = None,
    json: Annotated[bool, Parameter(negative="", help="Print JSON.")] = False,
) -> int:
    """Deal one coup from the head of a shoe and settle bets on it.

    Eight decks; cards that the coup does not need are left alone; table limits do not apply. Returns include the
    stake. With "-", one line of JSON answers each line of input; a refused line is answered by an error object and
    the rest goes on. The exit status is 2 if anything was refused.
    """
    if source is not None:
        output.verify_no_option(source)
        if source != "-" or shoe is not None or bet:
            raise BadUsage('give either "-" alone, or --shoe and --bet')
        return output.each_line(_answer, as_json=True)
    if shoe is None:
        raise BadUsage('give --shoe "CARDS", or "-" to read lines')
    cards = parse_cards(shoe.split())
    dealt = deal_head(cards)
    settled = settle(parse_bets(bet or ()), dealt.outcome, STANDARD)
    if json:
        output.emit(as_json(dealt, settled))
    else:
        _draw(dealt, settled)
    return 0


def parse_cards(names: Iterable[str]) -> list[Card]:
    """Cards by name. Raises UnknownCard, and TooManyCopies where eight decks do not hold that many of one."""
    rest = Shoe.fresh(DECKS)
    cards: list[Card] = []
    for name in names:
        card = parse_card(name)
        rest = rest.remove(card)
        cards.append(card)
    return cards


def parse_bets(words: Sequence[str]) -> dict[str, int]:
    """Stakes from AREA=STAKE words. Raises BadUsage, DuplicateKey, UnknownArea, BadAmount."""
    stakes: dict[str, object] = {}
    for word in words:
        area, equals, amount = word.partition("=")
        if not equals:
            raise BadUsage(f"a bet is AREA=STAKE, like banker=100, and not {word[:32]!r}")
        if area in stakes:
            raise DuplicateKey(f"there are two bets on {area[:32]}", area=area[:32])
        stakes[area] = int(amount) if re.fullmatch("[1-9][0-9]{0,16}", amount, re.ASCII) else amount
    return verify_stakes(stakes)


def deal_head(cards: Sequence[Card]) -> Coup:
    """A coup from these cards, in order. Raises TooFewCards when it needs one more."""
    rest = iter(cards)

    def next_card() -> Card:
        card = next(rest, None)
        if card is None:
            raise TooFewCards(f"the coup needs more than the {len(cards)} cards given", cards=len(cards))
        return card

    return deal_coup(next_card)


def as_json(dealt: Coup, settled: Settlement) -> dict[str, object]:
    """The coup and what comes back, as JSON values."""
    return {
        "player_cards": [str(card) for card in dealt.player_cards],
        "banker_cards": [str(card) for card in dealt.banker_cards],
        "player_points": dealt.player_points,
        "banker_points": dealt.banker_points,
        "natural": dealt.natural,
        "outcome": dealt.outcome,
        "cards_used": dealt.cards_used,
        "returned_minor": dict(settled.returned_minor),
    }


def _answer(line: str) -> None:
    wish = parse_object(line, ("shoe", "bets"))
    names, bets = wish.get("shoe"), wish.get("bets", {})
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadField('"shoe" is to be a list of cards, like ["2C","TS"]', field="shoe")
    if not isinstance(bets, dict):
        raise BadField('"bets" is to be an object of stakes, like {"banker":100}', field="bets")
    dealt = deal_head(parse_cards(names))
    output.emit(as_json(dealt, settle(verify_stakes(bets), dealt.outcome, STANDARD)))


def _draw(dealt: Coup, settled: Settlement) -> None:
    from rich.table import Table
    from rich.text import Text

    suits = {"C": ("♣", ""), "D": ("♦", "red"), "H": ("♥", "red"), "S": ("♠", "")}
    hands = Table(title=f"{'Tie' if dealt.outcome == 'tie' else dealt.outcome.capitalize() + ' wins'}")
    hands.add_column("Hand")
    hands.add_column("Cards")
    hands.add_column("Points", justify="right")
    for name, cards, points, colour in (
        ("Player", dealt.player_cards, dealt.player_points, "blue"),
        ("Banker", dealt.banker_cards, dealt.banker_points, "red"),
    ):
        faces = Text("  ").join(Text(str(card)[0] + suits[str(card)[1]][0], suits[str(card)[1]][1]) for card in cards)
        hands.add_row(Text(name, colour), faces, str(points))
    if not settled.returned_minor:
        output.draw(hands)
        return
    title = "Returned, minor units"
    returns = Table("Area", title=title, min_width=len(title))
    returns.add_column("Amount", justify="right")
    for area, amount in settled.returned_minor.items():
        returns.add_row(area.capitalize(), str(amount))
    output.draw(hands, returns)
