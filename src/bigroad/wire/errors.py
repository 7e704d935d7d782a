"""Every code that a refusal or an API error can carry, with its English words.

Codes are stable: pages, bots and operators may rely on them. `{name}` in the words is filled from the facts.

    codes
    ├── frame    FRAME_TOO_LARGE NOT_JSON BAD_MESSAGE UNKNOWN_MESSAGE BAD_AMOUNT RATE_LIMITED
    ├── table    those of `bigroad.table.errors.Refusal`
    ├── service  UNKNOWN_TABLE STORE_UNAVAILABLE INTERNAL
    ├── door     NO_SESSION BAD_ORIGIN BAD_TICKET TOO_MANY_SOCKETS TOO_MANY_GUESTS TOO_MANY_CONNECTIONS HOUSE_FULL
    │            HEADERS_TOO_LARGE TOO_SLOW NOT_FOUND METHOD_NOT_ALLOWED BAD_REQUEST
    │            REFILL_NOT_YET NOTHING_PENDING NOT_YET_READY STANDS_ALREADY
    └── account  NAME_LENGTH NAME_CHARACTERS NAME_RESERVED NAME_TAKEN PASSWORD_LENGTH PASSWORD_TOO_EASY
                 SIGN_IN_REFUSED TOO_MANY_TRIES SIGN_IN_BUSY TOO_MANY_ACCOUNTS ALREADY_REGISTERED NOT_REGISTERED
"""

from enum import StrEnum

from bigroad.table.errors import Refusal


class Fault(StrEnum):
    """Codes of everything that is refused before a table sees it."""

    FRAME_TOO_LARGE = "FRAME_TOO_LARGE"
    NOT_JSON = "NOT_JSON"
    BAD_MESSAGE = "BAD_MESSAGE"
    UNKNOWN_MESSAGE = "UNKNOWN_MESSAGE"
    BAD_AMOUNT = "BAD_AMOUNT"
    RATE_LIMITED = "RATE_LIMITED"
    UNKNOWN_TABLE = "UNKNOWN_TABLE"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    INTERNAL = "INTERNAL"
    NO_SESSION = "NO_SESSION"
    BAD_ORIGIN = "BAD_ORIGIN"
    BAD_TICKET = "BAD_TICKET"
    TOO_MANY_SOCKETS = "TOO_MANY_SOCKETS"
    TOO_MANY_GUESTS = "TOO_MANY_GUESTS"
    TOO_MANY_CONNECTIONS = "TOO_MANY_CONNECTIONS"
    HOUSE_FULL = "HOUSE_FULL"
    HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE"
    TOO_SLOW = "TOO_SLOW"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    BAD_REQUEST = "BAD_REQUEST"
    REFILL_NOT_YET = "REFILL_NOT_YET"
    NOTHING_PENDING = "NOTHING_PENDING"
    NOT_YET_READY = "NOT_YET_READY"
    STANDS_ALREADY = "STANDS_ALREADY"
    NAME_LENGTH = "NAME_LENGTH"
    NAME_CHARACTERS = "NAME_CHARACTERS"
    NAME_RESERVED = "NAME_RESERVED"
    NAME_TAKEN = "NAME_TAKEN"
    PASSWORD_LENGTH = "PASSWORD_LENGTH"
    PASSWORD_TOO_EASY = "PASSWORD_TOO_EASY"
    SIGN_IN_REFUSED = "SIGN_IN_REFUSED"
    TOO_MANY_TRIES = "TOO_MANY_TRIES"
    SIGN_IN_BUSY = "SIGN_IN_BUSY"
    TOO_MANY_ACCOUNTS = "TOO_MANY_ACCOUNTS"
    ALREADY_REGISTERED = "ALREADY_REGISTERED"
    NOT_REGISTERED = "NOT_REGISTERED"


Code = Refusal | Fault

WORDS: dict[Code, str] = {
    Refusal.UNKNOWN_AREA: "There is no area {area} at this table.",
    Refusal.STALE_COUP: "That was for another round.",
    Refusal.BETS_CLOSED: "No more bets. Betting had closed when yours arrived.",
    Refusal.ALREADY_SUBMITTED: "Your bet is placed and stands until the next round.",
    Refusal.NOTHING_STAGED: "Put chips on the table first.",
    Refusal.NOTHING_TO_UNDO: "There is nothing to take back.",
    Refusal.NOTHING_TO_REPEAT: "There is no earlier bet to repeat.",
    Refusal.TOO_MANY_STEPS: "That is as many chips as the table keeps apart. Undo or clear some.",
    Refusal.BELOW_MIN: "{area}: the minimum is {min_minor}.",
    Refusal.ABOVE_MAX: "{area}: that would pass the maximum of {max_minor}.",
    Refusal.BALANCE_TOO_LOW: "Your balance of {balance_minor} does not cover {total_minor}.",
    Refusal.HOUSE_LIMIT: "The table cannot cover a bet that large now.",
    Refusal.CONFLICT: "That request was used for something else before.",
    Refusal.TABLE_CLOSED: "The table is closed.",
    Refusal.LOSS_LIMIT: "That could pass your loss limit of {limit_minor} a {period}. Left to bet: {left_minor}.",
    Refusal.STAKE_LIMIT: "That would pass your stake limit of {limit_minor} a {period}. Left to bet: {left_minor}.",
    Refusal.ON_A_BREAK: "You are taking a break until {until_utc_ms}.",
    Refusal.SELF_EXCLUDED: "You have excluded yourself from play until {until_utc_ms}.",
    Refusal.SELF_EXCLUDED_FOR_GOOD: "You have excluded yourself from play for good.",
    Fault.FRAME_TOO_LARGE: "A message may have at most {max_bytes} bytes.",
    Fault.NOT_JSON: "That message is not a JSON text.",
    Fault.BAD_MESSAGE: "That message has a wrong or missing field: {detail}.",
    Fault.UNKNOWN_MESSAGE: "There is no such message.",
    Fault.BAD_AMOUNT: "An amount is a whole number of minor units, one or more.",
    Fault.RATE_LIMITED: "Too many messages at once. Wait a moment.",
    Fault.UNKNOWN_TABLE: "There is no such table.",
    Fault.STORE_UNAVAILABLE: "The table cannot book bets at the moment. Nothing was taken.",
    Fault.INTERNAL: "Something went wrong on our side. Nothing was changed.",
    Fault.NO_SESSION: "Your visit has ended. Reload the page.",
    Fault.BAD_ORIGIN: "This page may not open a table here.",
    Fault.BAD_TICKET: "The ticket for this socket is used up, too old or another visit's.",
    Fault.TOO_MANY_SOCKETS: "Too many open tables from here.",
    Fault.TOO_MANY_GUESTS: "Too many new guests from here. Wait a moment.",
    Fault.TOO_MANY_CONNECTIONS: "Too many connections from here.",
    Fault.HOUSE_FULL: "The house is full at the moment.",
    Fault.HEADERS_TOO_LARGE: "The head of a request may have at most {max_bytes} bytes.",
    Fault.TOO_SLOW: "That request took too long to arrive.",
    Fault.NOT_FOUND: "There is nothing here.",
    Fault.METHOD_NOT_ALLOWED: "That cannot be done here.",
    Fault.BAD_REQUEST: "That request has a wrong or missing part.",
    Fault.REFILL_NOT_YET: "New chips come once a day, when the balance is below the minimum bet.",
    Fault.NOTHING_PENDING: "No change of that limit waits.",
    Fault.NOT_YET_READY: "That can be confirmed from {ready_utc_ms} on, not before.",
    Fault.STANDS_ALREADY: "What is running lasts until {until_utc_ms}, and nothing shortens it.",
    Fault.NAME_LENGTH: "A name has {min} to {max} characters.",
    Fault.NAME_CHARACTERS: "A name has letters and digits, with spaces or - _ . ' in between.",
    Fault.NAME_RESERVED: "That name is the house's own, or looks like one of its guests.",
    Fault.NAME_TAKEN: "Somebody has that name already, or one that looks like it.",
    Fault.PASSWORD_LENGTH: "A password has {min} to {max} characters.",
    Fault.PASSWORD_TOO_EASY: "That password is among the first that are tried. Choose another.",
    Fault.SIGN_IN_REFUSED: "That name and that password do not belong together.",
    Fault.TOO_MANY_TRIES: "Too many tries. Wait {wait_s} seconds.",
    Fault.SIGN_IN_BUSY: "Too many people are signing in at once. Try again in a moment.",
    Fault.TOO_MANY_ACCOUNTS: "Too many new accounts from here. Try again later.",
    Fault.ALREADY_REGISTERED: "You have an account already.",
    Fault.NOT_REGISTERED: "You play as a guest. Make an account first.",
}
