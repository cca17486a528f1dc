"""Who wrote a line of chat, and whose data is being deleted; addresses go from finished analyses.

Each definition is stored with what it extends, so that it means the same when a shipped game has changed.
"""

import sqlalchemy as sa
from alembic import op

from acedrex import Error, Game

revision = "people"
down_revision = "abandonment"

definitions = sa.table("definitions", sa.column("hash", sa.String), sa.column("text", sa.Text))


def upgrade() -> None:
    """Take the step. The hashes of definitions stay: they are names by which the matches know the texts."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(definitions)).all():
        try:
            text = Game.stored(row.text, "definition").full_source
        except Error:  # Its matches are already set aside.
            continue
        if text != row.text:
            connection.execute(definitions.update().where(definitions.c.hash == row.hash).values(text=text))
    op.add_column("chat", sa.Column("person", sa.String(32)))
    op.create_index("chat_of_person", "chat", ["person"])
    op.create_index("jobs_of_visitor", "jobs", ["visitor"])
    op.execute("UPDATE jobs SET visitor = '' WHERE done AND (visitor LIKE '%.%' OR visitor LIKE '%:%')")
    op.create_table(
        "deletions",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
