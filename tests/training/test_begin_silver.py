"""The adversarial methods, one by one, and the balanced set."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.training.begin_silver import perturb
from arena.training.begin_silver.antonyms import antonym
from arena.training.begin_silver.recipe import Request, silver
from arena.training.begin_silver.triples import Triple, from_qa, read
from judges.begin.taxonomy import FIVE, Label

EVIDENCE = "Baking chocolate contains cocoa solids and cocoa butter in varying proportions."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The skateboarding market is estimated to be around eight billion dollars.",
         "The skateboarding market is not estimated to be around eight billion dollars."),
        ("He wrote two novels.", "He did not write two novels."),
        ("It consists of nine islands.", "It does not consist of nine islands."),
        ("They can run fast.", "They can not run fast."),
        ("The band was formed in 1965.", "The band was not formed in 1965."),
    ],
)  # fmt: skip
def test_negation(before: str, after: str) -> None:
    change = perturb.negate(before)
    assert change is not None and change.text == after


def test_a_negated_sentence_stays() -> None:
    assert perturb.negate("It was not formed in 1965.") is None


def test_antonyms() -> None:
    change = perturb.oppose("Ancient Greece was home to the first pentathlon.", wordnet=False)
    assert change is not None and ("first", "last") in change.changed
    assert antonym("Northern", wordnet=False) == "Southern"
    assert antonym("purple", wordnet=False) is None


def test_subject_and_object_change_places() -> None:
    change = perturb.swap_subject_and_object(EVIDENCE)
    assert change is not None
    assert change.text == "Cocoa solids contains baking chocolate and cocoa butter in varying proportions."


def test_verbs_keep_their_tense() -> None:
    pool = perturb.Pool.of(["He invented it.", "They destroyed it.", "She was born and he wrote books."])
    change = perturb.replace_verbs("Edison invented the phonograph.", pool, random.Random(1))
    assert change is not None
    ((old, new),) = change.changed
    assert old == "invented" and new in {"destroyed", "wrote", "bore"}


def test_entities_keep_their_type() -> None:
    pool = perturb.Pool.of(["It opened in 1901.", "It was sold in 1950 to Robert Maxwell."])
    change = perturb.swap_entities("The museum was built in 1874.", pool, random.Random(1))
    assert change is not None and change.changed[0][0] == "1874" and change.changed[0][1] in {"1901", "1950"}


def test_at_most_two_changes() -> None:
    text = "It was built in 1874, sold in 1880, burnt in 1890 and rebuilt in 1900."
    pool = perturb.Pool.of([f"It opened in {year}." for year in range(1700, 1760)])
    for seed in range(10):
        change = perturb.swap_entities(text, pool, random.Random(seed))
        assert change is not None and 1 <= len(change.changed) <= 2


TRIPLES = [
    Triple(
        f"{name} is an old town in the northern region and it was {verb} in {1500 + place}. It has {place + 3} mills.",
        f"Do you know {name}?",
        response,
        topic=f"topic {place % 8}",
    )
    for place, (name, verb) in enumerate(
        (f"{first}{second}", verb)
        for first, verb in zip(
            ("Ald", "Bex", "Cran", "Dun", "Elm", "Far", "Glen", "Hart"),
            ("founded", "destroyed", "sold", "built", "burned", "visited", "attacked", "bought"),
            strict=True,
        )
        for second in ("ton", "ford", "ham", "bury", "wick", "dale", "ley", "mouth", "port", "stead")
    )
    for response in (
        f"{name} was founded in {1500 + place} in the northern region.",
        f"{name} has {place + 3} old mills.",
    )
]


class Echoing:
    """A generator that repeats its evidence with an invented word, or says nothing specific."""

    def __init__(self) -> None:
        self.temperatures: list[float | None] = []

    def reply(self, asked: Sequence[Request], temperature: float | None, seed: int) -> list[str]:
        del seed
        self.temperatures += [temperature] * len(asked)
        return [f"{one.evidence} It is splendid." if one.evidence else "That is nice." for one in asked]


def test_a_silver_set_is_balanced_seeded_and_uses_every_method() -> None:
    writer = Echoing()
    drawn = silver(TRIPLES, 100, 3, writer)
    assert Counter(example.label for example in drawn) == dict.fromkeys(FIVE, 20)
    assert {example.method for example in drawn} == {
        "human response", "other evidence", "low temperature", "response negation", "antonym",
        "subject-object inversion", "verb replacement", "entity swapping",
    }  # fmt: skip
    assert 0.4 in writer.temperatures and None in writer.temperatures
    assert drawn == silver(TRIPLES, 100, 3, Echoing())
    assert drawn != silver(TRIPLES, 100, 4, Echoing())
    for example in drawn:
        if example.label is Label.HALLUCINATION:
            assert example.perturbed and example.perturbed != example.evidence


def test_too_few_turns_are_said() -> None:
    with pytest.raises(InputError, match="grounded turns"):
        silver(TRIPLES[:4], 100, 3, Echoing())


def test_turns_from_a_file_name_the_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    good = json.dumps({"evidence": "a b", "previous": "c", "response": "d", "topic": "t"})
    path.write_text(f"{good}\n\n{json.dumps({'evidence': 'x'})}\n")
    with pytest.raises(InputError, match="line 3"):
        read(path)
    path.write_text(good)
    assert read(path) == [Triple("a b", "c", "d", "t")]


def test_turns_of_questions_and_answers(tmp_path: Path) -> None:
    context = "The Eiffel Tower is in Paris. The tower was built in 1889 for a fair. It is tall."
    row = {
        "context": context,
        "question": "When was it built?",
        "answer": "1889",
        "start": context.find("1889"),
    }
    (tmp_path / "qa_squad_dev.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "xquad.en.json").write_text("for measuring only")
    (built,) = from_qa(tmp_path)
    assert built.evidence == "The tower was built in 1889 for a fair. It is tall."
    assert built.previous == "When was it built?" and built.response == "It was built in 1889 for a fair."


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="qa_squad_dev"):
        read(tmp_path)
