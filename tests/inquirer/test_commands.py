"""arena inquire and arena models, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import main

RULES = ["--entities", "rules", "--questions", "rules"]


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        code = main(arguments)
        raise SystemExit(code)
    output = capsys.readouterr()
    return int(stopped.value.code or 0), output.out, output.err


def test_json_lines_one_an_utterance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "said.txt"
    file.write_text("i have two dogs\nhow are you?\n")
    code, out, _ = run(["inquire", str(file), *RULES, "--json"], capsys)
    first, second = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert first["utterance"] == "i have two dogs"
    assert {"text": "two", "type": "CARDINAL", "start": 7} in first["entities"]
    assert [(q["question"], q["entity"], q["kind"]) for q in first["questions"]] == [
        ("How many dogs do you have?", "two", "wh"),
        ("Do you have two dogs?", "two dogs", "yes_no_true"),
    ]
    built = {"rule": "number", "single_answer": True, "clause": [0, 15], "span": [7, 10]}
    assert built.items() <= first["questions"][0].items()
    assert second == {
        "utterance": "how are you?",
        "entities": [],
        "questions": [],
        "refused": {"is_question": 1},
    }


def test_for_people_and_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "said.txt"
    file.write_text("[red]i have two dogs[/red] \x1b[31m\n")
    code, out, _ = run(
        [
            "inquire",
            str(file),
            *RULES,
            "--kind",
            "yes_no_true",
            "--kind",
            "about_partner",
            "--min-score",
            "0",
        ],
        capsys,
    )
    assert code == 0
    assert "Do you have two dogs?" in out and "How many dogs do I have?" in out
    assert "\x1b[31m" not in out and "[red]" in out


def test_dialogues_and_a_tournament_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dialogue = tmp_path / "chat.jsonl"
    dialogue.write_text(
        json.dumps({"messages": [{"text": "i live in ohio"}, {"content": "i am a nurse"}]}) + "\n"
    )
    tournament = tmp_path / "tournament.yaml"
    tournament.write_text("inquirer: {entities: rules, questions: rules, kinds: [paraphrase]}\nbots: []\n")
    code, out, _ = run(["inquire", str(dialogue), "--inquirer", str(tournament), "--json"], capsys)
    asked = [q["question"] for line in out.splitlines() for q in json.loads(line)["questions"]]
    assert code == 0
    assert asked == ["Could you tell me where you live?", "Could you tell me what your job is?"]


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        (None, RULES, "cannot be read"),
        ("i have two dogs", ["--entities", "stanzza"], "stanza"),
        ('{"turns": []}', RULES, "messages"),
        ('{"messages": [{"no": 1}]}', RULES, "text"),
    ],
)
def test_wrong_input_is_one_sentence(
    content: str | None, arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "said.txt"
    if content is not None:
        file.write_text(content)
    code, out, err = run(["inquire", str(file), *arguments], capsys)
    assert code == 2 and words in err and "Traceback" not in err and not out


def test_models_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    code, out, _ = run(["models", "list", "--json"], capsys)
    result = {m["name"]: m for m in json.loads(out)["models"]}
    assert code == 0 and result["stanza-en"]["present"] is False and "smollm2-135m" in result
    code, out, _ = run(["models", "list"], capsys)
    assert code == 0 and "stanza-en" in out


def test_an_unknown_model_suggests_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(["models", "fetch", "stanza"], capsys)
    assert code == 2 and "stanza-en" in err
