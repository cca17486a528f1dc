"""Call the end of matches that a player left `abandonment`, no longer `left`; only the cards of lists store reasons."""

from alembic import op

revision = "abandonment"
down_revision = "absences"


def upgrade() -> None:
    """Take the step."""
    # Nothing that people wrote can hold quotes without backslashes.
    op.execute("""UPDATE matches SET card = replace(card, '"reason":"left"', '"reason":"abandonment"')""")
