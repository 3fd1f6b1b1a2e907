"""summaries for large leaderboards, and views that datasette or a notebook can read"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

VIEWS = {
    "v_messages": """
        SELECT t.id AS tournament, t.release AS release, s.speaker AS speaker, s.tested AS tested,
               s.number AS number, m."index" AS message,
               CASE m.seat WHEN 0 THEN s.speaker ELSE s.tested END AS bot, m.text AS text, d.key AS dialogue
        FROM messages m
        JOIN dialogues d ON d.id = m.dialogue
        JOIN schedule s ON s.dialogue = m.dialogue
        JOIN tournaments t ON t.id = s.tournament""",
    "v_inquiries": """
        SELECT t.id AS tournament, t.release AS release, s.speaker AS speaker, s.tested AS tested,
               s.number AS number, i.key AS inquiry, i.kind AS kind, i.distance AS distance,
               i.entity AS entity, i.entity_type AS entity_type,
               COALESCE(i.reference, m.text) AS said, i.question AS question, i.answer AS answer,
               i.reason AS unanswered_because, d.key AS dialogue
        FROM inquiries i
        JOIN dialogues d ON d.id = i.dialogue
        JOIN schedule s ON s.dialogue = i.dialogue
        JOIN tournaments t ON t.id = s.tournament
        LEFT JOIN messages m ON m.dialogue = i.dialogue AND m."index" = i.source""",
    "v_verdicts": """
        SELECT i.tournament AS tournament, i.release AS release, i.speaker AS speaker, i.tested AS tested,
               i.number AS number, i.inquiry AS inquiry, i.kind AS kind, i.distance AS distance,
               i.said AS said, i.question AS question, i.answer AS answer,
               j.name AS judge, j.revision AS revision, j.tau AS tau, v.contradiction AS contradiction,
               CASE WHEN v.contradiction IS NULL THEN NULL WHEN v.contradiction > j.tau THEN 1 ELSE 0 END
                   AS contradicts,
               v.reason AS unjudged_because
        FROM v_inquiries i
        JOIN inquiries q ON q.key = i.inquiry
        JOIN verdicts v ON v.inquiry = q.id
        JOIN judges j ON j.id = v.judge""",
    "v_pair_rates": """
        SELECT tournament, release, judge, revision, tau, kind, distance, speaker, tested,
               COUNT(contradicts) AS inquiries, SUM(contradicts) AS contradictions,
               AVG(1.0 * contradicts) AS rate
        FROM v_verdicts
        GROUP BY tournament, release, judge, revision, tau, kind, distance, speaker, tested""",
    "v_labels": """
        SELECT l.subject AS subject, l.subject_type AS subject_type, l.schema AS schema, l.person AS person,
               l."values" AS said, l.note AS note, l.seconds AS seconds,
               i.tournament AS tournament, i.release AS release, i.speaker AS speaker, i.tested AS tested,
               i.question AS question, i.answer AS answer
        FROM labels l
        LEFT JOIN v_inquiries i ON l.subject_type = 'inquiry' AND i.inquiry = l.subject""",
}


def upgrade() -> None:
    op.create_table(
        "summaries",
        sa.Column("judge", ID, sa.ForeignKey("judges.id", name=op.f("fk_summaries_judge")), nullable=False),
        sa.Column("block", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("distance", sa.Integer(), nullable=False),
        sa.Column("dialogues", sa.LargeBinary(), nullable=False),
        sa.Column("lengths", sa.LargeBinary(), nullable=False),
        sa.Column("scores", sa.LargeBinary(), nullable=False),
        sa.Column("evasive", sa.LargeBinary(), nullable=False),
        sa.Column("unjudged", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("judge", "block", "kind", "distance", name=op.f("pk_summaries")),
    )
    op.create_table(
        "summary_states",
        sa.Column(
            "judge", ID, sa.ForeignKey("judges.id", name=op.f("fk_summary_states_judge")), nullable=False
        ),
        sa.Column("verdicts", sa.BigInteger(), nullable=False),
        sa.Column("inquiries", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("judge", name=op.f("pk_summary_states")),
    )
    for name, query in VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS {query}")


def downgrade() -> None:
    for name in reversed(VIEWS):
        op.execute(f"DROP VIEW {name}")
    op.drop_table("summary_states")
    op.drop_table("summaries")
