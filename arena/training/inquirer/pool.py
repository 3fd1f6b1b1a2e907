"""Draws questions for a blind reading: sheets for the readers, and a file with what the rules know of each question.

    python -m arena.training.inquirer.pool --persona-chat CSV --decode TSV --replies FILE… --seed 1 --out FOLDER

Every question that the grammar can ask may be drawn, whatever its score. From each source, most questions are
drawn at random, one per message, whether wh- or yes/no-question. The rest of the draw goes to rules with few
questions so far. `sheets/` holds sheets of 200 rows (id, message, question, answer), shuffled over all sources.
`pool.jsonl` records how each question was made.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from arena.core.types import Kind, Question
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.grammar.features import Features
from inquirer.questions.rules import drafts

SHEET = 200
EACH_RULE = 24  # questions that are drawn for each rule, if it has so many
KINDS = (Kind.WH, Kind.YES_NO_TRUE)
COLUMNS = ("id", "message", "question", "answer")
CRITERIA = """Read each row with nothing but message, question and answer (the words of the message that it is about).

appropriate: 1 if all of these hold, else 0
- the question is grammatical English (small slips that the message itself has do not count);
- the message answers it, with the words in the column `answer` (a word more or less at their ends does not count;
  for a yes/no-question: the message says that it is so);
- a person who talks with the writer of the message could naturally ask it some time later: it says what it asks
  about, is not about nothing (`What can you do?` from `I can imagine`), and not about what was only supposed.
single: 1 if the fact asked for has one right answer (a name, an age, a home, a job, a number, a favourite, what was
done that one time; every yes/no-question), 0 if several answers can be true at once (likings, habits, things owned).

Write id, appropriate, single, tab-separated, one line for each row.
"""


@dataclass(frozen=True, slots=True)
class Row:
    source: str
    message: str
    question: Question
    features: Features

    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.message}\0{self.question.text}".encode()).hexdigest()[:10]

    def facts(self) -> dict[str, Any]:
        q = self.question
        return {
            "id": self.id,
            "source": self.source,
            "message": self.message,
            "question": q.text,
            "answer": q.entity.text,
            "kind": str(q.kind),
            "rule": q.rule,
            "single_answer": q.single_answer,
            "features": self.features,
        }


def persona_chat(path: Path) -> list[str]:
    """The messages of Synthetic-Persona-Chat."""
    csv.field_size_limit(10**7)
    with path.open(encoding="utf-8", newline="") as file:
        conversations = [row["Best Generated Conversation"] for row in csv.DictReader(file)]
    return [text for talk in conversations for text in re.findall(r"^User [12]: ?(.+)$", talk, re.MULTILINE)]


def decode(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row[name] or "" for row in rows for name in ("earlier_utterance", "later_utterance")]


def replies(path: Path) -> list[str]:
    """Read the replies that `arena.training.inquirer.replies` wrote."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def rows(source: str, messages: Iterable[str]) -> Iterator[list[Row]]:
    """Yield all questions that can be asked, message by message."""
    for message in messages:
        task = Task(message, tuple(entities(message)), KINDS)
        by_question = {(q.text, q.kind): Row(source, message, q, features) for q, features in drafts(task)}
        if by_question:
            yield list(by_question.values())


def drawn(source: str, messages: Sequence[str], count: int, random: Random) -> list[Row]:
    """Draw four fifths of the questions at random, one per message. The rest comes from rules that were drawn
    fewer than `EACH_RULE` times.
    """
    clean = sorted({" ".join(text.split()) for text in messages if text.strip()})
    random.shuffle(clean)
    chosen: list[Row] = []
    spare: defaultdict[str, list[Row]] = defaultdict(list)
    for asked in rows(source, clean):
        if len(chosen) < count * 4 // 5:
            chosen.append(random.choice(asked))
            asked = [row for row in asked if row.message != chosen[-1].message]
        for row in asked:
            spare[row.question.rule or ""].append(row)
    often = Counter(row.question.rule for row in chosen)
    for rule in sorted(spare, key=lambda name: (len(spare[name]), name)):
        for row in random.sample(spare[rule], min(len(spare[rule]), max(0, EACH_RULE - often[rule]))):
            if len(chosen) < count and all(row.id != known.id for known in chosen[-EACH_RULE:]):
                chosen.append(row)
    return chosen


def write(rows: Sequence[Row], out: Path, random: Random) -> None:
    """Write the sheets, and the origin of each question. A question from two sources is written once."""
    once = list({row.id: row for row in rows}.values())
    random.shuffle(once)
    folder = out / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    (out / "criteria.txt").write_text(CRITERIA, encoding="utf-8")
    with (out / "pool.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row.facts(), ensure_ascii=False) + "\n" for row in once)
    for number, first in enumerate(range(0, len(once), SHEET), 1):
        lines = ["\t".join(COLUMNS)]
        for row in once[first : first + SHEET]:
            q = row.question
            lines.append("\t".join([row.id, row.message, q.text, q.entity.text]))
        (folder / f"sheet-{number:02}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--persona-chat", type=Path)
    parser.add_argument("--decode", type=Path)
    parser.add_argument("--replies", type=Path, nargs="*", default=[])
    parser.add_argument("--count", type=int, default=1000, help="questions from each file")
    parser.add_argument("--messages", type=int, default=6000, help="messages looked at in each file")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    random = Random(given.seed)
    sources: list[tuple[str, list[str]]] = []
    if given.persona_chat:
        sources.append(("persona-chat", persona_chat(given.persona_chat)))
    if given.decode:
        sources.append(("decode", decode(given.decode)))
    sources += [(path.stem, replies(path)) for path in given.replies]
    rows_drawn: list[Row] = []
    for name, messages in sources:
        some = random.sample(sorted(set(messages)), min(len(set(messages)), given.messages))
        rows_drawn += drawn(name, some, given.count, random)
    write(rows_drawn, given.out, random)
    print(json.dumps(Counter(row.source for row in rows_drawn)))


if __name__ == "__main__":
    main()
