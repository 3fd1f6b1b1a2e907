"""Makes silver labels: a stronger tagger tags open text, and its labels are aligned with our own tokens.

Chatbots write lower case, but taggers expect newspaper text. A lexicon of usual spellings therefore restores
the capitals of lower-case text before tagging; the text is stored as it was. Half of the text with capitals is
also stored in lower case.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from inquirer.entities.spacy import load_model, model_folder
from inquirer.language.tokens import Token, tokens

SILVER_TYPES = frozenset(
    (
        "DATE",
        "TIME",
        "CARDINAL",
        "ORDINAL",
        "MONEY",
        "PERCENT",
        "QUANTITY",
        "NORP",
        "LANGUAGE",
        "EVENT",
        "LAW",
    )
)
GOLD_TYPES = {
    "person": "PERSON", "PER": "PERSON", "location": "GPE", "LOC": "GPE", "corporation": "ORG", "ORG": "ORG",
    "group": "ORG", "creative-work": "WORK_OF_ART", "product": "PRODUCT",
}  # fmt: skip
PLACES = {"GPE", "LOC", "FAC", "NORP"}
HELD_OUT = 20  # one of this many source texts is never trained on


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled utterance. `ends` holds the number of tokens before the end of each sentence; `entities` are BIO
    tags.
    """

    source: str
    text: str
    starts: list[int]
    words: list[str]
    upos: list[str]
    xpos: list[str]
    entities: list[str]
    ends: list[int]  # number of tokens before each sentence's end
    held_out: bool

    def lowered(self) -> Labelled:
        return Labelled(
            self.source, self.text.lower(), self.starts, [w.lower() for w in self.words], self.upos, self.xpos,
            self.entities, self.ends, self.held_out,
        )  # fmt: skip


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """Yield (source, text) for all text that may be labelled. Test sets are never read."""
    for row in _rows(data / "decode" / "train_pairs.tsv"):
        for column in ("earlier_utterance", "later_utterance"):
            if row.get(column):
                yield "decode", row[column]
    path = data / "dialogues" / "topical_chat_valid_freq.json"
    if path.exists():
        for dialogue in json.loads(path.read_text()).values():
            for message in dialogue["content"]:
                yield "topical_chat", message["message"]
    for name, every in (("squad_dev", 1), ("squadshifts_reddit", 1), ("squadshifts_amazon_reviews", 2),
                        ("squadshifts_new_wiki", 2)):  # fmt: skip
        path = data / "qa" / f"qa_{name}.jsonl"
        if path.exists():
            yield from ((name, part) for part in _contexts(path, every))


def _contexts(path: Path, every: int) -> Iterator[str]:
    """Yield the distinct contexts, cut into pieces as long as an utterance."""
    seen: set[str] = set()
    for line in path.read_text().splitlines():
        context = json.loads(line)["context"]
        if context in seen:
            continue
        seen.add(context)
        pieces = (
            context.replace("\n", " ")
            .replace("? ", "?\n")
            .replace("! ", "!\n")
            .replace(". ", ".\n")
            .split("\n")
        )
        for i in range(0, len(pieces), 2 * every):
            yield " ".join(pieces[i : i + 2])[:400]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if path.exists():
        with path.open(newline="") as file:
            yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def gold(data: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (source, words, BIO tags) of the hand-labelled sets."""
    for path in sorted((data / "ner").glob("*/*")):
        words: list[str] = []
        marks: list[str] = []
        for line in [*path.read_text().splitlines(), ""]:
            parts = line.split()
            if len(parts) >= 2:
                words.append(parts[0])
                marks.append(parts[-1])
            elif words:
                yield path.parent.name, words, marks
                words, marks = [], []


class Casing:
    """Knows which words are usually written with a capital in the middle of sentences."""

    def __init__(self, corpus: Iterable[str]) -> None:
        upper: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for text in corpus:
            words = tokens(text)
            if text == text.lower() or text == text.upper():
                continue
            for before, word in itertools.pairwise(words):
                if before.text in {".", "!", "?", '"', "“", ":"} or not word.text[0].isalpha():
                    continue
                total[word.lower] += 1
                upper[word.lower] += word.text[0].isupper()
        self.capital = {w for w, n in total.items() if upper[w] > 0.66 * n and n > 1} | {"i"}

    def restore(self, words: Sequence[Token]) -> list[str]:
        out = []
        for i, word in enumerate(words):
            first = i == 0 or words[i - 1].text in {".", "!", "?"}
            out.append(word.text.capitalize() if first or word.lower in self.capital else word.text)
        return out


def label(data: Path, out: Path, name: str | None = None, limit: int | None = None) -> int:
    """Write the labelled corpus as JSON lines, and return the number of utterances."""
    collected = [(s, " ".join(t.split())) for s, t in dict.fromkeys(texts(data))]
    collected = [(s, t) for s, t in collected if 3 < len(t) < 600]
    if limit:
        collected = collected[:: max(1, len(collected) // limit)][:limit]
    if not collected:
        raise InputError(
            f"There is no text to label below {data}: give the folder that holds decode/, qa/ and ner/."
        )
    model = load_model(model_folder(name))
    casing = Casing(t for _, t in collected)
    count = 0
    with out.open("w") as file:
        for labelled in _labelled(model, casing, collected):
            for version in _versions(labelled):
                file.write(json.dumps(asdict(version), ensure_ascii=False) + "\n")
                count += 1
        rows = list(gold(data))
        for labelled in _golden(model, rows[:limit] if limit else rows):
            for version in _versions(labelled):
                file.write(json.dumps(asdict(version), ensure_ascii=False) + "\n")
                count += 1
    return count


def _versions(labelled: Labelled) -> Iterator[Labelled]:
    """Yield the text as written. Half of the training text with capitals, and all such held-out text, is also
    yielded in lower case.
    """
    yield labelled
    if labelled.text != labelled.text.lower() and (labelled.held_out or _bucket(labelled.text, 2) == 0):
        yield labelled.lowered()


def _bucket(text: str, of: int) -> int:
    return int(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8], 16) % of


def _labelled(model: Any, casing: Casing, collected: Sequence[tuple[str, str]]) -> Iterator[Labelled]:
    from spacy.tokens import Doc

    def docs() -> Iterator[tuple[Any, tuple[str, str, list[Token]]]]:
        for source, text in collected:
            words = tokens(text)
            if not words:
                continue
            shown = casing.restore(words) if text == text.lower() else [w.text for w in words]
            spaces = [i + 1 < len(words) and words[i + 1].start > w.end for i, w in enumerate(words)]
            yield Doc(model.vocab, words=shown, spaces=spaces), (source, text, words)

    for doc, (source, text, words) in model.pipe(docs(), as_tuples=True, batch_size=256):
        yield Labelled(
            source, text, [w.start for w in words], [w.text for w in words], [t.pos_ for t in doc],
            [t.tag_ for t in doc], [_bio(t) for t in doc], _ends(doc), _bucket(text.lower(), HELD_OUT) == 0,
        )  # fmt: skip


def _golden(model: Any, rows: Sequence[tuple[str, list[str], list[str]]]) -> Iterator[Labelled]:
    """Combine hand-labelled names with silver numbers, dates and other types. The tagger refines the type of a
    place name.
    """
    from spacy.tokens import Doc

    inputs = ((Doc(model.vocab, words=words), (source, words, marks)) for source, words, marks in rows)
    for doc, (source, words, marks) in model.pipe(inputs, as_tuples=True, batch_size=256):
        merged = _golden_marks([_bio(t) for t in doc], marks)
        text = " ".join(words)
        starts, position = [], 0
        for word in words:
            starts.append(position)
            position += len(word) + 1
        yield Labelled(
            source, text, starts, list(words), [t.pos_ for t in doc], [t.tag_ for t in doc], merged, [len(words)],
            _bucket(text.lower(), HELD_OUT) == 0,
        )  # fmt: skip


def _golden_marks(silver: Sequence[str], marks: Sequence[str]) -> list[str]:
    """Merge both kinds of tags. Hand-made tags take precedence. Silver tags are used for the types that were not
    tagged by hand.
    """
    merged = [mark if mark[2:] in SILVER_TYPES else "O" for mark in silver]
    inside = ""
    for i, mark in enumerate(marks):
        kind = GOLD_TYPES.get(mark[2:], "")
        if not kind:
            inside = ""
            continue
        if kind == "GPE" and silver[i][2:] in PLACES:
            kind = silver[i][2:]
        begins = mark.startswith("B-") or not inside or (i > 0 and marks[i - 1][2:] != mark[2:])
        inside = kind if begins else inside
        merged[i] = f"{'B' if begins else 'I'}-{inside}"
    for i, mark in enumerate(merged):  # an override may have cut off the beginning of a silver span
        if mark[:1] == "I" and (i == 0 or merged[i - 1][2:] != mark[2:]):
            merged[i] = "B" + mark[1:]
    return merged


def _bio(token: Any) -> str:
    return f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type_ else "O"


def _ends(doc: Any) -> list[int]:
    """Return the ends of sentences. A sentence ends only at a stop, whatever the parser says about run-on chat."""
    stops = {".", "!", "?", "..", "...", "…"}
    ends = [
        i
        for i in range(1, len(doc))
        if doc[i - 1].text in stops and doc[i].text not in stops and doc[i].text not in "\"')”"
    ]
    return [*ends, len(doc)]


def read(path: Path) -> Iterator[Labelled]:
    with path.open() as file:
        for line in file:
            yield Labelled(**json.loads(line))
