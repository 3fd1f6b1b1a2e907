"""Published files: what is read, and how a broken line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.validation import begin, consistest_answers, decode, dnli, nli, pairs, q2, usr
from arena.validation.figures import paper
from arena.validation.rows import rows


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_tsv_keeps_quotes_and_strips_carriage_returns(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", 'knowledge\tlabel\r\nhe said "no\tGeneric\r\n')
    (row,) = rows(path)
    assert row.values == {"knowledge": 'he said "no', "label": "Generic"} and row.line == 2


def test_a_line_with_too_few_columns_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", "a\tb\n1\t2\n3\n")
    with pytest.raises(InputError, match=r"a\.tsv, line 3: .*1 columns and the head 2"):
        list(rows(path))


def test_csv_lines_count_through_quoted_line_ends(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'a,b\n"x\ny",1\nz\n')
    with pytest.raises(InputError, match="line 4"):
        list(rows(path))


@pytest.mark.parametrize("text", ['{"a": 1}\nnot json\n', '{"a": 1}\n[1]\n'])
def test_jsonl_lines_are_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="line 2"):
        list(rows(written(tmp_path / "a.jsonl", text)))


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"a\tb\n\xff\xfe\t\n")
    with pytest.raises(InputError, match="UTF-8"):
        list(rows(tmp_path / "a.tsv"))


def test_nli_labels_in_any_spelling(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        "\n".join(
            json.dumps({"sentence1": "a", "sentence2": "b", "gold_label": label})
            for label in ("positive", "Neutral", "contradiction", "-")
        ),
    )
    assert [row.label for row in nli.load(path)] == ["entailment", "neutral", "contradiction"]
    written(path, '{"premise": "a", "hypothesis": "b", "label": "maybe"}')
    with pytest.raises(InputError, match="'maybe'"):
        nli.load(path)


def test_dialogue_nli_is_a_json_list_whatever_its_name(tmp_path: Path) -> None:
    entries = [{"sentence1": "i have a dog", "sentence2": "i have no dog", "label": "negative"}]
    written(tmp_path / "dialogue_nli_verified_test.jsonl", json.dumps(entries))
    test, development = dnli.load(tmp_path)
    assert test[0].label == "contradiction" and development == []
    with pytest.raises(InputError, match="wellecks"):
        dnli.load(tmp_path / "nowhere")


def test_decode_pairs_and_dialogues(tmp_path: Path) -> None:
    written(tmp_path / "dev_pairs.tsv", "earlier_utterance\tlater_utterance\tcontradiction\na\tb\t1\n")
    turns = [{"agent_id": place % 2, "text": f"t{place}"} for place in range(4)]
    entry = {"turns": turns, "is_contradiction": True, "aggregated_contradiction_indices": [1, 3]}
    written(tmp_path / "test.jsonl", json.dumps(entry) + "\n")
    two, whole = decode.load(tmp_path)
    assert two == [pairs.Pair("a", "", "b", True)]
    assert whole == [decode.Dialogue(("t1",), "t3", True, (0,))]
    assert [case.source for case in decode.cases(whole[0])] == ["t1"]


def test_a_label_that_is_no_label(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", "earlier_utterance\tlater_utterance\tcontradiction\na\tb\tyes\n")
    with pytest.raises(InputError, match=r"line 2.*'yes'"):
        pairs.load(path)


def test_begin_releases(tmp_path: Path) -> None:
    head = "knowledge\tmessage\tresponse\tbegin_label\r\n"
    written(tmp_path / "a.tsv", f"{head}k\tm\tr\tFully attributable\r\nk\tm\tr\tGeneric\r\n")
    written(tmp_path / "b.tsv", f"{head}k\tm\tr\tOff-topic\r\nk\tm\tr\tentailment\r\n")
    written(tmp_path / "c.tsv", f"{head}k\tm\tr\tneutral\r\n")
    one, five, three = begin.load(tmp_path)
    assert (one.release, five.release, three.release) == ("attribution", "five-way", "three-way")
    assert [item.label for item in (*one.items, *five.items)] == [
        "fully",
        "generic",
        "off-topic",
        "entailment",
    ]
    written(tmp_path / "b.tsv", f"{head}k\tm\tr\tentailment\nk\tm\tr\tFully attributable\n")
    with pytest.raises(InputError, match="line 2"):
        begin.load(tmp_path / "b.tsv")


def test_q2_sets_and_their_cross_annotation(tmp_path: Path) -> None:
    head = "episode_idx,round,topic,message,response,knowledge,gold\n"
    for name in ("dodeca_consistent", "memnet_consistent", "memnet_inconsistent"):
        written(tmp_path / f"{name}.csv", f"{head}1,0,T,m,{name},k,g\n")
    with pytest.raises(InputError, match="q-squared"):
        q2.load(tmp_path)
    written(tmp_path / "dodeca_inconsistent.csv", f"{head}2,0,U,m,it ' s red .,k2,g\n")
    labels = "dodeca_label,memnet_label"
    crossed = f"episode_idx,round,topic,message,dodeca_response,memnet_response,knowledge,gold,{labels}\n"
    written(tmp_path / "cross_annotation.csv", f"{crossed}2,0,U,m,it ' s red .,blue,k2,g,1,0\n")
    data = q2.load(tmp_path)
    assert [item.response for item in data.items] == [
        "it's red.",
        "dodeca_consistent",
        "memnet_inconsistent",
        "memnet_consistent",
    ]
    assert [(item.response, item.consistent) for item in data.crossed] == [("blue", True)]
    every = [*data.items, *data.crossed]
    assert all(every[p.consistent].consistent and not every[p.inconsistent].consistent for p in data.pairs)
    assert q2.other_knowledge(data.items, 1)[0] == "k"


def test_usr_in_both_shapes(tmp_path: Path) -> None:
    answer = {"response": "r\n", "model": "M", "Uses Knowledge": [0, 1, 1], "Maintains Context": [3, 3, 3]}
    truth = {**answer, "model": "Original Ground Truth"}
    entry = {"context": "a\nb\n", "fact": "your persona: i ski.\n", "responses": [answer, truth]}
    written(tmp_path / "pc_usr_data.json", json.dumps([entry]))
    flat = {
        "source": "a", "system_id": "M", "system_output": "r", "context": "_nofact\n",
        "scores": {"groundedness": 1, "coherence": 2},
    }  # fmt: skip
    written(tmp_path / "topical_chat.json", json.dumps([flat, {**flat, "context": "cats purr"}]))
    result = usr.load(tmp_path)
    (item,) = result["pc_usr_data"]
    assert item.knowledge == "i ski." and item.scores["uses_knowledge"] == pytest.approx(2 / 3)
    assert len(result["topical_chat"]) == 1


def test_answers_scored_by_people(tmp_path: Path) -> None:
    head = "fact,question,truth,response,type,score,second_score\n"
    path = written(
        tmp_path / "scored.csv", f"{head}i ski,do you ski?,yes,no,yn,0,0.5\ni ski,what?,ski,ski,wh,1,\n"
    )
    first, second = consistest_answers.load(path)
    assert (first.score, first.second, second.second) == (0.0, 0.5, None)
    assert consistest_answers.find(tmp_path) == path
    written(path, f"{head}a,b,c,d,wh,2,\n")
    with pytest.raises(InputError, match=r"line 2.*score '2'"):
        consistest_answers.load(path)


def test_every_paper_has_its_figures() -> None:
    for name in ("q2", "begin", "consistest", "dnli", "usr", "aih"):
        assert paper(name)["about"]
    assert paper("aih")["table_3"]["machine"]["BL"]["PL"] == 0.240


def test_the_released_files_are_read_whole(arena_data: Path) -> None:
    data = q2.load(arena_data / "q2")
    assert len(data.items) == 600
    assert [len(one.items) for one in begin.load(arena_data / "begin")] == [416, 383, 430]
    assert len(usr.load(arena_data / "usr")["topical_chat"]) == 260
