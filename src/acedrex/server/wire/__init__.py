"""The messages between the server and the browser.

Squares are names (``g7``), times are milliseconds, ids are short texts. A move is its text as :meth:`acedrex.Move.uci`
writes it: ``f2h3``, ``a7a8q``, ``end``, ``claim``.

Positions, pieces and setups are those of :mod:`acedrex.shapes`. A type of a module below is a type of this one, and
``tools/make_types.py`` makes a TypeScript type of each. Those of ``bots`` are not exported here.
"""

from acedrex.server.wire.accounts import *
from acedrex.server.wire.analysis import *
from acedrex.server.wire.archive import *
from acedrex.server.wire.correspondence import *
from acedrex.server.wire.games import *
from acedrex.server.wire.house import *
from acedrex.server.wire.lessons import *
from acedrex.server.wire.matches import *
from acedrex.server.wire.notifications import *
from acedrex.server.wire.people import *
from acedrex.server.wire.positions import *
from acedrex.server.wire.published import *
from acedrex.server.wire.ratings import *
from acedrex.server.wire.social import *
from acedrex.server.wire.socket import *
from acedrex.server.wire.studies import *
from acedrex.server.wire.tokens import *
from acedrex.server.wire.tournaments import *
from acedrex.server.wire.tv import *
from acedrex.server.wire.vocabulary import *
from acedrex.shapes import *
