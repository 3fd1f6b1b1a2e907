"""the origin of a question: rule, score, clause, answer span, and whether the fact has one right answer"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

COLUMNS: tuple[tuple[str, Any], ...] = (
    ("rule", sa.String(length=64)),
    ("score", sa.Double()),
    ("single_answer", sa.Boolean()),
    ("clause_start", sa.Integer()),
    ("clause_end", sa.Integer()),
    ("span_start", sa.Integer()),
    ("span_end", sa.Integer()),
)


def upgrade() -> None:
    for name, type_ in COLUMNS:
        op.add_column("inquiries", sa.Column(name, type_, nullable=True))


def downgrade() -> None:
    for name, _ in COLUMNS:
        op.drop_column("inquiries", name)
