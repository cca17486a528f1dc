"""The first tables."""

import sqlalchemy as sa
from alembic import op

# Databases that exist know these tables by the last of the steps in which they came.
revision = "jobs"
down_revision = None

Folded = sa.String(80).with_variant(sa.String(80, collation="C"), "postgresql")


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
        sa.Column("asked", sa.String(32)),
        sa.Column("archived", sa.Boolean),
        sa.Index("matches_of_white", "white", "at"),
        sa.Index("matches_of_black", "black", "at"),
        sa.Index("matches_by_phase", "phase", "at"),
        sa.Index("matches_by_deadline", "deadline"),
        sa.Index("matches_by_asked", "asked", "phase"),
        sa.Index("matches_by_archived", "phase", "archived"),
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
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("scopes", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("tokens_of_person", "person"),
    )
    op.create_table(
        "archive",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("setup", sa.String(80)),
        sa.Column("result", sa.String(10), nullable=False),
        sa.Column("white", sa.String(32)),
        sa.Column("black", sa.String(32)),
        sa.Column("owner", sa.String(32)),
        sa.Column("white_name", Folded, nullable=False),
        sa.Column("black_name", Folded, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Index("archive_by_time", "public", "at", "match"),
        sa.Index("archive_by_game", "public", "game", "at", "match"),
        sa.Index("archive_by_setup", "game", "setup", "at", "match"),
        sa.Index("archive_by_result", "public", "result", "at", "match"),
        sa.Index("archive_by_length", "public", "plies"),
        sa.Index("archive_by_white_name", "white_name", "at"),
        sa.Index("archive_by_black_name", "black_name", "at"),
        sa.Index("archive_of_white", "white", "at", "match"),
        sa.Index("archive_of_black", "black", "at", "match"),
        sa.Index("archive_of_owner", "owner", "at", "match"),
    )
    op.create_table(
        "openings",
        sa.Column("scope", sa.String(32), primary_key=True),
        sa.Column("position", sa.String(32), primary_key=True),
        sa.Column("ply", sa.String(80), primary_key=True),
        sa.Column("white", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("black", sa.Integer, nullable=False),
    )
    op.create_table(
        "dailies",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("visitor", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("jobs_under_way", "done", "at"),
    )
    op.create_table(
        "findings",
        sa.Column("job", sa.String(32), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
