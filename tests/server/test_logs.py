"""The log: it tells what goes wrong and where, and nothing that people wrote or prove themselves by."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog
from sqlalchemy.exc import DBAPIError

from acedrex import Error
from acedrex.server import logs, serve
from acedrex.server.settings import Settings
from tests.server.conftest import Person, Server, alter, anyone

SAID = "meet me at seven"
WRITTEN = "Zephyrine"
RECORD = f"""
[White "{WRITTEN} of Imports"]
[Black "Bo"]
[Result "1-0"]
[Variant "chess"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0
"""
#: A trigger that tells what was to be written, as a key that is there already does.
TELLING = """
CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'cannot write %', NEW USING DETAIL = NEW, ERRCODE = 'XX000'; END $$
"""


def spoil(url: str, *tables: str) -> None:
    """Let every write to some tables fail, in words that tell what was to be written where the database can."""
    if url.startswith("sqlite"):
        alter(url, *(f"ALTER TABLE {table} RENAME TO {table}_gone" for table in tables))
    else:
        trigger = "CREATE TRIGGER telling BEFORE INSERT ON {0} FOR EACH ROW EXECUTE FUNCTION tell()"
        alter(url, TELLING, *map(trigger.format, tables))


@pytest.mark.parametrize("terminal", [False, True], ids=["json", "terminal"])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_failing_database_tells_nothing_of_people(
    kind: str, terminal: bool, start: Callable[..., Server], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/server.db" if kind == "sqlite" else request.getfixturevalue("postgresql")()
    server = start(terminal=terminal, ACEDREX_DATABASE_URL=url)
    ana = Person(server, "Ana")
    talk = ana.socket(ana.match()["match"])
    spoil(url, "chat", "archive", "tokens")
    assert "fault" in str(talk.do(type="chat", text=SAID))
    who = {"Authorization": f"Bearer {ana.token}"}
    assert anyone.post(f"{server.base}/api/archive", content=RECORD, headers=who).status_code == 500
    asked = {"name": WRITTEN, "scopes": ["bot:play"]}
    assert anyone.post(f"{server.base}/api/me/tokens", json=asked, headers=who).status_code == 500
    spoil(url, "guests")
    assert anyone.post(f"{server.base}/api/guests", json={"name": WRITTEN}).status_code == 500
    if kind == "sqlite":
        # Looked up, not written: a token that is not known yet.
        unknown = "acx_" + "t" * 43
        answer = anyone.get(f"{server.base}/api/account", headers={"Authorization": f"Bearer {unknown}"})
        assert answer.status_code == 500
    else:
        unknown = "nobody's"
    assert server.end() == 0
    log = server.log.read_text()
    assert log.count("fault") >= 4, log
    assert ("OperationalError" if kind == "sqlite" else "InternalServerError") in log
    hashes = [hashlib.sha256(one.encode()).hexdigest() for one in (ana.token, unknown)]
    for secret in (SAID, WRITTEN, ana.token, unknown, *hashes, "token_hash="):
        assert secret not in log, log[max(0, log.index(secret) - 2000) :][:3000]


def test_a_terminal_is_not_moved_by_what_is_asked(start: Callable[..., Server]) -> None:
    server = start(terminal=True)
    anyone.get(f"{server.base}/api/%1b]0;mine%07")
    assert server.end() == 0
    log = server.log.read_text()
    assert "mine" in log and "\x1b]0;mine" not in log


def failing(error: Exception) -> str:
    """What the log says of an exception."""
    try:
        try:
            raise KeyError("a token")
        except KeyError as cause:
            raise error from cause
    except Exception as raised:
        return logs.traceback_of(raised)


def test_a_traceback_has_frames_and_types_but_no_words_of_people() -> None:
    told = failing(ValueError("what somebody wrote"))
    assert told.startswith("Traceback (most recent call last):\n") and "test_logs.py" in told and "in failing" in told
    assert told.index("KeyError") < told.index("ValueError")
    assert "somebody" not in told and "a token'" not in told
    group = failing(ExceptionGroup("somebody", [RuntimeError("somebody else")]))
    assert "RuntimeError" in group and "somebody" not in group


def test_a_traceback_keeps_what_is_of_code_and_system() -> None:
    assert "OSError: No space left on device" in failing(OSError(28, "No space left on device", "somebody"))
    assert "'NoneType' object has no attribute 'moves'" in failing(
        AttributeError("'NoneType' object has no attribute 'moves'")
    )
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(":memory:").execute("SELECT somebody")
    assert "sqlite3.OperationalError: SQLITE_ERROR" in logs.traceback_of(raised.value)


def test_what_libraries_log_is_told_in_the_same_way(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # In an event loop of its own: that of asynchronous tests raises such exceptions instead.
    async def forgotten(text: str) -> None:
        async def fail() -> None:
            raise ValueError(text)

        task = asyncio.create_task(fail())
        await asyncio.sleep(0)
        del task

    monkeypatch.setattr(logging.root, "handlers", [])
    logs.begin()
    try:
        asyncio.run(forgotten("what somebody wrote"))
    finally:
        structlog.reset_defaults()
    line = json.loads(capsys.readouterr().err)
    assert line["event"] == "library" and line["logger"] == "asyncio" and line["level"] == "error"
    assert line["said"] == "Task exception was never retrieved"
    assert "ValueError" in line["exception"] and "somebody" not in json.dumps(line)


def test_a_database_that_cannot_be_opened_is_told_without_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def migrate(url: str) -> None:
        raise DBAPIError("CREATE UNIQUE INDEX", {}, ValueError("cannot create the index\nDETAIL: what somebody wrote"))

    monkeypatch.setattr(serve, "migrate", migrate)
    with pytest.raises(Error, match=r"cannot open the database .*: cannot create the index$"):
        serve.run(Settings(database="sqlite+aiosqlite:///x.db"), "127.0.0.1", 0, lambda: None)
