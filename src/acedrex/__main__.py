"""``python -m acedrex``: the command line."""

import sys

from acedrex.cli import main

sys.exit(main())
