"""Imports a file of dialogues as stored tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, unreadable
from arena.core.hashing import digest
from arena.core.lines import bounded
from arena.core.types import BotSpec, TournamentInfo
from arena.exchange import chat_logs as chatlogs
from arena.exchange import import_jsonl as reading
from arena.exchange.jsonl import parse
from arena.labelling import own
from db.importing import Importing
from db.records import Record
from db.repository import Repository


def read(store: Repository, file: Path, release: str | None) -> list[tuple[str, int, int]]:
    """Import the file. Returns (tournament, dialogues, new dialogues) for each tournament.

    If the file is broken, nothing is stored.
    """
    try:
        with file.open(encoding="utf-8") as lines:
            first = next((line for line in bounded(lines, str(file)) if line.strip()), "")
            if not first:
                raise InputError(f"{file} is empty; name a file with one dialogue per line.")
            ours = reading.is_ours(parse(first, f"{file}, line 1"))
            lines.seek(0)
            if ours:
                groups = _exported(
                    list(reading.records(bounded(lines, str(file)), str(file), own.schemas(store)))
                )
            else:
                tag = release or file.stem
                numbered = enumerate(chatlogs.read(bounded(lines, str(file)), str(file)))
                logs = [chatlogs.record(log, tag, n) for n, log in numbered]
                groups = [(_info("", tag, logs), logs)]
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from error
    importing = Importing(store)
    return [(info.id, len(records), importing.add(info, records)) for info, records in groups]


def _exported(
    lines: Sequence[tuple[reading.DialogueLine, Record]],
) -> list[tuple[TournamentInfo, list[Record]]]:
    groups: dict[tuple[str, str], list[Record]] = {}
    for line, record in lines:
        groups.setdefault((line.tournament, line.release), []).append(record)
    return [(_info(id, release, records), records) for (id, release), records in groups.items()]


def _info(id: str, release: str, records: Sequence[Record]) -> TournamentInfo:
    """Return what the dialogues show about their tournament."""
    bots: dict[str, str] = {}
    for record in records:
        bots.setdefault(record.speaker, record.speaker_identity)
        bots.setdefault(record.tested, record.tested_identity)
    pairs = sorted({(record.speaker, record.tested) for record in records})
    config: dict[str, Any] = {
        "imported": True,
        "release": release,
        "seed": 0,
        "turns": max((record.turns for record in records), default=0),
        "dialogues_per_pair": max((record.number + 1 for record in records), default=0),
        "pairs": [list(pair) for pair in pairs],
        "openers": sorted({record.opener for record in records}),
        "bots": [
            {"name": name, "adapter": "imported", "identity": identity, "settings": {}}
            for name, identity in bots.items()
        ],
        "inquirer": {"id": records[0].inquirer} if records else None,
        "judges": [],
        "budget": {"max_cost": None},
        "limits": {},
    }
    key = digest("imported", release, [record.key for record in records])
    specs = [BotSpec(name, "imported", {}, identity) for name, identity in bots.items()]
    return TournamentInfo(id or key[:12], release, digest(id or key, "imported"), 0, config, specs)
