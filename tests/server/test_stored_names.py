"""Stored data keeps its original names, so that old databases and backups can be read."""

from __future__ import annotations

import msgspec
import pytest

from acedrex.server import wire
from acedrex.server.analysis import reviews
from acedrex.server.match import events
from tests.server.matches import created

STORED = [
    (b'{"type":"ply","at":1,"ply":"e2e4","spent":3}', events.MovePlayed(at=1, move="e2e4", spent=3)),
    (
        b'{"type":"offer","at":1,"what":"takeback","by":"white","plies":2}',
        events.Offered(at=1, what="takeback", by="white", moves=2),
    ),
    (
        b'{"type":"created","at":1,"game":"chess","file":"chess","options":{},"definition":"d","rules_hash":"h",'
        b'"opponent":"friend","time":{"kind":"none"},"side":"white","setup":null,"arranging":null,"hints":false,'
        b'"fen":"x","tags":{},"series":{"white":1.5,"black":0.5,"games":2},"rated":true,'
        b'"tournament":"t"}',
        created(
            "chess",
            at=1,
            definition="d",
            rules_hash="h",
            fen="x",
            series=wire.Series(1.5, 0.5, 2),
            rated=True,
            tournament="t",
        ),
    ),
]
JOB = b'{"definition":"d","file":"f","options":{},"rules_hash":"h","fen":"x","plies":["e2e4"]}'


@pytest.mark.parametrize(("text", "event"), STORED)
def test_stored_events_keep_their_names(text: bytes, event: events.Event) -> None:
    assert msgspec.json.decode(text, type=events.Event) == event
    assert msgspec.json.decode(msgspec.json.encode(event)) == msgspec.json.decode(text)


def test_stored_jobs_keep_their_names() -> None:
    """The id of a job is a hash of this text."""
    body = msgspec.json.decode(JOB, type=reviews.Body)
    assert body.moves == ["e2e4"]
    assert msgspec.json.encode(body) == JOB
