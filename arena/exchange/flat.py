"""CSV and Parquet: one row per inquiry and judge, with question, answer, verdict and labels."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.safe_text import cell
from db.records import Record, StoredTournament
from db.repository import Repository

COLUMNS: dict[str, type] = {
    "tournament": str,
    "release": str,
    "dialogue": str,
    "speaker": str,
    "tested": str,
    "number": int,
    "opener": str,
    "seed": int,
    "turns": int,
    "inquiry": str,
    "after": int,
    "source": int,
    "said": str,
    "entity": str,
    "entity_type": str,
    "question": str,
    "kind": str,
    "distance": int,
    "single_answer": bool,
    "rule": str,
    "score": float,
    "answer": str,
    "unanswered_because": str,
    "judge": str,
    "revision": str,
    "tau": float,
    "contradiction": float,
    "contradicts": bool,
    "entailment": float,
    "neutral": float,
    "unjudged_because": str,
    "people_contradicts": float,
    "people": int,
}
BLOCK = 10_000


def csv(repository: Repository, stored: StoredTournament, out: Path, *, raw: bool = False) -> None:
    """Write CSV. Unless `raw` is set, text that a spreadsheet would run as a formula gets a leading quote."""
    import csv as format

    with _beside(out) as part, part.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = format.writer(file)
        writer.writerow(COLUMNS)
        for row in rows(repository, stored):
            writer.writerow([cell(row[name], raw=raw) for name in COLUMNS])


def parquet(repository: Repository, stored: StoredTournament, out: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    with _beside(out) as part, pq.ParquetWriter(part, schema) as writer:
        source = rows(repository, stored)
        while block := list(islice(source, BLOCK)):
            clean = [{name: _encodable(row[name]) for name in COLUMNS} for row in block]
            writer.write_table(pa.Table.from_pylist(clean, schema))


def rows(repository: Repository, stored: StoredTournament) -> Iterator[dict[str, Any]]:
    """Yield the rows in the order of the records. An inquiry without verdicts has one row without a judge."""
    taus = {(judge.name, judge.revision): judge.tau for judge in repository.judges(stored.id)}
    for record in repository.records(stored.id):
        yield from _rows(stored, record, taus)


def _rows(
    stored: StoredTournament, record: Record, taus: dict[tuple[str, str], float]
) -> Iterator[dict[str, Any]]:
    from arena.labelling.schemas import AIH, opinion

    about = {
        "tournament": stored.id,
        "release": stored.release,
        "dialogue": record.key,
        "speaker": record.speaker,
        "tested": record.tested,
        "number": record.number,
        "opener": record.opener,
        "seed": record.seed,
        "turns": record.turns,
    }
    texts = {message.index: message.text for message in record.messages}
    for inquiry in record.inquiries:
        opinions = [
            contradicts
            for label in record.labels
            if label.subject == inquiry.id
            and label.schema == AIH
            and (contradicts := opinion(label.values.get("contradicts"))) is not None
        ]
        asked = {
            "inquiry": inquiry.id,
            "after": inquiry.after,
            "source": inquiry.source,
            "said": inquiry.reference if inquiry.reference is not None else texts.get(inquiry.source),
            "entity": inquiry.entity,
            "entity_type": inquiry.entity_type,
            "question": inquiry.question,
            "kind": inquiry.kind.value,
            "distance": inquiry.distance,
            "single_answer": inquiry.single_answer,
            "rule": inquiry.rule,
            "score": inquiry.score,
            "answer": inquiry.answer,
            "unanswered_because": inquiry.reason,
            "people_contradicts": sum(opinions) / len(opinions) if opinions else None,
            "people": len(opinions),
        }
        verdicts = [v for v in record.verdicts if v.inquiry == inquiry.id]
        if not verdicts:
            yield dict.fromkeys(COLUMNS) | about | asked
        for v in verdicts:
            tau, score = taus.get((v.judge, v.revision)), v.judgement.contradiction
            yield (
                dict.fromkeys(COLUMNS)
                | about
                | asked
                | {
                    "judge": v.judge,
                    "revision": v.revision,
                    "tau": tau,
                    "contradiction": score,
                    "contradicts": None if score is None or tau is None else score > tau,
                    "entailment": v.judgement.classes.get("entailment"),
                    "neutral": v.judgement.classes.get("neutral"),
                    "unjudged_because": v.judgement.reason,
                }
            )


def _encodable(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    """Write to a temporary file and move it into place, so that nobody reads an incomplete file."""
    try:
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        os.close(handle)
        part = Path(name)
        part.chmod(0o644)
        try:
            yield part
            part.replace(out)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}); name another --out.") from error


def written(out: Path, write: Callable[[Path], None]) -> None:
    """Write a file of any format through a temporary file."""
    with _beside(out) as part:
        write(part)
