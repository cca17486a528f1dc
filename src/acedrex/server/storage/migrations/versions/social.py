"""Whom people follow and block, their messages, reports about them, and what moderators do."""

import sqlalchemy as sa
from alembic import op

revision = "social"
down_revision = "signin"


def upgrade() -> None:
    """Take the step."""
    op.add_column("people", sa.Column("messages", sa.Boolean))
    op.create_index("matches_of_white_by_phase", "matches", ["white", "phase", "black"])
    op.create_index("matches_of_black_by_phase", "matches", ["black", "phase", "white"])
    for name in ("follows", "blocks"):
        op.create_table(
            name,
            sa.Column("person", sa.String(32), primary_key=True),
            sa.Column("other", sa.String(32), primary_key=True),
            sa.Column("at", sa.BigInteger, nullable=False),
            sa.Index(f"{name}_of_other", "other"),
        )
    op.create_table(
        "messages",
        sa.Column("low", sa.String(32), primary_key=True),
        sa.Column("high", sa.String(32), primary_key=True),
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("sender", sa.String(32), nullable=False),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("messages_of_high", "high"),
    )
    op.create_table(
        "conversations",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("other", sa.String(32), primary_key=True),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("read", sa.BigInteger, nullable=False),
        sa.Index("conversations_by_last", "person", "last"),
        sa.Index("conversations_with_other", "other"),
    )
    op.create_table(
        "moderators",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("reporter", sa.String(32), nullable=False),
        sa.Column("about", sa.String(32), nullable=False),
        sa.Column("match", sa.String(32)),
        sa.Column("line", sa.BigInteger),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Index("reports_open", "done", "at"),
        sa.Index("reports_of_reporter", "reporter", "done"),
        sa.Index("reports_about", "about"),
    )
    op.create_table(
        "sanctions",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("until", sa.BigInteger),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("pending", sa.Boolean, nullable=False),
        sa.Index("sanctions_pending", "kind", "pending"),
    )
    op.create_table(
        "moderation",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("moderator", sa.String(32)),
        sa.Column("moderator_name", sa.String(40), nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("person_name", sa.String(40), nullable=False),
        sa.Column("action", sa.String(10), nullable=False),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("name", sa.String(40)),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("moderation_of_person", "person"),
        sa.Index("moderation_of_moderator", "moderator"),
    )
