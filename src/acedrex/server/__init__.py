"""The server: matches between people and engines over HTTP and WebSockets.

Its folders, each of which uses only those before it: ``wire`` has the messages to and from browsers, ``match`` a match
without input or output, ``storage`` the database, ``limits`` what visitors may use, ``games`` the games on offer,
``people`` guests, accounts and sessions, ``play`` the matches being played, ``analysis`` and ``archive`` what their
names say, ``personal_data`` the copy and the deletion of what is stored of people, and ``api`` speaks HTTP. Beside them
``serve`` runs the processes, and ``app`` assembles one of them from its ``services``.
It needs the extra ``server``: ``pip install ".[server]"`` in a checkout.
"""
