"""The program `bigroad`, also as `python -m bigroad`. Ctrl-C ends it without a word while it is still being read."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process; its exit status."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    from bigroad.cli import main as run

    try:
        signal.signal(signal.SIGINT, usual)
        return run()
    except KeyboardInterrupt:  # just before or after what `run` looks out for
        return INTERRUPTED


def _end(_signal: int, _frame: FrameType | None) -> None:
    """Nothing is open yet. An exception could be lost among the modules that are being read."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
