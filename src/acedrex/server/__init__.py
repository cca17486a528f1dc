"""The server: matches between people and engines over HTTP and WebSockets.

From the bottom up: ``wire`` has the messages to and from browsers; ``events``, ``clock``, ``state`` and ``decide`` are
a match without any input or output; ``store`` stores events; ``rooms`` plays matches; ``api`` speaks HTTP; ``serve``
runs everything.
It needs the extra ``server``: ``pip install ".[server]"`` in a checkout.
"""
