"""the users' own label schemas"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "label_schemas",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("definition", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_label_schemas")),
    )


def downgrade() -> None:
    op.drop_table("label_schemas")
