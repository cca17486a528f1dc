"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "guests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "definitions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("opponent", sa.String(10), nullable=False),
        sa.Column("white", sa.String(32)),
        sa.Column("black", sa.String(32)),
        sa.Column("creator", sa.String(32)),
        sa.Column("invite_hash", sa.String(64)),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("engine_due", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Index("matches_of_white", "white", "at"),
        sa.Index("matches_of_black", "black", "at"),
        sa.Index("matches_by_phase", "phase", "at"),
        sa.Index("matches_by_deadline", "deadline"),
    )
    op.create_table(
        "chat",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("by", sa.String(10), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    beats = op.create_table(
        "beats",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(beats, [{"id": 1, "at": 0}])
