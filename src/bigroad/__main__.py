"""The program `bigroad`, also as `python -m bigroad`. Ctrl-C ends it without a word while it is still being read."""

import sys


def main() -> int:
    """Run the command line of this process; its exit status."""
    try:
        from bigroad.cli import main as run
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
