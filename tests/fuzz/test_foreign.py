"""Files of other people's making: read whole, or one sentence that names file and line."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import InputError
from arena.core.types import Label
from arena.labelling.files import read as labels
from arena.labelling.files import write_csv, write_jsonl
from arena.validation import begin, consistest, consistest_answers, decode, dnli, nli, pairs, q2, usr
from tests.fuzz.examples import tried
from tests.fuzz.sentences import is_sentence
from tests.fuzz.trees import spoilt, trees

KEYS = [
    "persona",
    "utterances",
    "q",
    "a",
    "c",
    "type",
    "source",
    "turn",
    "label",
    "responses",
    "turns",
    "scores",
]
WORDS = ["", "\x00", "\ud83d", "0", "1", "yes", "pers", "hist_ext", "yn", 0, 1, -1, 2**70, 1e400]

HEAD = "episode_idx,round,topic,message,response,knowledge,gold\n"
CROSS = "episode_idx,round,topic,message,dodeca_response,memnet_response,knowledge,gold,dodeca_label,memnet_label\n"
ANSWER = {"response": "r\n", "model": "M", "Uses Knowledge": [0, 1, 1], "Maintains Context": [3, 3, 3]}
TABLES: dict[str, tuple[Callable[[Path], Any], dict[str, str]]] = {
    "begin": (
        begin.load,
        {"a.tsv": "knowledge\tmessage\tresponse\tbegin_label\r\nk\tm\tr\tFully attributable\r\nk\tm\tr\tGeneric\r\n"},
    ),
    "q2": (
        q2.load,
        {
            **{
                f"{system}_{kind}.csv": f"{HEAD}1,0,T,m,{system} {kind},k,g\n2,1,U,\"a, b\nc\",s,k,g\n"
                for system in ("dodeca", "memnet")
                for kind in ("consistent", "inconsistent")
            },
            "cross_annotation.csv": f"{CROSS}2,0,U,m,it ' s red .,blue,k2,g,1,0\n",
        },
    ),
    "pairs": (
        lambda folder: pairs.load(folder / "p.tsv"),
        {"p.tsv": "earlier_utterance\tquestion\tlater_utterance\tcontradiction\na\tq\tb\t1\nc\td\te\t0\n"},
    ),
    "scored": (
        lambda folder: consistest_answers.load(folder / "s.csv"),
        {"s.csv": "fact,question,truth,response,type,score,second_score\ni ski,do you ski?,yes,no,yn,0,0.5\n"},
    ),
    "decode pairs": (
        decode.load,
        {"dev_pairs.tsv": "earlier_utterance\tlater_utterance\tcontradiction\na\tb\t1\n"},
    ),
}  # fmt: skip
TREES: dict[str, tuple[Callable[[Path], Any], dict[str, Any]]] = {
    "consistest": (
        consistest.load,
        {
            "persona_qas.json": {
                "i ski.": [{"source": "pers", "c": "i ski.", "q": "do you ski?", "a": "yes|i do", "type": "yn"}]
            },
            "history_qas.json": {
                "d0": [
                    {"source": "hist_ext", "turn": 0, "c": "i have a dog", "q": "what pet?", "a": "dog", "type": "wh"}
                ]
            },
            "valid.json": {"d0": {"persona": ["i ski."], "utterances": ["hi", "i have a dog", "nice", "yes"]}},
        },
    ),
    "usr": (
        usr.load,
        {
            "pc_usr_data.json": [{"context": "a\nb\n", "fact": "your persona: i ski.\n", "responses": [ANSWER]}],
            "topical_chat.json": [
                {
                    "source": "a", "system_id": "M", "system_output": "r", "context": "cats purr",
                    "scores": {"groundedness": 1, "coherence": 2},
                }
            ],
        },
    ),
    "dnli": (
        dnli.load,
        {"dialogue_nli_test.jsonl": [{"sentence1": "i have a dog", "sentence2": "no dog", "label": "negative"}]},
    ),
    "decode": (
        decode.load,
        {
            "test.jsonl": [
                {
                    "turns": [{"agent_id": n % 2, "text": f"t{n}"} for n in range(4)],
                    "is_contradiction": True,
                    "aggregated_contradiction_indices": [1, 3],
                }
            ]
        },
    ),
    "nli": (
        lambda folder: nli.load(folder / "n.json"),
        {"n.json": [{"premise": "a", "hypothesis": "b", "gold_label": "neutral"}]},
    ),
}  # fmt: skip
PLACE = re.compile(
    r"(line|entry) \d+|the dialogue '|stands under '|is not JSON|is not there|holds no|cannot be read"
)


def loads(load: Callable[[Path], Any], files: Mapping[str, str | bytes]) -> None:
    """The files' content, or a sentence that names one of them and the place in it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in files.items():
            raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
            (folder / file).write_bytes(raw)
        try:
            load(folder)
        except InputError as error:
            assert is_sentence(str(error)), str(error)
            assert PLACE.search(str(error)) and str(folder) in str(error), str(error)


def written(source: str | bytes, data: st.DataObject) -> bytes:
    """The file with some bytes of it gone and others in their place."""
    raw = source.encode() if isinstance(source, str) else source
    start = data.draw(st.integers(0, len(raw)))
    length = data.draw(st.integers(0, 12))
    pieces = st.sampled_from(
        [b"", b"\t", b",", b'"', b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"[", b"{}", b"2"]
    )
    return raw[:start] + data.draw(pieces) + raw[start + length :]


@pytest.mark.parametrize("name", TABLES)
def test_the_sound_tables_are_read(name: str, tmp_path: Path) -> None:
    load, files = TABLES[name]
    for file, content in files.items():
        (tmp_path / file).write_text(content, newline="")
    assert load(tmp_path)


@pytest.mark.parametrize("name", TREES)
def test_the_sound_trees_are_read(name: str, tmp_path: Path) -> None:
    load, files = TREES[name]
    for file, content in files.items():
        (tmp_path / file).write_text(json.dumps(content))
    assert load(tmp_path)


@pytest.mark.parametrize("name", TABLES)
@tried(50)
@given(st.data())
def test_a_spoilt_table_is_told_by_file_and_line(name: str, data: st.DataObject) -> None:
    load, files = TABLES[name]
    spoilt_one = data.draw(st.sampled_from(sorted(files)))
    loads(load, {**files, spoilt_one: written(files[spoilt_one], data)})


@pytest.mark.parametrize("name", TREES)
@tried(60)
@given(st.data())
def test_a_spoilt_tree_is_told_by_file_and_place(name: str, data: st.DataObject) -> None:
    load, files = TREES[name]
    tree = data.draw(spoilt(st.just(files), trees(WORDS, KEYS, json=True), KEYS))
    if isinstance(tree, dict) and all(isinstance(file, str) and file in files for file in tree):
        loads(load, {file: json.dumps(content) for file, content in tree.items()})


@pytest.mark.parametrize("name", TREES)
@tried(30)
@given(st.data())
def test_json_that_is_cut_is_told_by_file_and_place(name: str, data: st.DataObject) -> None:
    load, files = TREES[name]
    spoilt_one = data.draw(st.sampled_from(sorted(files)))
    texts = {file: json.dumps(content, indent=1) for file, content in files.items()}
    loads(load, {**texts, spoilt_one: written(texts[spoilt_one], data)})


# ── labels ────────────────────────────────────────────────────────────────────────────────────────

said = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=15)
spoken = st.sampled_from([True, False, "unclear"])
seconds = st.none() | st.floats(0, 1e6)
people = st.lists(
    st.sampled_from(["ann", "ben", "=cmd", "a,b", 'q"q', "李"]), min_size=1, max_size=3, unique=True
)
made = st.tuples(people, st.lists(st.tuples(spoken, spoken, spoken, said, seconds), min_size=3, max_size=3))


@tried(80)
@given(made, st.sampled_from(["jsonl", "csv", "raw"]))
def test_labels_come_back_as_they_went(
    given_labels: tuple[list[str], list[tuple[Any, Any, Any, str, float | None]]], form: str
) -> None:
    who, answers = given_labels
    put = [
        Label(
            "d1:i1",
            "inquiry",
            "aih",
            person,
            {"appropriate": a, "relevant": b, "contradicts": c},
            note,
            spent,
        )
        for person, (a, b, c, note, spent) in zip(who, answers, strict=False)
    ]
    out = io.StringIO(newline="")
    if form == "jsonl":
        write_jsonl(put, out)
    else:
        write_csv(put, out, raw=form == "raw")
    back = labels(io.StringIO(out.getvalue(), newline=""), "l.jsonl" if form == "jsonl" else "l.csv")
    assert sorted(back, key=lambda one: one.person) == sorted(put, key=lambda one: one.person)


CSV = "subject,subject_type,schema,person,appropriate,relevant,contradicts,note,seconds\n"
SHEET = f'{CSV}i1,inquiry,aih,ann,yes,yes,no,fine,2.5\ni2,inquiry,aih,ann,yes,no,unclear,"a\nb",\n'
VALUES = {"appropriate": True, "relevant": True, "contradicts": False}
ROWS: list[dict[str, Any]] = [
    {
        "subject": "i1",
        "subject_type": "inquiry",
        "schema": "aih",
        "person": "ann",
        "values": VALUES,
        "seconds": 1.5,
    },
    {
        "subject": "d1",
        "subject_type": "dialogue",
        "schema": "session",
        "person": "ben",
        "values": {"score": 0.5},
    },
    {"subject": "d1:2", "schema": "begin", "person": "ben", "values": {"topic": "4"}, "note": "x"},
]


def labels_or_a_line(source: str, name: str) -> None:
    try:
        result = labels(io.StringIO(source, newline=""), name)
    except InputError as error:
        assert is_sentence(str(error)), str(error)
        assert re.match(rf"{name}, line \d+: ", str(error)), str(error)
        return
    for label in result:
        json.dumps([label.subject, label.person, dict(label.values), label.note, label.seconds]).encode()
        assert label.subject and label.person


@tried(150)
@given(spoilt(st.just(ROWS), trees(WORDS, [*KEYS, *ROWS[0]], json=True), [*KEYS, *ROWS[0]]))
def test_spoilt_labels_in_jsonl_are_told_by_their_line(tree: Any) -> None:
    labels_or_a_line("\n".join(json.dumps(row) for row in tree), "l.jsonl")


@tried(150)
@given(st.data())
def test_spoilt_labels_in_csv_are_told_by_their_line(data: st.DataObject) -> None:
    labels_or_a_line(written(SHEET, data).decode("utf-8", "surrogateescape"), "l.csv")


def test_the_sound_labels_are_read() -> None:
    assert len(labels(io.StringIO(SHEET, newline=""), "l.csv")) == 2
    assert len(labels(io.StringIO("\n".join(map(json.dumps, ROWS))), "l.jsonl")) == 3
