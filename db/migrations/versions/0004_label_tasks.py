"""the organiser's decisions about labelling"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "label_tasks",
        sa.Column(
            "tournament",
            sa.String(length=32),
            sa.ForeignKey("tournaments.id", name=op.f("fk_label_tasks_tournament")),
            nullable=False,
        ),
        sa.Column("schema", sa.String(length=32), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("dialogues", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("tournament", "schema", name=op.f("pk_label_tasks")),
    )


def downgrade() -> None:
    op.drop_table("label_tasks")
