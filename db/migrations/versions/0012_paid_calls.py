"""calls in progress, one row per call, and the number of calls lost with their process"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (("lost_calls", sa.BigInteger()), ("lost_cost", sa.Double())):
        op.add_column("budget_accounts", sa.Column(name, kind, nullable=False, server_default="0"))
    op.create_table(
        "paid_calls",
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["budget_accounts.id"], name=op.f("fk_paid_calls_account")),
        sa.PrimaryKeyConstraint("account", "key", name=op.f("pk_paid_calls")),
    )


def downgrade() -> None:
    op.drop_table("paid_calls")
    for name in ("lost_cost", "lost_calls"):
        op.drop_column("budget_accounts", name)
