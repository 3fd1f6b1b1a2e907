"""answers of bots to benchmark samples"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "interrogations",
        sa.Column("bot", sa.String(length=64), nullable=False),
        sa.Column("sample", sa.String(length=64), nullable=False),
        sa.Column("context", sa.String(length=32), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("bot", "sample", "context", name=op.f("pk_interrogations")),
    )


def downgrade() -> None:
    op.drop_table("interrogations")
