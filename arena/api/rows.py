"""Makes the rows of a result's data frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.core.types import Check, MessageVerdict, Verdict
from db.records import Record


def dialogue(record: Record) -> Iterator[dict[str, Any]]:
    yield {
        "dialogue": record.key,
        "speaker": record.speaker,
        "tested": record.tested,
        "number": record.number,
        "opener": record.opener,
        "status": record.status,
        "reason": record.reason,
        "messages": len(record.messages),
        "inquiries": len(record.inquiries),
        "seconds": record.seconds,
    }


def messages(record: Record) -> Iterator[dict[str, Any]]:
    names = (record.speaker, record.tested)
    for message in record.messages:
        yield {
            "dialogue": record.key,
            "index": message.index,
            "bot": names[message.seat],
            "tested": bool(message.seat),
            "text": message.text,
        }


def findings(record: Record) -> Iterator[dict[str, Any]]:
    """Yield one row per inquiry, and one per message that was judged under another check."""
    for inquiry in record.inquiries:
        yield {
            "finding": inquiry.id,
            "check": Check.INQUIRY.value,
            **_whose(record),
            "kind": str(inquiry.kind),
            "distance": inquiry.distance,
            "entity": inquiry.entity,
            "said": record.messages[inquiry.source].text,
            "question": inquiry.question,
            "answer": inquiry.answer,
            "reason": inquiry.reason,
        }
    for check, message in sorted({(one.check, one.message) for one in record.message_verdicts}):
        yield {
            "finding": _subject(record, check, message),
            "check": check.value,
            **_whose(record),
            "said": record.messages[message].text,
        }


def verdicts(record: Record) -> Iterator[dict[str, Any]]:
    """Yield one row per finding and judge: the finding's row, extended by the judge's opinion.

    `earlier` and `later` are the two sentences that determined the score.
    """
    known = {row["finding"]: row for row in findings(record)}
    for verdict in record.verdicts:
        yield {**known[verdict.inquiry], **_opinion(verdict)}
    for opinion in record.message_verdicts:
        evidence = opinion.judgement.evidence
        yield {
            **known[_subject(record, opinion.check, opinion.message)],
            **_opinion(opinion),
            "earlier": evidence.get("earlier"),
            "later": evidence.get("later"),
        }


def _whose(record: Record) -> dict[str, Any]:
    return {"dialogue": record.key, "speaker": record.speaker, "tested": record.tested}


def _subject(record: Record, check: Check, message: int) -> str:
    return f"{record.key}:{message}:{check}"


def _opinion(verdict: Verdict | MessageVerdict) -> dict[str, Any]:
    score = verdict.judgement.contradiction
    return {
        "reason": verdict.judgement.reason,
        "judge": verdict.judge,
        "revision": verdict.revision,
        "contradiction": score,
        "contradicts": None if score is None else score > verdict.tau,
        "tau": verdict.tau,
    }


def labels(record: Record) -> Iterator[dict[str, Any]]:
    for label in record.labels:
        yield {
            "subject": label.subject,
            "schema": label.schema,
            "person": label.person,
            **label.values,
            "note": label.note,
            "seconds": label.seconds,
        }
