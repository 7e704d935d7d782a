"""What the server says over the socket.

Three kinds. **Public** events belong to the table: they carry `table`, `epoch`, `seq` and `at_utc_ms`, are the
same bytes for everybody, are stored before they are sent, and can be sent again. **Volatile** ones (`totals`,
`presence`) are unnumbered, the newest wins. **Private** ones go to one patron, in all of the patron's tabs.

Moments are UTC milliseconds by the server's clock; pages measure their offset with `ping` and count by themselves.
Amounts are integers of the minor unit. Cards are two characters, rank and suit: "TS" is the ten of spades.
"""

import msgspec

Amounts = dict[str, int]
"""Area to minor units; areas without money are left out."""


class Public(msgspec.Struct, frozen=True, tag_field="type"):
    """What every public event carries. `seq` counts from 1 without holes within a table."""

    table: str
    epoch: int
    seq: int
    at_utc_ms: int


class Volatile(msgspec.Struct, frozen=True, tag_field="type"):
    """Unnumbered; may be dropped; the newest wins."""


class Private(msgspec.Struct, frozen=True, tag_field="type"):
    """For one patron alone."""


class AreaTerms(msgspec.Struct, frozen=True):
    """Limits and odds of one betting area, frozen for the coup. Pays `pays_numerator` : `pays_denominator`."""

    area: str
    min_minor: int
    max_minor: int
    pays_numerator: int
    pays_denominator: int
    commission_bps: int


class AreaRow(AreaTerms, frozen=True, array_like=True):
    """`AreaTerms` as an array: everybody gets one of each area for every coup."""


class DrawRow(msgspec.Struct, frozen=True, array_like=True, tag="draw"):
    """A card leaves the shoe and comes to its place. `at_ms` counts from `deals_utc_ms`, here and in the others; `card`
    is 0, 1, 2 for the Player's first, second and third card, and 3, 4, 5 for the Banker's."""

    at_ms: int
    dur_ms: int
    card: int


class TurnRow(msgspec.Struct, frozen=True, array_like=True, tag="turn"):
    """A card's face is shown; `points` is the total of the hand's open cards then."""

    at_ms: int
    dur_ms: int
    card: int
    points: int


class ResultRow(msgspec.Struct, frozen=True, array_like=True, tag="result"):
    """The result is called."""

    at_ms: int
    dur_ms: int


class CollectRow(msgspec.Struct, frozen=True, array_like=True, tag="collect"):
    """Losing chips are taken."""

    at_ms: int
    dur_ms: int


class PayRow(msgspec.Struct, frozen=True, array_like=True, tag="pay"):
    """Winning chips are paid."""

    at_ms: int
    dur_ms: int


class ClearRow(msgspec.Struct, frozen=True, array_like=True, tag="clear"):
    """The cards go to the discard holder."""

    at_ms: int
    dur_ms: int


Gesture = DrawRow | TurnRow | ResultRow | CollectRow | PayRow | ClearRow
"""One gesture of the dealer."""


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """One mark of a board: `[row, col, colour, ties, coup, pairs]`.

    row 0 is the top; colour is red, blue, green or null (ties waiting for the first winner); ties counts the ties
    on a big-road cell; coup is the coup that made the mark (0 on derived roads); pairs is 1 for a Player pair,
    2 for a Banker pair, 3 for both (bead plate only).
    """

    row: int
    col: int
    colour: str | None
    ties: int
    coup: int
    pairs: int


class Boards(msgspec.Struct, frozen=True):
    """Marks of the five boards."""

    bead_plate: list[Mark]
    big_road: list[Mark]
    big_eye_boy: list[Mark]
    small_road: list[Mark]
    cockroach_road: list[Mark]


class Ask(msgspec.Struct, frozen=True):
    """What a win of one side would add to big eye boy, small road and cockroach road: red, blue or null."""

    big_eye_boy: str | None
    small_road: str | None
    cockroach_road: str | None


class Counts(msgspec.Struct, frozen=True):
    """How the coups of a shoe went."""

    coups: int = 0
    banker: int = 0
    player: int = 0
    tie: int = 0
    natural: int = 0
    player_pair: int = 0
    banker_pair: int = 0


class Roads(msgspec.Struct, frozen=True):
    """Boards of a shoe: whole in a snapshot; in `coup_dealt` only the marks that this coup added or changed.

    A changed mark has the place of the one it replaces. `anew`: these marks are all there are, and those drawn before
    are gone; where every coup has its own shoe the boards follow the last 80 coups.
    """

    boards: Boards
    counts: Counts
    if_banker: Ask
    if_player: Ask
    anew: bool


class BoardsRow(Boards, frozen=True, array_like=True):
    """`Boards` as an array."""


class AskRow(Ask, frozen=True, array_like=True):
    """`Ask` as an array."""


class CountsRow(Counts, frozen=True, array_like=True):
    """`Counts` as an array."""


class RoadsRow(msgspec.Struct, frozen=True, array_like=True):
    """`Roads` as an array, of what one coup added or changed."""

    boards: BoardsRow
    counts: CountsRow
    if_banker: AskRow
    if_player: AskRow
    anew: bool


class ShoeChanged(Public, frozen=True, tag="shoe_changed"):
    """A fresh shoe is on the table; the boards start anew. Its burn is part of its first `coup_dealt`."""

    shoe: int
    decks: int


class CoupOpened(Public, frozen=True, tag="coup_opened"):
    """Betting is open until `closes_utc_ms`; cards fall at `deals_utc_ms`.

    Both are null at a table without a clock: there the patron's bet closes betting and brings the cards.
    `commitment` is the SHA-256 (hex) of the seed that the cards will be drawn with. `areas` is null where the rules are
    those of the coup before; in a snapshot and in records it is always there.
    """

    coup: int
    shoe: int
    opened_utc_ms: int
    closes_utc_ms: int | None
    deals_utc_ms: int | None
    commitment: str
    cards_left: int
    last_of_shoe: bool
    areas: list[AreaRow] | None


class BetsLocked(Public, frozen=True, tag="bets_locked"):
    """No more bets: what was accepted is exactly this."""

    coup: int
    deals_utc_ms: int
    totals: Amounts
    bettors: int


class CoupDealt(Public, frozen=True, tag="coup_dealt"):
    """The coup, whole, with the timeline that every page plays from `deals_utc_ms`.

    `seed` (hex) opens the commitment. `burned` is filled in the first coup of a shoe. `cards_left` counts after it.
    """

    coup: int
    shoe: int
    deals_utc_ms: int
    shown_until_utc_ms: int
    player_cards: list[str]
    banker_cards: list[str]
    player_points: int
    banker_points: int
    natural: bool
    outcome: str
    player_pair: bool
    banker_pair: bool
    burned: list[str]
    cards_left: int
    seed: str
    timeline: list[Gesture]
    roads: RoadsRow


class CoupVoided(Public, frozen=True, tag="coup_voided"):
    """The coup is not dealt; every stake of it is back. reason: late (the table was away over the close), rules (the
    table's rules were changed, and nobody had bet).

    `seed` (hex) opens the commitment all the same, so that anyone can see what was not dealt.
    """

    coup: int
    reason: str
    seed: str


class TableClosed(Public, frozen=True, tag="table_closed"):
    """The table has stopped. reason: stopping (the server goes down in good order), broken (an invariant failed),
    taken_over (another server runs the table now), restored (the database is older than what was published, and the
    operator has not said yes to that)."""

    reason: str


PublicEvent = ShoeChanged | CoupOpened | BetsLocked | CoupDealt | CoupVoided | TableClosed


class Totals(Volatile, frozen=True, tag="totals"):
    """Submitted stakes of everybody, per area. Includes every bet whose `bet_seq` is at most this one."""

    coup: int
    bet_seq: int
    totals: Amounts
    bettors: int


class Presence(Volatile, frozen=True, tag="presence"):
    """How many patrons sit here now."""

    patrons: int


class TableTerms(msgspec.Struct, frozen=True):
    """What a table is: its profile with whatever the table changes of it.

    `chips_minor` ascend; `felt` and `dealer` choose its looks, `felts` are those a patron may choose instead. `seats`:
    many (everybody plays the same coup), one (each patron has coups of their own). `clock`: betting closes by time;
    without one `betting_ms` and `closing_ms` are 0. `shoe`: kept, every_round. `reveal`: hands, as_dealt. `start`: the
    word on the button that bets: bet, deal. `buttons`: which others there are: undo, clear, double, rebet, rebet_x2.
    `options`: what the game's own settings offer: fast_play, rebet_and_deal.
    """

    table: str
    name: str
    profile: str
    felt: str
    dealer: str
    decks: int
    chips_minor: list[int]
    betting_ms: int
    closing_ms: int
    areas: list[AreaTerms]
    felts: list[str] = []
    seats: str = "many"
    clock: bool = True
    shoe: str = "kept"
    reveal: str = "hands"
    start: str = "bet"
    buttons: list[str] = []
    options: list[str] = []


class Patron(msgspec.Struct, frozen=True):
    """The patron as the patron is named."""

    patron_id: int
    nickname: str


class Welcome(Private, frozen=True, tag="welcome"):
    """First on every socket."""

    patron: Patron
    terms: TableTerms
    server_utc_ms: int


class Snapshot(Private, frozen=True, tag="snapshot"):
    """The table as it stands after event `seq`. A page that gets one forgets what it knew of the table.

    `roads` are the boards before `dealt`, whose own marks travel in it.
    """

    table: str
    epoch: int
    seq: int
    shoe: int
    cards_left: int
    opened: CoupOpened | None
    locked: BetsLocked | None
    dealt: CoupDealt | None
    voided: CoupVoided | None
    closed: TableClosed | None
    roads: Roads
    totals: Totals
    patrons: int


class Receipt(Private, frozen=True, tag="receipt"):
    """The patron's one bet of this coup, booked. `automatic`: submitted by the server at the close.

    `request_id` is null when no command asked for it. `balance_minor` is what is left to bet with.
    """

    request_id: str | None
    coup: int
    bet_seq: int
    automatic: bool
    stakes: Amounts
    total_minor: int
    balance_minor: int
    at_utc_ms: int


class Staged(Private, frozen=True, tag="staged"):
    """What lies staged now. `steps` are the acts that `unstage` takes back one by one, oldest first."""

    request_id: str | None
    coup: int
    steps: list[Amounts]
    stakes: Amounts
    total_minor: int


class Settled(Private, frozen=True, tag="settled"):
    """How the patron's bet ended; `returned` includes the stake. For a voided coup `outcome` is null.

    `balance_before_minor` is the balance without the returns, to be shown until the timeline pays.
    """

    coup: int
    outcome: str | None
    stakes: Amounts
    returned: Amounts
    staked_minor: int
    returned_minor: int
    balance_before_minor: int
    balance_minor: int


class Refused(Private, frozen=True, tag="refused"):
    """Nothing was changed. `code` is stable; `facts` fill the words. `automatic`: the server's own submission at the
    close was refused, and the staged chips came back. `ref` finds it in the server's log."""

    request_id: str | None
    coup: int | None
    code: str
    facts: dict[str, int | str]
    automatic: bool = False


class BalanceChanged(Private, frozen=True, tag="balance"):
    """Money moved outside the table. reason: refill."""

    balance_minor: int
    reason: str


class You(Private, frozen=True, tag="you"):
    """The patron's own side of the table, whole; after every snapshot or resumed tail.

    `balance_minor` is what is left to bet with (staged chips are still in it, submitted ones are not).
    """

    coup: int
    balance_minor: int
    staged: Staged
    receipt: Receipt | None
    settled: Settled | None
    last_stakes: Amounts
    can_refill: bool


class SessionEnded(Private, frozen=True, tag="session"):
    """This socket closes next. reason: too_slow; stopping; session_ended (signed out, here or elsewhere: do not come
    back with this cookie)."""

    reason: str


class Pong(Private, frozen=True, tag="pong"):
    """The server's time when it answered."""

    request_id: str
    client_ms: int
    server_utc_ms: int


PrivateEvent = Welcome | Snapshot | You | Receipt | Staged | Settled | Refused | BalanceChanged | SessionEnded | Pong
VolatileEvent = Totals | Presence
ServerEvent = PublicEvent | VolatileEvent | PrivateEvent
