"""verdicts on messages: the checks of a message against the bot's history, persona and knowledge"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")

VIEW = """
    SELECT m.tournament AS tournament, m.release AS release, m.speaker AS speaker, m.tested AS tested,
           m.number AS number, m.dialogue AS dialogue, m.message AS message, v.check_name AS check_name,
           v.method AS method, m.text AS text, j.name AS judge, j.revision AS revision, j.tau AS tau,
           v.contradiction AS contradiction,
           CASE WHEN v.contradiction IS NULL THEN NULL WHEN v.contradiction > j.tau THEN 1 ELSE 0 END
               AS contradicts,
           v.reason AS unjudged_because, v.evidence AS evidence
    FROM message_verdicts v
    JOIN dialogues d ON d.id = v.dialogue
    JOIN v_messages m ON m.dialogue = d.key AND m.message = v.message
    JOIN judges j ON j.id = v.judge"""


def upgrade() -> None:
    op.create_table(
        "message_verdicts",
        sa.Column(
            "judge", ID, sa.ForeignKey("judges.id", name=op.f("fk_message_verdicts_judge")), nullable=False
        ),
        sa.Column("check_name", sa.String(length=16), nullable=False),
        sa.Column("method", sa.Integer(), nullable=False),
        sa.Column(
            "dialogue",
            ID,
            sa.ForeignKey("dialogues.id", name=op.f("fk_message_verdicts_dialogue")),
            nullable=False,
        ),
        sa.Column("message", sa.Integer(), nullable=False),
        sa.Column("contradiction", sa.Double(), nullable=True),
        sa.Column("classes", JSON, nullable=True),
        sa.Column("evidence", JSON, nullable=True),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint(
            "judge", "check_name", "method", "dialogue", "message", name=op.f("pk_message_verdicts")
        ),
    )
    op.create_index(op.f("ix_message_verdicts_dialogue"), "message_verdicts", ["dialogue"])
    op.execute(f"CREATE VIEW v_message_verdicts AS {VIEW}")


def downgrade() -> None:
    op.execute("DROP VIEW v_message_verdicts")
    op.drop_index(op.f("ix_message_verdicts_dialogue"), "message_verdicts")
    op.drop_table("message_verdicts")
