"""``python -m acedrex.cli``: the command line."""

import sys

from acedrex.cli import main

sys.exit(main())
