"""The log: it shows what went wrong and where, but no texts or secrets of people."""

from __future__ import annotations

import ast
import asyncio
import hashlib
import json
import logging
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog
from sqlalchemy.exc import DBAPIError

from acedrex import Error
from acedrex.server import ids, logs, serve
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
#: A trigger whose error contains the row that was to be written, as errors of unique keys do.
TRIGGER = """
CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'cannot write %', NEW USING DETAIL = NEW, ERRCODE = 'XX000'; END $$
"""


def spoil(url: str, *tables: str) -> None:
    """Let every write to some tables fail, in PostgreSQL with the row in the message."""
    if url.startswith("sqlite"):
        alter(url, *(f"ALTER TABLE {table} RENAME TO {table}_gone" for table in tables))
    else:
        trigger = "CREATE TRIGGER telling BEFORE INSERT ON {0} FOR EACH ROW EXECUTE FUNCTION tell()"
        alter(url, TRIGGER, *map(trigger.format, tables))


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [False, True], ids=["json", "terminal"])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_errors_of_the_database_are_logged_without_personal_data(
    kind: str, terminal: bool, start: Callable[..., Server], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/server.db" if kind == "sqlite" else request.getfixturevalue("postgresql").migrated()
    server = start(terminal=terminal, ACEDREX_DATABASE_URL=url)
    ana = Person(server, "Ana")
    talk = ana.socket(ana.match()["match"])
    spoil(url, "chat", "archive", "tokens")
    assert "fault" in str(talk.do(type="chat", text=SAID))
    who = {"Authorization": f"Bearer {ana.token}"}
    assert anyone.post(f"{server.base}/api/archive", content=RECORD, headers=who).status_code == 500
    asked = {"name": WRITTEN, "scopes": ["bot:play"]}
    assert anyone.post(f"{server.base}/api/me/tokens", json=asked, headers=who).status_code == 500
    spoil(url, "people", "sessions")
    assert anyone.post(f"{server.base}/api/guests", json={"name": WRITTEN}).status_code == 500
    if kind == "sqlite":
        # An unknown token, which is looked up, not written.
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
    for text in (SAID, WRITTEN, ana.token, unknown, *hashes, "token_hash="):
        assert text not in log, log[max(0, log.index(text) - 2000) :][:3000]


def test_nothing_of_an_address_reaches_the_terminal(start: Callable[..., Server]) -> None:
    server = start(terminal=True)
    for path in ("/api/%1b]0;mine%07", "/%1b]0;mine%07", "/match/%1b]0;mine%07"):
        anyone.get(f"{server.base}{path}?%1b]0;mine%07")
    assert server.end() == 0
    log = server.log.read_text()
    assert log.count("request") >= 3 and "mine" not in log


def test_control_characters_are_escaped_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    logs.begin()
    try:
        structlog.get_logger().info("event", said="\x1b]0;mine\x07")
    finally:
        structlog.reset_defaults()
    said = capsys.readouterr().err
    assert "mine" in said and "\x1b]0;mine" not in said


#: The fields of events in the log. None is an id or written by people, or else `logs.IDS` has it: that of a match lets
#: anybody watch.
FIELDS = {
    *("match", "job", "person", "publisher", "tournament"),
    *("definition", "file", "game", "rules", "logger", "said"),
    *("error", "exc_info", "kind", "problem", "what", "why", "page", "path", "method", "status"),
    *("milliseconds", "ms", "removed", "reports", "seconds"),
}


def test_the_log_has_no_other_fields_than_those_known_to_be_without_ids() -> None:
    found = set()
    for path in Path(logs.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
                found |= {keyword.arg for keyword in node.keywords if keyword.arg}
    assert found - {"target", "args", "kwargs", "daemon"} <= FIELDS, "ids belong into fields that logs.IDS names"
    assert {*logs.IDS} <= FIELDS


def test_ids_are_logged_as_references(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.root, "handlers", [])
    logs.begin()
    try:
        structlog.get_logger().info("event", match="abc", job="def", person=None, publisher="guest ghi")
        structlog.get_logger().info("event", publisher="token club")
    finally:
        structlog.reset_defaults()
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["match"], first["job"], first["person"]) == (ids.reference("abc"), ids.reference("def"), None)
    assert first["publisher"] == f"guest {ids.reference('ghi')}" and second["publisher"] == "token club"


def failing(error: Exception) -> str:
    """Return the traceback of an exception as the log writes it."""
    try:
        try:
            raise KeyError("a token")
        except KeyError as cause:
            raise error from cause
    except Exception as raised:
        return logs.traceback_of(raised)


def test_logged_tracebacks_have_frames_and_types_but_no_messages() -> None:
    told = failing(ValueError("what somebody wrote"))
    assert told.startswith("Traceback (most recent call last):\n") and "test_logs.py" in told and "in failing" in told
    assert told.index("KeyError") < told.index("ValueError")
    assert "somebody" not in told and "a token'" not in told
    group = failing(ExceptionGroup("somebody", [RuntimeError("somebody else")]))
    assert "RuntimeError" in group and "somebody" not in group


def test_logged_tracebacks_keep_messages_of_python_and_the_system() -> None:
    assert "OSError: No space left on device" in failing(OSError(28, "No space left on device", "somebody"))
    assert "'NoneType' object has no attribute 'moves'" in failing(
        AttributeError("'NoneType' object has no attribute 'moves'")
    )
    with pytest.raises(sqlite3.OperationalError) as raised:
        sqlite3.connect(":memory:").execute("SELECT somebody")
    assert "sqlite3.OperationalError: SQLITE_ERROR" in logs.traceback_of(raised.value)


def test_exceptions_logged_by_libraries_have_no_messages(
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


def test_a_failed_migration_is_reported_without_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def migrate(url: str) -> None:
        raise DBAPIError("CREATE UNIQUE INDEX", {}, ValueError("cannot create the index\nDETAIL: what somebody wrote"))

    monkeypatch.setattr(serve, "migrate", migrate)
    with pytest.raises(Error, match=r"cannot open the database .*: cannot create the index$"):
        serve.run(Settings(database=f"sqlite+aiosqlite:///{tmp_path}/x.db"), "127.0.0.1", 0, lambda: None)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_a_log_on_a_full_disk_disturbs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full").open("w")  # noqa: SIM115
    monkeypatch.setattr(sys, "stderr", full)
    monkeypatch.setattr(logging.root, "handlers", [])
    logs.begin()
    try:
        for _ in range(3):
            structlog.get_logger().error("cannot_write")
    finally:
        # Later tests log, too.
        structlog.reset_defaults()
    with pytest.raises(OSError, match="No space"):
        full.close()
