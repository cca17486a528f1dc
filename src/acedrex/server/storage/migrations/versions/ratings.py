"""Ratings, and the results of rated matches from which they follow."""

import sqlalchemy as sa
from alembic import op

revision = "ratings"
down_revision = "accounts"


def upgrade() -> None:
    """Take the step."""
    op.add_column("matches", sa.Column("to_rate", sa.Boolean))
    op.create_index("matches_to_rate", "matches", ["to_rate", "phase"])
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("pool", sa.String(80), primary_key=True),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("volatility", sa.Float(53), nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("ratings_by_pool", "pool", "rating"),
    )
    op.create_table(
        "results",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match", sa.String(32), nullable=False),
        sa.Column("pool", sa.String(80), nullable=False),
        sa.Column("white", sa.String(32)),
        sa.Column("black", sa.String(32)),
        sa.Column("points", sa.Float(53), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("white_rating", sa.Float(53), nullable=False),
        sa.Column("white_deviation", sa.Float(53), nullable=False),
        sa.Column("white_new", sa.Float(53), nullable=False),
        sa.Column("black_rating", sa.Float(53), nullable=False),
        sa.Column("black_deviation", sa.Float(53), nullable=False),
        sa.Column("black_new", sa.Float(53), nullable=False),
        sa.Index("results_of_match", "match", "pool", unique=True),
        sa.Index("results_of_white", "white", "pool", "number"),
        sa.Index("results_of_black", "black", "pool", "number"),
    )
