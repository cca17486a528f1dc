"""Days off, conditional moves, and notes of players."""

import sqlalchemy as sa
from alembic import op

revision = "correspondence"
down_revision = "word"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "days_off",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("since", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("left", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "conditional_moves",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("side", sa.String(5), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("fen", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Index("conditional_moves_of_person", "person"),
    )
    op.create_table(
        "notes",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("notes_of_person", "person"),
    )
