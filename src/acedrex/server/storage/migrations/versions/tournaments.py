"""Tournaments, their events and players, and people's calendars."""

import sqlalchemy as sa
from alembic import op

revision = "tournaments"
down_revision = "correspondence"


def upgrade() -> None:
    """Take the step."""
    op.add_column("matches", sa.Column("tournament", sa.String(32)))
    op.add_column("matches", sa.Column("to_report", sa.Boolean))
    op.create_index("matches_of_tournament", "matches", ["tournament"])
    op.create_index("matches_to_report", "matches", ["to_report", "phase"])
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("creator", sa.String(32)),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("starts_at", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("next_at", sa.BigInteger),
        sa.Column("card", sa.Text, nullable=False),
        sa.Index("tournaments_by_phase", "phase", "starts_at"),
        sa.Index("tournaments_by_next_at", "next_at"),
        sa.Index("tournaments_of_creator", "creator", "phase"),
    )
    op.create_table(
        "tournament_events",
        sa.Column("tournament", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String(32), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(32)),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Index("entrants_of_person", "person", "tournament", unique=True),
    )
    op.create_table(
        "calendars",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("secret_hash", sa.String(64), nullable=False, unique=True),
    )
