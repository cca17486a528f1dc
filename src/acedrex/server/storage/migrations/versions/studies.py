"""Studies, their operations and their people; positions by which finished matches are found, and how dramatic."""

import sqlalchemy as sa
from alembic import op

revision = "studies"
down_revision = "tournaments"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "studies",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("access", sa.String(10), nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("chapters", sa.Integer, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("authors", sa.Text, nullable=False),
        sa.Index("studies_by_change", "access", "withdrawn", "changed", "id"),
        sa.Index("studies_of_owner", "owner", "changed", "id"),
        sa.Index("studies_empty", "size", "changed"),
    )
    op.create_table(
        "study_operations",
        sa.Column("study", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(32)),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Index("study_operations_of_person", "person", "study"),
    )
    op.create_table(
        "study_members",
        sa.Column("study", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("study_members_of_person", "person", "study"),
    )
    op.create_table(
        "positions",
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Index("positions_of_match", "match"),
    )
    op.add_column("archive", sa.Column("drama", sa.Float(53)))
    op.add_column("matches", sa.Column("indexed", sa.Boolean))
    op.create_index("matches_to_index", "matches", ["indexed", "archived"])
    op.add_column("reports", sa.Column("study", sa.String(32)))
