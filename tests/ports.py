"""Ports for servers, which stay theirs while they are down."""

from __future__ import annotations

import socket

#: Bound but not listening: the system gives these ports to nobody else, and a server can still listen at them.
_held: list[socket.socket] = []


def free_port() -> int:
    """Return a port for a server that may be stopped and started again.

    A port that was only looked up is free until the server listens, and again while it restarts: any connection made
    meanwhile could be given it.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _held.append(holder)
    return int(holder.getsockname()[1])
