"""Jobs: games that the engine looks through, and what it finds."""

import sqlalchemy as sa
from alembic import op

revision = "jobs"
down_revision = "dailies"


def upgrade() -> None:
    """Take the step."""
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
