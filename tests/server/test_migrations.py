"""Migrations of old databases."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from acedrex.server.storage.migrate import upgrade

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
