"""Migrations of old databases."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from acedrex.server.storage.migrate import migrate, upgrade

ROW = (
    "INSERT INTO matches (id, opponent, phase, engine_due, at, card) VALUES ('m', 'human', 'over', false, 0,"
    """ '{"ending":{"reason":"left","winner":"white"},"players":{"white":"\\"reason\\":\\"left\\""}}')"""
)


def test_a_migration_renames_reasons_but_not_the_same_text_in_names(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/a.db")
    with engine.begin() as connection:
        upgrade(connection, "jobs")
        connection.exec_driver_sql(ROW)
        upgrade(connection)
        card = connection.exec_driver_sql("SELECT card FROM matches").scalar_one()
    assert card == '{"ending":{"reason":"abandonment","winner":"white"},"players":{"white":"\\"reason\\":\\"left\\""}}'


def test_guests_keep_their_tokens_and_the_key_of_their_imports(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path}/a.db")
    with engine.begin() as connection:
        upgrade(connection, "people")
        connection.exec_driver_sql("INSERT INTO guests VALUES ('ana', 'Ana', 'hash of her token', 7)")
        upgrade(connection)
        rows = connection.exec_driver_sql("SELECT id, name, at, import_key FROM people").all()
        sessions = connection.exec_driver_sql("SELECT person, token_hash, seen FROM sessions").all()
    assert [tuple(row) for row in rows] == [("ana", "Ana", 7, "hash of her token")]
    assert [tuple(row) for row in sessions] == [("ana", "hash of her token", 7)]


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.db"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        upgrade(connection, "people")

    def fail(connection: sa.Connection) -> None:
        upgrade(connection)
        raise InterruptedError

    monkeypatch.setattr("acedrex.server.storage.migrate.upgrade", fail)
    with pytest.raises(InterruptedError):
        migrate(f"sqlite+aiosqlite:///{file}")
    monkeypatch.undo()
    with engine.connect() as connection:
        assert "guests" in sa.inspect(connection).get_table_names()
    migrate(f"sqlite+aiosqlite:///{file}")
