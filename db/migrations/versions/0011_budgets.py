"""budgets that all processes share, replies that were paid for, and shared rate limits"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "budget_accounts",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_budget_accounts")),
    )
    op.create_table(
        "budget_holders",
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.Column("dialogues", sa.Integer(), nullable=False),
        sa.Column("expected_calls", sa.BigInteger(), nullable=False),
        sa.Column("expected_tokens", sa.BigInteger(), nullable=False),
        sa.Column("expected_cost", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["budget_accounts.id"], name=op.f("fk_budget_holders_account")),
        sa.PrimaryKeyConstraint("account", "owner", name=op.f("pk_budget_holders")),
    )
    op.create_table(
        "paid_replies",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("dialogue", sa.String(length=100), nullable=False),
        sa.Column("reply", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["budget_accounts.id"], name=op.f("fk_paid_replies_account")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_paid_replies")),
    )
    op.create_index(op.f("ix_paid_replies_account"), "paid_replies", ["account"])
    op.create_index(op.f("ix_paid_replies_dialogue"), "paid_replies", ["dialogue"])
    op.create_table(
        "rate_turns",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("next", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_rate_turns")),
    )


def downgrade() -> None:
    for name in ("rate_turns", "paid_replies", "budget_holders", "budget_accounts"):
        op.drop_table(name)
