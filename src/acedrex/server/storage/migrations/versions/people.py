"""Who wrote a line of chat, and whose data is being deleted; addresses go from finished analyses."""

import sqlalchemy as sa
from alembic import op

revision = "people"
down_revision = "definitions"


def upgrade() -> None:
    """Take the step."""
    op.add_column("chat", sa.Column("person", sa.String(32)))
    op.create_index("chat_of_person", "chat", ["person"])
    op.create_index("jobs_of_visitor", "jobs", ["visitor"])
    op.execute("UPDATE jobs SET visitor = '' WHERE done AND (visitor LIKE '%.%' OR visitor LIKE '%:%')")
    op.create_table(
        "deletions",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
