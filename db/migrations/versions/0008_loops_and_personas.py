"""which bot looped and when, what was done about the loop, and which personas the bots played"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("dialogues", sa.Column("on_loop", sa.String(length=8), nullable=True))
    op.add_column(
        "dialogues", sa.Column("personas", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=True)
    )
    op.add_column("dialogues", sa.Column("collapsed_turn", sa.Integer(), nullable=True))
    op.add_column("dialogues", sa.Column("collapsed_seat", sa.Integer(), nullable=True))


def downgrade() -> None:
    for name in ("collapsed_seat", "collapsed_turn", "personas", "on_loop"):
        op.drop_column("dialogues", name)
