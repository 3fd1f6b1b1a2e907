"""The lossless format: one line per dialogue, sorted and without clock times. Equal content gives equal bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from arena.core.hashing import canonical
from arena.core.types import Inquiry, Judgement, Label, Message, MessageVerdict, Verdict
from db.records import Record, StoredTournament


def write(stored: StoredTournament, records: Iterable[Record], out: TextIO) -> int:
    """Write one line per dialogue, with the facts about its bots; return the number of lines."""
    number = 0
    for record in records:
        out.write(canonical(line(stored, record)) + "\n")
        number += 1
    return number


def line(stored: StoredTournament, record: Record) -> dict[str, Any]:
    bots = {"speaker": record.speaker, "tested": record.tested}
    verdicts = _grouped(record.verdicts)
    findings: dict[tuple[str, int], list[MessageVerdict]] = {}
    for verdict in record.message_verdicts:
        findings.setdefault((verdict.check.value, verdict.message), []).append(verdict)
    labels: dict[str, list[Label]] = {}
    for label in record.labels:
        labels.setdefault(label.subject, []).append(label)
    names = (record.speaker, record.tested)
    return {
        "dialogue": record.key,
        **bots,
        "speaker_identity": record.speaker_identity,
        "tested_identity": record.tested_identity,
        "release": stored.release,
        "tournament": stored.id,
        "number": record.number,
        "opener": record.opener,
        "seed": record.seed,
        "turns": record.turns,
        "inquirer": record.inquirer,
        "on_loop": record.on_loop.value,
        "personas": dict(zip(("speaker", "tested"), record.personas, strict=True)),
        "collapsed": None
        if record.collapse is None
        else {"turn": record.collapse.turn, "bot": names[record.collapse.seat], "seat": record.collapse.seat},
        "status": record.status.value,
        "reason": record.reason,
        "refused": dict(record.refused),
        "facts": dict(record.facts),
        "labels": [_label(label) for label in labels.get(record.key, [])],
        "messages": [
            {
                "index": m.index,
                "bot": names[m.seat],
                "seat": m.seat,
                "text": m.text,
                "hash": m.hash,
                "parent": m.parent,
                "facts": dict(m.facts),
                "labels": [_label(label) for label in labels.get(f"{record.key}:{m.index}", [])],
            }
            for m in record.messages
        ],
        "inquiries": [_inquiry(i, verdicts.get(i.id, ()), labels.get(i.id, ())) for i in record.inquiries],
        "findings": [
            _finding(check, message, judged, labels.get(f"{record.key}:{message}:{check}", ()))
            for (check, message), judged in sorted(findings.items())
        ],
    }


def _grouped(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.inquiry, []).append(verdict)
    return groups


def _inquiry(inquiry: Inquiry, verdicts: Iterable[Verdict], labels: Iterable[Label]) -> dict[str, Any]:
    return {
        "id": inquiry.id,
        "after": inquiry.after,
        "source": inquiry.source,
        "entity": inquiry.entity,
        "entity_type": inquiry.entity_type,
        "question": inquiry.question,
        "kind": inquiry.kind.value,
        "distance": inquiry.distance,
        "single_answer": inquiry.single_answer,
        "rule": inquiry.rule,
        "score": inquiry.score,
        "clause": inquiry.clause,
        "span": inquiry.span,
        "answer": inquiry.answer,
        "reason": inquiry.reason,
        "expected": inquiry.expected,
        "reference": inquiry.reference,
        "facts": dict(inquiry.facts),
        "verdicts": [
            {
                "judge": v.judge,
                "revision": v.revision,
                "tau": v.tau,
                **_judgement(v.judgement),
            }
            for v in verdicts
        ],
        "labels": [_label(label) for label in labels],
    }


def _finding(
    check: str, message: int, verdicts: Sequence[MessageVerdict], labels: Iterable[Label]
) -> dict[str, Any]:
    return {
        "check": check,
        "message": message,
        "evidence": next((dict(v.judgement.evidence) for v in verdicts if v.judgement.evidence), {}),
        "verdicts": [
            {
                "judge": v.judge,
                "revision": v.revision,
                "method": v.method,
                "tau": v.tau,
                **_judgement(v.judgement),
            }
            for v in verdicts
        ],
        "labels": [_label(label) for label in labels],
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    return {
        "contradiction": judgement.contradiction,
        "classes": dict(judgement.classes),
        "evidence": dict(judgement.evidence),
        "reason": judgement.reason,
    }


def _label(label: Label) -> dict[str, Any]:
    return {
        "schema": label.schema,
        "person": label.person,
        "values": dict(label.values),
        "note": label.note,
        "seconds": label.seconds,
        "drawn_by_lot": label.drawn,
    }


def messages(record: Record) -> Iterator[Message]:
    """Yield the messages, after checking that each message names the previous one as its parent."""
    from arena.core.errors import StoreError
    from arena.core.hashing import message_hash

    parent = None
    for message in record.messages:
        if message.parent != parent or message.hash != message_hash(parent, message.seat, message.text):
            raise StoreError(
                f"The dialogue {record.key} is broken at message {message.index}: its hash does not fit; "
                "restore a backup."
            )
        parent = message.hash
        yield message


def parse(text: str, where: str) -> Mapping[str, Any]:
    """Parse one line as JSON. An error names the line."""
    from arena.core.errors import InputError

    def refuse(number: str) -> None:
        raise ValueError(f"{number} is not a JSON number")

    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not valid JSON ({error}); fix or remove that line.") from error
    if not isinstance(value, dict):
        raise InputError(f"{where}: a line must be a JSON object; fix or remove it.")
    return value
