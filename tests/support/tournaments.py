"""Plays small tournaments in tests."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.exchange.jsonl import write
from arena.play.options import Options, Tally
from arena.play.progress import Silent
from arena.play.runner import run
from db import Repository, connect

SCRIPTED = """
release: {release}
seed: {seed}
turns: {turns}
dialogues_per_pair: {dialogues}
bots:
{bots}
openers: {openers}
inquirer: {inquirer}
judges: [truth]
{more}
"""
STEADY = "  - {name: steady, adapter: scripted}"
MOODY = "  - {name: moody, adapter: scripted, fickleness: 0.3, sheet_seed: 2}"
RULES = "{entities: rules, questions: rules}"


def text(
    *bots: str,
    release: str = "r1",
    seed: int = 7,
    turns: int = 4,
    dialogues: int = 3,
    inquirer: str = RULES,
    openers: str = "[hello]",
    more: str = "",
) -> str:
    return SCRIPTED.format(
        release=release,
        seed=seed,
        turns=turns,
        dialogues=dialogues,
        bots="\n".join(bots or (STEADY, MOODY)),
        inquirer=inquirer,
        openers=openers,
        more=more,
    )


def store(folder: Path, name: str = "arena.db") -> Repository:
    return Repository(connect(f"sqlite:///{folder / name}"))


def play(repository: Repository, source: str | Tournament, **options: Any) -> tuple[Tournament, Tally]:
    tournament = parse(source) if isinstance(source, str) else source
    return tournament, run(repository, tournament, Options(**options), watcher=Silent())


def exported(repository: Repository, tournament: str) -> str:
    out = io.StringIO()
    stored = repository.find(tournament)
    write(stored, repository.records(stored.id), out)
    return out.getvalue()
