"""Starts `bigroad` processes quickly: everything is imported once, then each process is a fork of this one.

Reads requests from standard input, a line of JSON each: {"words", "folder", "environment", "output"}; answers the
process id. Each process is one of its own, with its own files and sockets; only the imports are shared.
"""

import json
import os
import signal
import sys
import time

import bigroad.cli
import bigroad.cli.backup
import bigroad.cli.serve
from bigroad.app import crash_points


def become(order: dict) -> None:  # type: ignore[type-arg]
    """Be `bigroad WORDS`, and end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in ((0, nothing), (1, output), (2, output)):
        os.dup2(source, target)
    os.chdir(order["folder"])
    for name in [name for name in os.environ if name.startswith(("BIGROAD_", "PORT"))]:
        del os.environ[name]
    os.environ.update(order["environment"])
    time.tzset()
    crash_points.arm(os.environ)
    os._exit(bigroad.cli.main(order["words"]))


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here; whoever asked watches them
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            try:
                become(order)
            finally:
                os._exit(70)
        print(child, flush=True)


if __name__ == "__main__":
    main()
