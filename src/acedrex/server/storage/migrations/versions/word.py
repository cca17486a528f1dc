"""Whom to notify of what: settings, subscriptions to push messages, and what is known of matches."""

import sqlalchemy as sa
from alembic import op

revision = "word"
down_revision = "puzzles"


def upgrade() -> None:
    """Take the step."""
    op.add_column("matches", sa.Column("notify_at", sa.BigInteger))
    op.add_column("matches", sa.Column("told", sa.Integer))
    op.add_column("matches", sa.Column("told_turn", sa.Integer))
    op.create_index("matches_by_notify_at", "matches", ["notify_at"])
    op.create_table(
        "notification_settings",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("lobby", sa.Boolean, nullable=False),
        sa.Column("lobby_at", sa.BigInteger, nullable=False),
        sa.Index("notification_settings_by_lobby", "lobby", "lobby_at"),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(120), nullable=False),
        sa.Column("auth_secret", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("push_subscriptions_of_person", "person"),
        sa.Index("push_subscriptions_of_session", "session"),
    )
    op.create_table(
        "server_keys",
        sa.Column("purpose", sa.String(20), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
    )
