"""Training text: kept apart from every measuring file, labelled as meant, the same for the same seed."""

from __future__ import annotations

import csv
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.training.judges.drills import DRILLS, drills
from arena.training.judges.implied import implied
from arena.training.judges.kinds import kinds
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_CONTRADICTION, hand_written
from arena.training.judges.perturb import exchanged, negated, opposite, other_number, perturbed
from arena.training.judges.reading import Question, held_out, judged, questions, sentences, shortened
from arena.training.judges.replies import swap
from arena.training.judges.texts import SHORT, Guard, normal, table
from arena.training.judges.triples import Generator


def _measured(data: Path) -> Iterator[str]:
    """The measuring texts, read here by other means than the training code's."""
    for name, columns in (("nli/mnli_dev_matched.tsv", (0, 1)), ("decode/dev_pairs_part.tsv", (0, 1))):
        with (data / name).open(encoding="utf-8") as file:
            for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield from (row[column] for column in columns)
    for path in (data / "begin").iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield from line.split("\t")
    for path in (data / "q2").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                yield from row
    for name in ("persona_qas", "history_qas"):
        for rows in json.loads((data / "consistest" / f"{name}.json").read_text(encoding="utf-8")).values():
            for case in rows:
                yield from (case["c"], case["q"], case.get("alt_c", ""))
    for case in json.loads((data / "consistest" / "valid.json").read_text(encoding="utf-8")).values():
        yield from case["persona"] + case["utterances"]


@pytest.fixture(scope="module")
def measured(arena_data: Path) -> set[str]:
    return {known for text in _measured(arena_data) if len((known := normal(text)).split()) > SHORT}


@pytest.fixture(scope="module")
def guard(arena_data: Path) -> Guard:
    return Guard.of(arena_data)


def test_the_guard_knows_every_measuring_text(measured: set[str], guard: Guard) -> None:
    assert len(measured) > 20_000
    assert [text for text in measured if not guard.knows(text)] == []


@pytest.mark.slow
def test_hand_written_training_text_is_in_no_measuring_file(
    arena_data: Path, measured: set[str], guard: Guard
) -> None:
    total = 0
    seen: set[tuple[str, str]] = set()
    for _, pairs in hand_written(arena_data, guard):
        for pair in pairs:
            key = (normal(pair.premise), normal(pair.hypothesis))
            assert key[0] not in measured and key[1] not in measured
            assert key not in seen
            seen.add(key)
            total += 1
    assert total > 250_000


def test_questions_on_texts_are_in_no_measuring_file(
    arena_data: Path, measured: set[str], guard: Guard
) -> None:
    rows = questions(arena_data, guard, held=False)
    assert len(rows) > 30_000
    assert not any(normal(row.question) in measured for row in rows)
    apart = {row.context for row in questions(arena_data, None, held=True)}
    assert apart and not apart & {row.context for row in rows}


def test_a_measuring_text_would_be_dropped(tmp_path: Path) -> None:
    (tmp_path / "nli").mkdir()
    head = "premise\thypothesis\tlabel\n"
    kept = "A crane lifts the heavy beam.\tA crane works hard.\tentailment\n"
    known = "The old boat sank near the harbor.\tThe boat swims.\tcontradiction\n"
    (tmp_path / "nli" / "lingnli.tsv").write_text(head + kept + known + kept, encoding="utf-8")
    (tmp_path / "nli" / "mnli_dev_matched.tsv").write_text(
        head + "Nobody knew it at all.\tthe old boat sank near the harbor\tneutral\n", encoding="utf-8"
    )
    guard = Guard.of(tmp_path)
    result = [pair for _, pairs in hand_written(tmp_path, guard) for pair in pairs]
    assert [(pair.premise, pair.label) for pair in result] == [("A crane lifts the heavy beam.", ENTAILMENT)]


def test_no_generated_text_is_a_hand_made_case() -> None:
    pairs, statements, answers = set(), set(), set()
    for name in ("everyday", "minimal"):
        for row in table(Path(__file__).parents[1] / "judges" / f"{name}_pairs.tsv"):
            sentence, answered = normal(row["statement"]), normal(row["answer"])
            pairs.add((sentence, answered))
            if name == "everyday":
                statements.add(sentence)
            if len(answered.split()) > SHORT + 2:  # "I'm a baker" may be anybody's answer
                answers.add(answered)
    generator = Generator(random.Random(5), held=False)
    result = [*generator.triples(8000), *generator.counts(1000), *implied(random.Random(5), held=False)]
    for triple in [*result, *drills(random.Random(5), held=False, number=12_000)]:
        sentence, answered = normal(triple.statement), normal(triple.answer)
        assert sentence not in statements and answered not in answers and (sentence, answered) not in pairs


def test_drills_have_every_label_and_hold_some_of_their_stuff_back() -> None:
    drawn = drills(random.Random(1), held=False, number=4000)
    assert drawn == drills(random.Random(1), held=False, number=4000)
    assert {triple.label for triple in drawn} == {ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_CONTRADICTION}
    assert {triple.case for triple in drawn} == {*DRILLS, "evasion"}
    assert not any(set("{}|~=") & set(t.statement + t.question + t.answer) for t in drawn)
    for name in ("jobs", "life"):
        apart = {t.statement for t in drills(random.Random(1), True, 4000) if t.case == name}
        assert apart and not apart & {t.statement for t in drawn if t.case == name}


@pytest.mark.parametrize(
    ("name", "statement", "question", "answer", "label"),
    [
        ("tense", "I used to ", "Do you still ", "Not anymore", ENTAILMENT),
        ("tense", "I used to ", "Do you still ", "Yes", CONTRADICTION),
        ("tense", "I used to ", "Did you ever ", "Yes", ENTAILMENT),
        ("tense", "I will ", "Have you started ", "Not yet", ENTAILMENT),
        ("tense", "I will ", "Have you started ", "Yes", CONTRADICTION),
        ("places", "I was born in Poland", "Where were you born", "Gdansk", NOT_CONTRADICTION),
        ("places", "I was born in Gdansk", "Where were you born", "Poland", ENTAILMENT),
        ("clock", "I have 20 ", "How many ", "twenty", ENTAILMENT),
    ],
)
def test_what_drills_teach(name: str, statement: str, question: str, answer: str, label: int) -> None:
    """The beginnings of a case, and its label."""
    drill, _ = DRILLS[name]
    begun = (
        case[3]
        for case in itertools.islice(drill(random.Random(3), False), 60_000)
        if all(text.startswith(start) for text, start in zip(case, (statement, question, answer)))  # noqa: B905
    )
    assert set(itertools.islice(begun, 1)) == {label}


def test_decode_tells_only_whether_there_is_a_contradiction(tmp_path: Path) -> None:
    (tmp_path / "decode").mkdir()
    (tmp_path / "decode" / "train_pairs.tsv").write_text(
        "earlier_utterance\tlater_utterance\tcontradiction\nI have a cat\tI own no animal\t1\nhello\tfine day\t0\n"
    )
    result = [pair.label for _, pairs in hand_written(tmp_path, Guard([])) for pair in pairs]
    assert result == [CONTRADICTION, NOT_CONTRADICTION]


def test_there_are_sixty_kinds_of_facts_and_some_are_held_out() -> None:
    result = kinds()
    assert len(result) >= 60 and len({kind.name for kind in result}) == len(result)
    assert 10 <= sum(kind.held for kind in result) <= 20
    assert all(len(kind.say) >= 2 and kind.ask and kind.none and kind.short for kind in result)


def test_held_out_facts_are_never_trained_on() -> None:
    trained = {triple.kind for triple in Generator(random.Random(1), held=False).triples(3000)}
    apart = {kind.name for kind in kinds() if kind.held}
    assert not trained & apart
    assert apart <= {triple.kind for triple in Generator(random.Random(1), held=True).triples(3000)}
    assert not {t.statement for t in implied(random.Random(1), False)} & {
        t.statement for t in implied(random.Random(1), True)
    }


def test_one_seed_one_set_of_triples() -> None:
    first, again, other = (Generator(random.Random(seed), held=False).triples(300) for seed in (4, 4, 5))
    assert first == again != other
    assert {triple.label for triple in first} == {ENTAILMENT, NEUTRAL, CONTRADICTION}
    assert not any("{" in triple.statement + triple.question + triple.answer for triple in first)


def test_every_message_of_the_reader_holds_its_answer() -> None:
    generator = Generator(random.Random(2), held=False)
    result = [generator.reading() for _ in range(500)]
    inside = [answer.lower() in text.lower() for text, _, answer in result if answer]
    assert sum(inside) / len(inside) > 0.9 and 50 < sum(answer is None for *_, answer in result) < 250


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Where do you live?", "Where do I live?"),
        ("What is your name?", "What is my name?"),
        ("I'm a baker and my dog is old.", "you're a baker and your dog is old."),
    ],
)
def test_swap_turns_the_speakers_round(text: str, turned: str) -> None:
    assert swap(text) == turned


def test_perturbations_deny_by_one_change() -> None:
    source = random.Random(3)
    assert negated("The bridge was built by hand.") == "The bridge was not built by hand."
    assert negated("The bridge was not built by hand.") == "The bridge was built by hand."
    assert negated("Birds sing.") is None
    changed = other_number("It has 12 rooms.", source)
    assert changed and changed != "It has 12 rooms." and changed.startswith("It has ")
    assert opposite("The large tower stands there.", source) == "The tiny tower stands there."
    assert exchanged("Anna Smith wrote to Paul Jones.") == "Paul Jones wrote to Anna Smith ."
    pairs = perturbed(["The large bridge was built in 1890 by Paul Jones himself."] * 60, source)
    assert {pair.label for pair in pairs} == {ENTAILMENT, NEUTRAL, CONTRADICTION}
    assert all((pair.hypothesis != pair.premise) for pair in pairs if pair.label == CONTRADICTION)


def test_sentences_end_where_they_end() -> None:
    text = "He met Dr. Brown in 1990. She lives in St. Louis! Is it far? No."
    assert [text[a:b].strip() for a, b in sentences(text)] == [
        "He met Dr. Brown in 1990.",
        "She lives in St. Louis!",
        "Is it far?",
        "No.",
    ]


def test_a_shortened_question_keeps_its_answer() -> None:
    text = "Anna is old. She has three boats in Oslo. They are red. All of them sail."
    row = Question(text, "How many boats has she?", "three", text.index("three"))
    short = shortened(row)
    assert (
        short.context == "She has three boats in Oslo." and short.context[short.start : short.end] == "three"
    )
    wide = shortened(row, 1)
    assert wide.context == "Anna is old. She has three boats in Oslo. They are red."
    assert wide.context[wide.start : wide.end] == "three"
    assert held_out(text) == held_out(text)


def test_answered_questions_have_all_three_labels(
    arena_data: Path, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena.training.judges import reading

    few = questions(arena_data, guard, held=False)[:800]
    monkeypatch.setattr(reading, "questions", lambda *_, **__: few)
    pairs = judged(arena_data, guard, random.Random(1), ["I don't know."])
    assert {pair.label for pair in pairs} == {ENTAILMENT, NEUTRAL, CONTRADICTION}
