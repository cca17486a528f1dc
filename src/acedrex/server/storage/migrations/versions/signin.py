"""Invitations, passkeys, addresses for mails, mails to send, and progress in lessons; passwords are optional."""

import sqlalchemy as sa
from alembic import op

revision = "signin"
down_revision = "ratings"


def upgrade() -> None:
    """Take the step."""
    with op.batch_alter_table("accounts") as accounts:
        accounts.alter_column("password_hash", existing_type=sa.String(200), nullable=True)
        accounts.add_column(sa.Column("invitation_hash", sa.String(64)))
        accounts.add_column(sa.Column("mail", sa.String(254)))
        accounts.add_column(sa.Column("new_mail", sa.String(254)))
        accounts.add_column(sa.Column("language", sa.String(8)))
    op.create_index("accounts_by_invitation", "accounts", ["invitation_hash"], unique=True)
    op.create_index("accounts_by_mail", "accounts", ["mail"])
    op.create_table(
        "invitations",
        sa.Column("invitation_hash", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("credential", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Index("passkeys_of_person", "person"),
    )
    op.create_table(
        "passkey_challenges",
        sa.Column("challenge_hash", sa.String(64), primary_key=True),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Index("passkey_challenges_by_until", "until"),
        sa.Index("passkey_challenges_of_person", "person"),
    )
    op.create_table(
        "mail_links",
        sa.Column("link_hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Index("mail_links_by_until", "until"),
        sa.Index("mail_links_of_person", "person"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Index("outbox_by_due", "due"),
        sa.Index("outbox_of_person", "person"),
    )
    op.create_table(
        "progress",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )
