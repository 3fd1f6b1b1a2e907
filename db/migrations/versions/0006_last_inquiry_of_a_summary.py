"""the last inquiry of a summary, so that the summary can be continued"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("summary_states", sa.Column("last", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("summary_states", "last")
