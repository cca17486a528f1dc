"""Store with each definition what it extends, so that it means the same when a shipped game has changed."""

import sqlalchemy as sa
from alembic import op

from acedrex import Error, Game

revision = "definitions"
down_revision = "abandonment"

definitions = sa.table("definitions", sa.column("hash", sa.String), sa.column("text", sa.Text))


def upgrade() -> None:
    """Take the step. The hashes stay: they are names by which the matches know the texts."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(definitions)).all():
        try:
            text = Game.stored(row.text, "definition").full_source
        except Error:  # Its matches are already set aside.
            continue
        if text != row.text:
            connection.execute(definitions.update().where(definitions.c.hash == row.hash).values(text=text))
