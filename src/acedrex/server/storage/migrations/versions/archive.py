"""Tokens of programs, challenges to somebody, the archive and its openings."""

import sqlalchemy as sa
from alembic import op

revision = "archive"
down_revision = "first"

Folded = sa.String(80).with_variant(sa.String(80, collation="C"), "postgresql")


def upgrade() -> None:
    """Take the step. What is over already is archived by the running server."""
    op.add_column("matches", sa.Column("asked", sa.String(32)))
    op.add_column("matches", sa.Column("archived", sa.Boolean))
    op.create_index("matches_by_asked", "matches", ["asked", "phase"])
    op.create_index("matches_by_archived", "matches", ["phase", "archived"])
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
