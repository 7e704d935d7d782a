"""Write the protocol's document from the wire itself: `python -m bigroad.wire.document FILE`.

With `--check` nothing is written; exit status 1 says that the file is stale. The preface is written by hand, below;
every message, field, type, docstring and code comes from the Structs.
"""

import inspect as python_inspect
import sys
from collections.abc import Iterable
from typing import Any, get_args

from msgspec import NODEFAULT, inspect

from bigroad.table.errors import Refusal
from bigroad.wire import client_messages, errors, protection, server_events, session, version
from bigroad.wire.export import keep

PREFACE = f"""\
<!-- Generated from src/bigroad/wire by `make gen`. Do not edit; the preface is in src/bigroad/wire/document.py. -->
# The protocol `{version.SUBPROTOCOL}`

What a page, a bot or any other program says to a Bigroad server, and what it hears. The Python types in
`src/bigroad/wire` are the only source: this page and the page's TypeScript types are generated from them.

## Getting in

1. `POST /api/session`. Without a cookie this makes a guest with play money and sets the cookie `bigroad`
   (`__Host-bigroad` when the server's `public_url` is https). With one it says who you are.
2. `GET /api/tables` lists the tables.
3. `POST /api/ticket` gives a ticket for one socket. It is good once, for 30 seconds, and only with this cookie.
4. Open a WebSocket at `/ws/{{table}}` with two subprotocols, `{version.SUBPROTOCOL}` and
   `{version.TICKET_PREFIX}` followed by the ticket, the cookie, and an `Origin` that the server allows. The server
   chooses `{version.SUBPROTOCOL}`, or refuses before the upgrade with an HTTP status and a
   [`Problem`](#object-problem). A socket that is opened again needs a new ticket.

The first frames on a socket are [`welcome`](#welcome), then [`snapshot`](#snapshot), then [`you`](#you). A page that
was here before adds `?epoch=E&seq=N` with the last numbered event it has seen. If the server still has everything
after it (the last 200 public events of a shared table are kept, 12 of a table for one patron) and the epoch is the
same, those events come instead of the snapshot, followed by the current `totals`; otherwise it is a snapshot again.

A client that reads too slowly misses events of every kind. When it has read what it was sent, it is greeted again on
the same socket, with `welcome`, `snapshot` and `you`; after a `you` a client asks again for what was not answered.

## Frames

Every frame is one JSON object in a text frame, tagged by `type`. A client's frame has at most
{client_messages.MAX_FRAME_BYTES} bytes (a setting); unknown fields, and a field that is there twice, are refused.
Whatever a client sends is answered with an event, and the socket stays usable; a bad frame is answered with
[`refused`](#refused).

Amounts are whole numbers of the minor unit (0.01 of the currency), 1 to 2^53 - 1; `20.0`, `2e1`, `"20"` and `true` are
no amounts. Cards are two characters, rank `A23456789TJQK` then suit `CDHS`. Areas are `player`, `banker` and `tie`.
Moments are UTC milliseconds by the server's clock; a client measures its offset with [`ping`](#ping) and counts by
itself. There are no messages for each second.

## Three kinds of events

- **Public** events are numbered by `seq` within a table, from 1 and without holes, are the same bytes for everybody,
  and are stored before they are sent. `epoch` grows each time a server takes the table over. A client that sees a
  hole, or another epoch, reconnects and takes a snapshot. Three things carry a number that is not one of the tail:
  the events inside a snapshot carry the snapshot's `seq` and time, and the `table_closed` of a table that stopped
  because it is broken takes the next `seq` and is not kept: nothing follows it in that epoch.
- **Volatile** events have no number and may be dropped. The newest wins. At most five `totals` a second are sent, and
  only after a change.
- **Private** events go to one patron: receipts, settlements and staged chips to all of the patron's sockets at the
  table, refusals and repeated answers to the asking socket alone.

`totals` counts every bet whose `bet_seq` is at most its own, so a page subtracts its own stake only once it is in
there. Others' stakes on an area are the totals less one's own.

## Commands and retries

Every message has a `request_id` of the sender's choosing, 1 to 64 printable ASCII characters without blanks. A command
about a coup carries the coup's number; another coup than the open one is refused with `STALE_COUP`.

No answer means: ask again with the same `request_id`. The same request gets the same answer, during its coup and the
one after. What was accepted in the running coup is remembered over a restart of the server; refusals are not, since
they changed nothing. The same `request_id` with another body is refused with `CONFLICT`. There is one bet a patron and
coup: a second `submit`, from another tab too, gets the receipt of the first. A patron is heard 2,000 times in a coup;
what comes after that is refused with `RATE_LIMITED`, so that what is remembered has an end.

Where `terms.seats` is one, the socket leads to the patron's own seat: coups, numbers, `epoch` and boards of the patron
alone, seen by nobody else. No clock runs there: the bet itself (`submit`, or `rebet` with `submit`) locks the coup, in
one step with the stake, and the cards follow at once. The cards stay on the table until the next coup.

A command is stamped when the server takes it. At `closes_utc_ms` or later it is late. What a patron has staged by then
is submitted by the server, whole or not at all, and comes as a `receipt` (or `refused`) with `automatic` true.

## When a socket ends

| code | why |
|---|---|
| 1007 | a text frame was no UTF-8 |
| 1008 | the client kept flooding after `RATE_LIMITED`, or the session has ended; [`session`](#session) says which |
| 1009 | a frame was larger than the server reads |
| 1011 | the greeting failed, or the client answered no ping for 30 s |
| 1012 | the server goes down; [`session`](#session) says so |
| 1013 | the client took nothing for 30 s, or too many answers wait, or the patron has too many sockets; come back |

## HTTP

| request | answer |
|---|---|
| `POST /api/session` | [`Session`](#object-session) |
| `POST /api/ticket` | [`Ticket`](#object-ticket) |
| `POST /api/refill` | [`Session`](#object-session); 409 `REFILL_NOT_YET` when nothing is due |
| `GET /api/tables` | list of [`TableRow`](#object-tablerow); with an `ETag`, so that asking often is cheap |
| `GET /api/tables/{{table}}/shoes/{{number}}` | [`ShoeRecord`](#object-shoerecord) of a shoe, present or past |
| `GET /api/history?limit=50` | [`HistoryPage`](#object-historypage), newest first, at most 200 at once; `before` asks \
for what follows; `table`, `profile`, `outcome`, `result` (won, lost, push), `from_utc_ms` and `to_utc_ms` choose |
| `GET /api/history.csv` | the same coups, all that are chosen, as CSV |
| `GET /api/coups/{{table}}/{{number}}` | [`CoupRecord`](#object-couprecord) of a dealt coup; 404 while it is dealt |
| `GET /api/preferences` | [`Preferences`](#object-preferences) |
| `PUT /api/preferences` | takes and answers [`Preferences`](#object-preferences), at most 4,096 bytes |
| `GET /api/protection` | [`Protection`](#object-protection): limits, break, exclusion, their latest changes |
| `PUT /api/protection/limits/{{rule}}` | takes [`LimitWish`](#object-limitwish), answers \
[`Protection`](#object-protection), as do the following |
| `POST /api/protection/limits/{{rule}}/confirm` | what has waited 24 hours; 409 `NOT_YET_READY`, `NOTHING_PENDING` |
| `POST /api/protection/limits/{{rule}}/take-back` | what waits; 409 `NOTHING_PENDING` |
| `POST /api/protection/time-out` | takes [`TimeOutWish`](#object-timeoutwish); 409 `STANDS_ALREADY` |
| `POST /api/protection/exclusion` | takes [`ExclusionWish`](#object-exclusionwish); 409 `STANDS_ALREADY` |
| `POST /api/protection/sitting` | [`Sitting`](#object-sitting): how long the patron has been playing |
| `GET /api/account` | [`Account`](#object-account): name, sessions |
| `POST /api/account/register` | takes [`Credentials`](#object-credentials), makes an account of the guest who asks |
| `POST /api/account/sign-in` | takes [`Credentials`](#object-credentials), answers [`Session`](#object-session) |
| `POST /api/account/sign-out` | 204; the session that asks and its sockets end |
| `POST /api/account/sign-out-everywhere` | 204; every session of the account and their sockets end |
| `POST /api/account/password` | takes [`PasswordChange`](#object-passwordchange); every other session ends |
| `POST /api/account/sessions/{{id}}/end` | 204; one of the own sessions ends |
| `GET /healthz` | 200 while the process answers |
| `GET /readyz` | 200 when bets can be made, else 503; `not_ready` names what is wrong |
| `GET /metrics` | figures for Prometheus, to addresses that the settings name |
| `GET /api/openapi.json` | the API as OpenAPI |

When a session ends, its sockets hear [`session`](#session) with `session_ended` and are closed with 1008: a page asks
`POST /api/session` who it is now, and does not come back to the table by itself. Registering and changing the password
turn the cookie over and leave open sockets where they are.

Every error is a [`Problem`](#object-problem), a code with its words and facts. A request with an `Origin` that is not
allowed is refused; programs send none.
"""

INCOMING = ("From the client", client_messages.ClientMessage)
OUTGOING = (
    ("Public events", server_events.Public, server_events.PublicEvent),
    ("Volatile events", server_events.Volatile, server_events.VolatileEvent),
    ("Private events", server_events.Private, server_events.PrivateEvent),
)
HTTP = [
    kind
    for module in (session, protection)
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__
]


def markdown() -> str:
    """The whole document."""
    title, incoming = INCOMING
    structs: dict[str, inspect.StructType] = {}
    parts = [PREFACE, f"## {title}\n"]
    parts += [_message(kind, structs) for kind in get_args(incoming)]
    for title, base, group in OUTGOING:
        parts += [f"## {title}\n", _doc(base)]
        parts += [_message(kind, structs) for kind in get_args(group)]
    for kind in HTTP:
        _gather(inspect.type_info(kind), structs)
    parts.append("## Objects\n\nWhat messages and HTTP answers are made of.\n")
    parts += [_section(f"Object `{name}`", info) for name, info in sorted(structs.items())]
    parts.append(_codes())
    return "\n".join(parts)


def _message(kind: Any, structs: dict[str, inspect.StructType]) -> str:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        _gather(field.type, structs)
    return _section(f"`{info.tag}`", info)


def _gather(info: Any, found: dict[str, inspect.StructType]) -> None:
    """Every struct in a type that is no message: those have a section of their own already."""
    if isinstance(info, inspect.StructType):
        if (info.tag is None or info.array_like) and info.cls.__name__ not in found:
            found[info.cls.__name__] = info
            for field in info.fields:
                _gather(field.type, found)
    elif isinstance(info, inspect.UnionType):
        for part in info.types:
            _gather(part, found)
    elif isinstance(info, inspect.ListType):
        _gather(info.item_type, found)
    elif isinstance(info, inspect.DictType):
        _gather(info.value_type, found)


def _section(title: str, info: inspect.StructType) -> str:
    lines = [f"### {title}\n", _doc(info.cls)]
    if info.array_like:
        lines.append("Sent as an array, in this order.\n")
    tag = [("", f"`{info.tag}`")] if info.array_like and info.tag is not None else []
    rows = tag + [(f"`{field.encode_name}`", _type(field.type) + _default(info, field)) for field in info.fields]
    lines.append(_table(("field", "type"), rows))
    return "\n".join(lines)


def _doc(kind: type) -> str:
    return f"{python_inspect.cleandoc(kind.__doc__ or '')}\n"


def _default(info: inspect.StructType, field: inspect.Field) -> str:
    """What a missing field means. Answers always carry their fields unless the struct leaves defaults out."""
    if field.required:
        return ""
    if info.cls.__struct_config__.omit_defaults:
        return "; left out when not chosen" if info.cls.__module__ == session.__name__ else "; left out when null"
    if issubclass(info.cls, client_messages.Message) and field.default is not NODEFAULT:
        return f"; {field.default!r} when left out"
    return ""


def _type(info: Any) -> str:
    match info:
        case inspect.IntType(ge=low, le=high):
            if low is None and high is None:
                return "integer"
            return f"integer, {low} to {'2^53 - 1' if high == client_messages.MAX_MINOR else high}"
        case inspect.FloatType():
            return "number"
        case inspect.StrType(min_length=least, max_length=most):
            return "string" if most is None else f"string, {least} to {most} characters"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.ListType():
            return f"list of {_type(info.item_type)}"
        case inspect.DictType():
            return f"object of {_type(info.value_type)}"
        case inspect.StructType():
            if info.tag is not None and not info.array_like:
                return f"[`{info.tag}`](#{info.tag})"
            return f"[`{info.cls.__name__}`](#object-{info.cls.__name__.lower()})"
        case inspect.UnionType():
            return " or ".join(_type(part) for part in info.types)
        case inspect.LiteralType():
            return " or ".join(f"`{str(value).lower() if value is True else value}`" for value in info.values)
        case inspect.EnumType():
            return " or ".join(f"`{member.value}`" for member in info.cls)
        case _:
            raise TypeError(f"no words for {info!r}")


def _codes() -> str:
    rows = [(f"`{code.value}`", words) for code, words in errors.WORDS.items()]
    table = [row for row, code in zip(rows, errors.WORDS, strict=True) if isinstance(code, Refusal)]
    other = [row for row, code in zip(rows, errors.WORDS, strict=True) if not isinstance(code, Refusal)]
    head = ("code", "English words")
    return "\n".join(
        [
            "## Codes\n",
            "Codes are stable; words may be worded better. `{name}` is filled from the facts of the refusal.\n",
            "### Refused by the table\n",
            _table(head, table),
            "### Refused before a table sees it, or on our side\n",
            _table(head, other),
        ]
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: list[str]) -> int:
    """Write the document to the file named, or with --check compare; answers an exit status."""
    return keep(markdown(), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
