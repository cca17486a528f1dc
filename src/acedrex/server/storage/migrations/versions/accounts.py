"""People in place of guests, with sessions and accounts: a token is now that of a session."""

import sqlalchemy as sa
from alembic import op

revision = "accounts"
down_revision = "people"


def upgrade() -> None:
    """Take the step."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("import_key", sa.String(64), nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("device", sa.String(80), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Index("sessions_of_person", "person", "seen"),
    )
    op.create_table(
        "accounts",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("handle", sa.String(80), nullable=False, unique=True),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("recovery_hash", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "codes",
        sa.Column("code_hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Index("codes_by_until", "until"),
        sa.Index("codes_of_person", "person"),
    )
    op.execute("INSERT INTO people (id, name, at, import_key) SELECT id, name, at, token_hash FROM guests")
    op.execute(
        "INSERT INTO sessions (id, person, token_hash, device, at, seen)"
        " SELECT substr(token_hash, 1, 32), id, token_hash, '', at, at FROM guests"
    )
    op.drop_table("guests")
