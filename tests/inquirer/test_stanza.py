"""Stanza's side, on models that are trained here: the same code reads the full models' folder."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from arena.core.errors import ArenaError, InputError, MissingPart
from arena.core.types import Kind
from arena.training.inquirer.entities import fit
from arena.training.inquirer.scores import Tally, spans
from arena.training.inquirer.silver import Labelled
from arena.training.inquirer.stanza_models import Sizes
from inquirer import build, models
from inquirer.entities import stanza as extractor
from inquirer.language.tokens import tokens

PLACES = ["Paris", "Ohio", "Texas", "Berlin", "Chicago", "Boston", "Spain", "Canada"]
NAMES = ["Max", "Anna", "Peter", "Susan", "Tom", "Mary"]


def labelled() -> list[Labelled]:
    """A small language: places, names and numbers in fixed sentences."""
    rows = []
    for i in range(100):
        place, name = PLACES[i % 8], NAMES[i % 6]
        number = str(2 + i % 7)
        text = [
            f"I live in {place} .",
            f"My dog {name} is {number} .",
            f"I moved to {place} in 201{i % 10} .",
            f"{name} has {number} cats .",
        ][i % 4]
        lower = i % 3 == 0
        words = [t.text for t in tokens(text)]
        tags = [
            "NNP"
            if w in PLACES + NAMES
            else "CD"
            if w[0].isdigit()
            else "."
            if w == "."
            else "PRP"
            if w == "I"
            else "NN"
            for w in words
        ]
        kinds = {"NNP": "PROPN", "CD": "NUM", ".": "PUNCT", "PRP": "PRON", "NN": "NOUN"}
        marks = [
            "B-GPE"
            if w in PLACES
            else "B-PERSON"
            if w in NAMES
            else "B-DATE"
            if w.startswith("201")
            else "B-CARDINAL"
            if w.isdigit()
            else "O"
            for w in words
        ]
        row = Labelled(
            "made",
            text,
            [t.start for t in tokens(text)],
            words,
            [kinds[t] for t in tags],
            tags,
            marks,
            [len(words)],
            i % 10 == 0,
        )
        rows.append(row.lowered() if lower else row)
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("stanza")
    sizes = Sizes(
        tokenizer_hidden=16,
        tokenizer_steps=60,
        ner_hidden=24,
        ner_steps=60,
        ner_rate=0.02,
        characters=16,
        batch=16,
        dimensions=16,
    )
    result = fit(labelled(), out, tmp_path_factory.mktemp("work"), sizes)
    assert result["ner"]["silver"]["all"]["recall"] > 0.5
    return out


async def test_a_trained_folder_works_like_the_full_models(folder: Path) -> None:
    assert models.complete(folder)
    created = extractor.create({"folder": str(folder)})
    text = "I live in Paris . do you live in Ohio ?"
    entities, nothing, lower = await created.extract([text, "", "i moved to boston in 2014 ."])
    assert nothing == []
    assert all(text[e.start : e.end] == e.text and e.end < 18 for e in entities)
    assert any(e.text == "Paris" and e.type in {"GPE", "PERSON"} for e in entities)
    assert any(e.text == "2014" for e in lower)


async def test_the_cache_folder_goes_before_the_shipped_models(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    (tmp_path / "stanza").symlink_to(folder)
    assert models.folder() == tmp_path / "stanza"
    inquirer = build({"entities": "stanza", "questions": "rules"})
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "empty"))
    inquest = (await inquirer.inquire(["I live in Paris ."], [Kind.WH]))[0]
    assert [q.text for q in inquest.questions] == ["Where do you live?"]
    assert inquirer.revision != build({"entities": "rules", "questions": "rules"}).revision


async def test_hostile_text_does_not_upset_stanza(folder: Path) -> None:
    from tests.inquirer.test_inquirer import HOSTILE

    created = extractor.create({"folder": str(folder)})
    for text, entities in zip(HOSTILE, await created.extract(HOSTILE), strict=True):
        assert all(text[e.start : e.end] == e.text for e in entities)


async def test_damaged_models_say_so(folder: Path, tmp_path: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes() if path.suffix != ".pt" else b"no model")
    with pytest.raises(MissingPart, match="do not load"):
        await extractor.create({"folder": str(tmp_path)}).extract(["i have a dog"])


async def test_shipped_models_find_names_numbers_and_places(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    if not models.complete(models.SHIPPED):
        pytest.skip("the small models are not in this checkout")
    created = extractor.create({})
    result = await created.extract(
        ["I would love to visit New York next year.", "i moved to chicago in 2010", "how are you?"]
    )
    types = [{e.text: e.type for e in entities} for entities in result]
    assert types[0]["New York"] in {"GPE", "NAME"} and types[0]["next year"] == "DATE"
    assert types[1]["chicago"] == "GPE" and types[1]["2010"] in {"DATE", "CARDINAL"}
    assert result[2] == []
    assert sum(p.stat().st_size for p in models.SHIPPED.rglob("*") if p.is_file()) < 13_500_000


def test_no_models_at_all_names_the_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    monkeypatch.setattr(models, "SHIPPED", tmp_path / "nothing")
    with pytest.raises(MissingPart, match="arena models fetch stanza-en"):
        models.folder()
    with pytest.raises(InputError, match="holds no Stanza models"):
        extractor.create({"folder": str(tmp_path)})


def test_a_fetch_that_fails_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with pytest.raises(ArenaError, match="could not be fetched"):
        models.fetch()


def test_stanza_is_imported_only_where_it_is_used() -> None:
    code = (
        "import sys, asyncio\nfrom inquirer import build\nq = build({'entities': 'rules', "
        "'questions': {'use': 'rules', 'encoder': False}})\n"
        "asyncio.run(q.inquire(['i have two dogs'], ['wh']))\n"
        "print([m for m in ('stanza', 'torch', 'transformers', 'spacy') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_spans_and_scores() -> None:
    assert spans(["B-GPE", "I-GPE", "O", "B-DATE", "B-DATE"]) == {
        (0, 2, "GPE"),
        (3, 4, "DATE"),
        (4, 5, "DATE"),
    }
    tally = Tally()
    tally.add({(0, 2, "GPE"), (3, 4, "DATE")}, {(0, 2, "GPE"), (3, 4, "ORG")})
    table = tally.table()
    assert table["GPE"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0, "wanted": 1}
    assert table["all"]["precision"] == table["all"]["recall"] == 0.5


async def test_spacy_gives_noun_chunks_too() -> None:
    pytest.importorskip("spacy")
    from inquirer.entities import spacy

    try:
        created = spacy.create({})
    except MissingPart as error:
        pytest.skip(str(error))
    result = (await created.extract(["My grandmother bought the old lighthouse in Maine. Is it big?"]))[0]
    texts = {e.text for e in result}
    assert {"My grandmother", "Maine"} <= texts and any("lighthouse" in t for t in texts)
    assert not any(e.text.lower() == "it" for e in result)


def test_extraction_can_be_called_from_several_tasks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    if not models.complete(models.SHIPPED):
        pytest.skip("the small models are not in this checkout")
    created = extractor.create({})

    async def many() -> list[object]:
        return list(await asyncio.gather(*(created.extract([f"i have {n} dogs"]) for n in range(2, 8))))

    result = asyncio.run(many())
    assert len(result) == 6 and all(result)


def test_it_works_in_one_thread_and_gives_the_others_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    threads: list[int] = []
    plain = extractor._spans

    def counting(document: object) -> object:
        threads.append(torch.get_num_threads())
        return plain(document)

    monkeypatch.setattr(extractor, "_spans", counting)
    before = torch.get_num_threads()
    extractor.create({"folder": str(folder)})._named(["I live in Paris .", "Max has 2 cats ."])
    assert threads == [1, 1]
    assert torch.get_num_threads() == before
