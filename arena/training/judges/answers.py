"""Collects the answers of language models to questions about their own messages, and sheets on which people label them.

`python -m arena.training.judges.answers --data DIR --out DIR`. Conversations come from Synthetic-Persona-Chat,
questions are drawn as the inquirer draws them by default, and embedded models answer in chat roles. A run that
is started again continues. A sheet holds what a reader may see: id, statement, question and answer.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from arena.config.tournament import inquirer_settings
from arena.core.hashing import digest, generator, seed_for
from arena.core.inquirer_form import InquirerForm
from arena.core.types import Kind
from arena.training.judges.conversations import conversations
from arena.training.judges.texts import Guard
from bots import registry
from bots.base import Bot, Line, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from inquirer.build import build
from inquirer.inquirer import Inquirer
from inquirer.selection import select

MODELS = ("qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m")
EACH = 3  # messages that one side of a conversation is asked about
CHUNK = 32  # conversations
SHEET = 200
READY = 1_000
CRITERIA = """\
Each row: a statement that somebody made in a conversation, a question they were asked about it right after, and their
answer. Judge the answer against the statement alone, for what it says of the person who speaks.

label   E  the answer says what the statement says, or follows from it (it may say more)
        C  both cannot be true of one person at that time: another value of a fact with one right answer (name, age,
           home, job, number, family), a denial of what was stated, also "as an AI I have no …"
        N  neither: another value of a fact that may have several (what one likes, does, eats …), an evasion, a
           refusal, a question back, something else
single   1 where the question has one right answer by the statement, else 0
relevant 1 where the answer keeps to the question (also if it contradicts), 0 for evasions, refusals and other subjects
appropriate 1 where the question is good English and about what the statement says, else 0
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A question about one message of a conversation, without an answer yet."""

    conversation: str
    statement: str
    question: str
    kind: str
    rule: str | None
    single_answer: bool | None
    history: tuple[tuple[str, bool], ...]  # text, and whether the bot said it; the statement is the last
    persona: str | None


DRAWS = {"default": InquirerForm(), "wh": InquirerForm(kinds=[Kind.WH], prefer="any")}
"""How questions are drawn. "default" draws them as a run does; "wh" draws only wh-questions, many of which have
several right answers.
"""


async def cases(
    inquirer: Inquirer,
    form: InquirerForm,
    key: str,
    personas: tuple[str, str],
    lines: Sequence[tuple[int, str]],
    guard: Guard,
) -> list[Case]:
    """Draw some messages of each side, each with the question that a run would ask."""
    draw = generator(0, key, "answers")
    gathered = []
    for seat in (0, 1):
        own = [n for n, (who, text) in enumerate(lines) if who == seat and not guard.knows(text)]
        chosen = sorted(draw.sample(own, min(EACH, len(own))))
        reports = await inquirer.inquire([lines[n][1] for n in chosen], form.kinds)
        persona = personas[seat] if draw.random() < 0.5 else None
        for n, report in zip(chosen, reports, strict=True):
            for one in select(report, form.kinds, [0], 1, set(), draw, prefer=form.prefer):
                asked = one.question
                history = tuple((text, who == seat) for who, text in lines[: n + 1])
                gathered.append(
                    Case(
                        key,
                        lines[n][1],
                        asked.text,
                        one.kind.value,
                        asked.rule,
                        asked.single_answer,
                        history,
                        persona,
                    )
                )
    return gathered


def bot(model: str, persona: bool) -> Bot:
    settings = {
        "model": f"embedded:{model}",
        **({"persona": "library", "frame": "person"} if persona else {}),
    }
    spec = registry.spec(model, "hf", settings)
    return registry.create(spec, RunOptions(batch=32), DialogueCounter())


def request(id: str, case: Case) -> ReplyRequest:
    lines = tuple(Line(text, mine) for text, mine in case.history)
    return ReplyRequest(
        id, (*lines, Line(case.question, False)), seed_for(0, id), fork=True, persona=case.persona
    )


class Collection:
    """The answers collected so far, in one JSON lines file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "answers.jsonl"
        self.sheets = folder / "sheets"
        self.folder = folder
        self.sheets.mkdir(parents=True, exist_ok=True)
        (self.sheets / "criteria.txt").write_text(CRITERIA, encoding="utf-8")
        self.rows = list(self._read())
        self.known = {row["id"] for row in self.rows}

    def _read(self) -> Iterator[dict[str, str]]:
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    yield json.loads(line)
                except ValueError:  # the line was cut off when a run was stopped
                    continue

    def add(self, rows: Sequence[dict[str, str]]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self.rows += rows
        self.known.update(row["id"] for row in rows)
        self._write_sheets()

    def _write_sheets(self) -> None:
        for number in range(len(self.rows) // SHEET):
            path = self.sheets / f"{number:03}.tsv"
            if not path.exists():
                rows = self.rows[number * SHEET : (number + 1) * SHEET]
                random.Random(number).shuffle(rows)
                with path.open("w", encoding="utf-8", newline="") as file:
                    writer = csv.writer(
                        file, delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\", lineterminator="\n"
                    )
                    writer.writerow(("id", "statement", "question", "answer"))
                    for row in rows:
                        texts = (row["id"], row["statement"], row["question"], row["answer"])
                        writer.writerow(" ".join(text.split()) for text in texts)
        if len(self.rows) >= READY:
            (self.folder / "READY").touch()


async def collect(data: Path, out: Path, models: Sequence[str], draw: str) -> None:
    collection = Collection(out)
    guard = Guard.of(data)
    form = DRAWS[draw]
    inquirer = build(inquirer_settings(form))
    bots: dict[tuple[str, bool], Bot] = {}
    talks = list(conversations(data))
    random.Random(5).shuffle(talks)
    if draw != "default":  # starts at the end, where the default draw comes last
        talks.reverse()
    for start in range(0, len(talks), CHUNK):
        asked = [
            case for one in talks[start : start + CHUNK] for case in await cases(inquirer, form, *one, guard)
        ]
        for model in models:
            for persona in (False, True):
                # Each question goes to two of three models, because more questions teach more than more answers.
                mine = [
                    (id, case)
                    for number, case in enumerate(asked)
                    if (number + MODELS.index(model)) % 3 and (case.persona is not None) == persona
                    if (id := digest(case.conversation, case.statement, case.question, model)[:16])
                    not in collection.known
                ]
                if not mine:
                    continue
                if (model, persona) not in bots:
                    bots[model, persona] = bot(model, persona)
                replies = await bots[model, persona].reply([request(id, case) for id, case in mine])
                rows = [
                    {"id": id, "model": model, **asdict(case), "answer": reply.text}
                    for (id, case), reply in zip(mine, replies, strict=True)
                    if reply.error is None and reply.text.strip()
                ]
                collection.add(rows)
        print(
            f"{min(start + CHUNK, len(talks))}/{len(talks)} conversations, {len(collection.rows)} answers",
            flush=True,
        )


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--out", type=Path, required=True)
    door.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    door.add_argument("--draw", choices=DRAWS, default="default")
    door.add_argument("--threads", type=int, default=1)
    chosen = door.parse_args()
    torch.set_num_threads(chosen.threads)
    asyncio.run(collect(chosen.data, chosen.out, chosen.models, chosen.draw))


if __name__ == "__main__":
    main()
