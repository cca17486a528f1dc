"""Who has solved the puzzle of which day."""

import sqlalchemy as sa
from alembic import op

revision = "dailies"
down_revision = "archive"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "dailies",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
