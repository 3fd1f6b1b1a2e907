"""The questions that the inquirer would ask about an utterance, as a line of `arena inquire --json`."""

from __future__ import annotations

from typing import Any

from arena.core.types import InquiryReport


def document(report: InquiryReport) -> dict[str, Any]:
    return {
        "utterance": report.utterance,
        "entities": [{"text": e.text, "type": e.type, "start": e.start} for e in report.entities],
        "questions": [
            {
                "question": q.text,
                "entity": q.entity.text,
                "kind": str(q.kind),
                "score": q.score,
                "expected": q.expected,
                "rule": q.rule,
                "single_answer": q.single_answer,
                "clause": q.clause,
                "span": q.span,
            }
            for q in report.questions
        ],
        "refused": dict(report.refused),
    }
