"""which dialogues are copies of each other, and which labels were drawn at random"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from arena.core.hashing import seed_for

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

BLOCK = 2_000
SHARE = 0.3  # of a queue whose organiser decided nothing


def upgrade() -> None:
    op.add_column("dialogues", sa.Column("texts", sa.BigInteger(), nullable=True))
    for table in ("labels", "label_history", "leases"):
        op.add_column(table, sa.Column("drawn", sa.Boolean(), nullable=True))
    connection = op.get_bind()
    _texts(connection)
    _lots(connection)


def downgrade() -> None:
    for table in ("labels", "label_history", "leases"):
        op.drop_column(table, "drawn")
    op.drop_column("dialogues", "texts")


def _texts(connection: sa.Connection) -> None:
    """Stores a code of each dialogue's texts. The last message's hash covers all messages before it."""
    dialogues = sa.table("dialogues", sa.column("id", sa.BigInteger), sa.column("texts", sa.BigInteger))
    messages = sa.table("messages", sa.column("dialogue"), sa.column("index"), sa.column("hash"))
    last = 0
    while True:
        ids = connection.scalars(
            sa.select(dialogues.c.id).where(dialogues.c.id > last).order_by(dialogues.c.id).limit(BLOCK)
        ).all()
        if not ids:
            return
        within = messages.c.dialogue.between(ids[0], ids[-1])
        newest = (
            sa.select(messages.c.dialogue, sa.func.max(messages.c.index).label("index"))
            .where(within)
            .group_by(messages.c.dialogue)
            .subquery()
        )
        ends = connection.execute(
            sa.select(messages.c.dialogue, messages.c.hash).join(
                newest,
                sa.and_(messages.c.dialogue == newest.c.dialogue, messages.c.index == newest.c.index),
            )
        ).all()
        statement = (
            sa.update(dialogues)
            .where(dialogues.c.id == sa.bindparam("which"))
            .values(texts=sa.bindparam("code"))
        )
        if ends:
            connection.execute(
                statement, [{"which": id, "code": seed_for("texts", hash)} for id, hash in ends]
            )
        last = ids[-1]


def _lots(connection: sa.Connection) -> None:
    """Stores which labels of inquiries were drawn at random.

    The current settings decide this, as they did in every estimate before this version.
    """
    tasks = {
        (row.tournament, row.schema): (row.seed, row.share)
        for row in connection.execute(sa.text("SELECT tournament, schema, seed, share FROM label_tasks"))
    }
    labels = sa.table(
        "labels", *(sa.column(name) for name in ("id", "subject", "subject_type", "schema", "drawn"))
    )
    rows: Sequence[Any] = connection.execute(
        sa.select(labels.c.id, labels.c.subject, labels.c.schema).where(labels.c.subject_type == "inquiry")
    ).all()
    homes = sa.text(
        "SELECT s.tournament FROM inquiries i JOIN schedule s ON s.dialogue = i.dialogue WHERE i.key = :key"
    )
    for row in rows:
        of = connection.scalars(homes, {"key": row.subject}).all()
        lots = [tasks.get((tournament, row.schema), (0, SHARE)) for tournament in of]
        drawn = bool(lots) and all(
            seed_for("queue", seed, row.subject) / 2**63 < share for seed, share in lots
        )
        connection.execute(
            sa.update(labels).where(labels.c.id == row.id).values(drawn=sa.literal(drawn, sa.Boolean))
        )
