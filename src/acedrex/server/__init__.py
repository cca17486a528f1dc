"""The server: matches between people and engines over HTTP and WebSockets.

From the bottom up, each using only those before it: ``wire`` has the messages to and from browsers; ``match`` is a match
without any input or output; ``storage`` the database; ``limits`` what visitors may use; ``games`` the games that are
offered; ``people`` the guests; ``play`` the matches being played; ``analysis`` and ``archive``; ``personal_data`` copies
and deletes what is stored of people; ``api`` speaks HTTP. Beside the folders, ``serve`` runs the processes, ``app``
assembles one of them from its ``services``.
It needs the extra ``server``: ``pip install ".[server]"`` in a checkout.
"""
