"""Write the TypeScript types of the wire from the Python ones: `python -m bigroad.wire.export FILE`.

With `--check` nothing is written; exit status 1 says that the file is stale.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from bigroad.wire import client_messages, errors, protection, server_events, session, version

HEADER = "// Generated from src/bigroad/wire by `make gen`. Do not edit.\n"


def typescript() -> str:
    """The whole module: one interface a struct, one union a group, codes with their words."""
    groups: dict[str, Any] = {
        "ClientMessage": client_messages.ClientMessage,
        "TableCommand": client_messages.TableCommand,
        "PublicEvent": server_events.PublicEvent,
        "VolatileEvent": server_events.VolatileEvent,
        "PrivateEvent": server_events.PrivateEvent,
        "ServerEvent": server_events.ServerEvent,
    }
    roots = [
        *_members(groups.values()),
        session.Session,
        session.Ticket,
        session.TableRow,
        session.HistoryPage,
        session.CoupRecord,
    ]
    roots += [session.Preferences, session.ShoeRecord, session.Problem]
    roots += [protection.Protection, protection.Sitting]
    roots += [session.Account, session.Credentials, session.PasswordChange]
    structs: dict[str, inspect.StructType] = {}
    for root in roots:
        _collect(inspect.type_info(root), structs)
    parts = [HEADER, f'export const SUBPROTOCOL = "{version.SUBPROTOCOL}";']
    parts += [f'export const TICKET_PREFIX = "{version.TICKET_PREFIX}";\n']
    parts += [_interface(info) for _, info in sorted(structs.items())]
    for name, group in groups.items():
        parts.append(f"export type {name} = {' | '.join(sorted(t.__name__ for t in get_args(group)))};\n")
    words = "".join(f'  {code.value}: "{text}",\n' for code, text in errors.WORDS.items())
    parts.append("/** English words of every code; {name} is filled from the facts. */")
    parts.append(f"export const WORDS = {{\n{words}}} as const;\n")
    parts.append("export type Code = keyof typeof WORDS;\n")
    return "\n".join(parts)


def _members(groups: Iterable[Any]) -> list[Any]:
    return [member for group in groups for member in get_args(group)]


def _collect(info: Any, found: dict[str, inspect.StructType]) -> None:
    if isinstance(info, inspect.StructType):
        if info.cls.__name__ in found:
            return
        found[info.cls.__name__] = info
        for field in info.fields:
            _collect(field.type, found)
    elif isinstance(info, inspect.UnionType):
        for part in info.types:
            _collect(part, found)
    elif isinstance(info, inspect.ListType):
        _collect(info.item_type, found)
    elif isinstance(info, inspect.DictType):
        _collect(info.value_type, found)


def _interface(info: inspect.StructType) -> str:
    name = info.cls.__name__
    doc = " ".join((info.cls.__doc__ or "").split())
    if info.array_like:
        row = ", ".join(f"{field.name}: {_type(field.type)}" for field in info.fields)
        if info.tag is not None:
            row = f'act: "{info.tag}", {row}'
        return f"/** {doc} */\nexport type {name} = [{row}];\n"
    lines = [f'  type: "{info.tag}";'] if info.tag is not None else []
    optional = msgspec.structs.fields(info.cls) and info.cls.__struct_config__.omit_defaults
    incoming = issubclass(info.cls, client_messages.Message)
    for field in info.fields:
        mark = "?" if not field.required and (optional or incoming) else ""
        lines.append(f"  {field.encode_name}{mark}: {_type(field.type)};")
    return f"/** {doc} */\nexport interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _type(info: Any) -> str:
    match info:
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.ListType():
            inner = _type(info.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.DictType():
            return f"Record<string, {_type(info.value_type)}>"
        case inspect.StructType():
            return info.cls.__name__
        case inspect.UnionType():
            return " | ".join(_type(part) for part in info.types)
        case inspect.LiteralType():
            return " | ".join(f'"{value}"' for value in info.values)
        case inspect.EnumType():
            return " | ".join(f'"{member.value}"' for member in info.cls)
        case _:
            raise TypeError(f"no TypeScript for {info!r}")


def keep(text: str, arguments: list[str]) -> int:
    """Write a generated text to the file named, or with --check compare; answers an exit status."""
    path = Path(next(argument for argument in arguments if not argument.startswith("--")))
    if "--check" in arguments:
        fresh = path.is_file() and path.read_text(encoding="utf-8") == text
        if not fresh:
            print(f"{path} is stale: run `make gen`", file=sys.stderr)
        return 0 if fresh else 1
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return 0


def main(arguments: list[str]) -> int:
    """Write the module to the file named, or with --check compare; answers an exit status."""
    return keep(typescript(), arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
