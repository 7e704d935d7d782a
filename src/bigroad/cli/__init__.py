"""The command line: `bigroad COMMAND …`.

One module a command. To add one, write the module with its function and name it in `COMMANDS`: it is imported only
when it is called. A command returns its exit status, None for 0, and raises BigroadError for what it refuses.

Exit status: 0 done; 2 something in the input was refused (the rest was still done); 130 stopped by Ctrl-C; 141 the
reader of the output went away. What is refused is told on standard error, as `bigroad: CODE: words`, or with --json as
`{"error":{"code":…,"message":…}}`; commands that read lines put that object, with its line number, in the place of the
line's result.
"""

import sys
from collections.abc import Sequence
from typing import Final

from cyclopts import App, CycloptsError

from bigroad.cli import output
from bigroad.cli.errors import BadUsage, CannotReadOrWrite
from bigroad.rules.errors import BigroadError

COMMANDS: Final = {
    "coup": "bigroad.cli.coup:coup",
    "roads": "bigroad.cli.roads:roads",
    "serve": "bigroad.cli.serve:serve",
    "bots": "bigroad.cli.bots:bots",
    "audit": "bigroad.cli.audit:audit",
    "backup": "bigroad.cli.backup:backup",
    "accept-restore": "bigroad.cli.backup:accept_restore",
    "reset-password": "bigroad.cli.reset_password:reset_password",
    "rotate-keys": "bigroad.cli.rotate_keys:rotate_keys",
    "simulate-floor": "bigroad.cli.simulate_floor:simulate_floor",
    "verify-log": "bigroad.cli.verify_log:verify_log",
}

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
READER_GONE: Final = 141


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("bigroad")
    except PackageNotFoundError:
        return "from source"


def make_app() -> App:
    """The commands, ready to be called."""
    app = App(
        name="bigroad",
        help="Self-hosted multiplayer 3D baccarat.",
        version=_version,
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    for name, path in COMMANDS.items():
        app.command(path, name=name)
    return app


def main(tokens: Sequence[str] | None = None) -> int:
    """Run one command line, without the program's name; None takes the process's own. Answers the exit status."""
    words = list(sys.argv[1:] if tokens is None else tokens)
    output.prepare()
    try:
        status = make_app()(words)
        output.flush()
    except BrokenPipeError:
        output.give_up()
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except CycloptsError as error:
        return _refused(BadUsage(output.one_line(str(error))), words)
    except BigroadError as error:
        return _refused(error, words)
    except OSError as error:
        output.give_up()
        return _refused(CannotReadOrWrite(output.one_line(str(error))), words)
    return status if isinstance(status, int) else 0


def _refused(error: BigroadError, words: Sequence[str]) -> int:
    output.tell(error, as_json="--json" in words)
    return BAD_INPUT
