"""First attempts at puzzles, the ratings of puzzles that follow from them, and comparisons with the engine's moves."""

import sqlalchemy as sa
from alembic import op

revision = "puzzles"
down_revision = "social"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "attempts",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(32)),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("puzzle", sa.Integer, nullable=False),
        sa.Column("themes", sa.String(80), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("new", sa.Float(53), nullable=False),
        sa.Column("puzzle_rating", sa.Float(53), nullable=False),
        sa.Column("puzzle_deviation", sa.Float(53), nullable=False),
        sa.Index("attempts_of_person", "person", "game", "puzzle", unique=True),
        sa.Index("attempts_of_person_by_number", "person", "number"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("puzzle", sa.Integer, primary_key=True),
        sa.Column("rating", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("volatility", sa.Float(53), nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.add_column("matches", sa.Column("to_compare", sa.Boolean))
    op.create_index("matches_to_compare", "matches", ["to_compare"])
    op.create_table(
        "comparisons",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("side", sa.String(5), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("positions", sa.Integer, nullable=False),
        sa.Column("first_choices", sa.Integer, nullable=False),
        sa.Column("loss", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("comparisons_of_person", "person", "game"),
    )
