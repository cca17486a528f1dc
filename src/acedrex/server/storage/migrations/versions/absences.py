"""Absences of the server, and the number of a match's last event."""

import sqlalchemy as sa
from alembic import op

revision = "absences"
down_revision = "jobs"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "absences",
        sa.Column("until", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.add_column("matches", sa.Column("number", sa.Integer))
