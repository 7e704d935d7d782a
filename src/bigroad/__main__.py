"""`python -m bigroad` is `bigroad`."""

import sys

from bigroad.cli import main

sys.exit(main())
