"""the time that each verdict took"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("verdicts", sa.Column("seconds", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("verdicts", "seconds")
