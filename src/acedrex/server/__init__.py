"""The server: matches between people and engines over HTTP and WebSockets.

From the bottom up: ``wire`` is what is said to browsers; ``events``, ``clock``, ``state`` and ``decide`` are a match
without any input or output; ``store`` keeps events; ``rooms`` play matches; ``api`` speaks HTTP; ``serve`` runs it all.
It needs the extra ``server``: ``pip install ".[server]"`` in a checkout.
"""
