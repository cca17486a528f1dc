"""Absences of the server, and the number of a match's last event.

The end of matches that a player left is called `abandonment`, no longer `left`; only the cards of lists store reasons.
"""

import sqlalchemy as sa
from alembic import op

revision = "abandonment"
down_revision = "jobs"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "absences",
        sa.Column("until", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.add_column("matches", sa.Column("number", sa.Integer))
    # Nothing that people wrote can hold quotes without backslashes.
    op.execute("""UPDATE matches SET card = replace(card, '"reason":"left"', '"reason":"abandonment"')""")
