"""judge, inquire, interrogate and validate with their models on a cluster: as on one machine."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import app
from arena.core.errors import MissingPart
from arena.core.types import InquiryReport, Kind
from arena.engines import ray as engine
from judges.lexical import Lexical
from judges.overlap import Overlap
from tests.support.tournaments import exported, play, store, text
from tests.validation.test_consistest import DIALOGUES, HISTORY, PERSONA

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
pytest.importorskip("ray", reason="Ray is not installed: pip install 'consistency-arena[ray]'")

PAIRS = """earlier_utterance\tquestion\tlater_utterance\tcontradiction
I have two kids.\tHow many kids do you have?\tI have three kids.\t1
I have two kids.\tHow many kids do you have?\tI have two kids.\t0
I like tea.\t\tI do not like tea.\t1
I like tea.\t\tI like tea a lot.\t0
"""
WORDS = "{judge: overlap, name: words, resources: {num_cpus: 1, replicas: 2}}"


def refuse(*_: Any) -> Any:
    raise AssertionError("a model was used in this process")


def arena(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def there(cluster: Any, *arguments: str) -> str:
    """What a command says with its models on the cluster; this process can load none and judge nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("bots.registry"), "create", refuse)
        patch.setattr(import_module("inquirer.build"), "build", refuse)
        patch.setattr(Lexical, "judge", refuse)
        patch.setattr(Overlap, "judge", refuse)
        return arena(*arguments, "--engine", "ray", "--address", cluster.address)


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    for name, content in (("persona_qas", PERSONA), ("history_qas", HISTORY), ("valid", DIALOGUES)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return tmp_path


def test_judge(cluster: Any, tmp_path: Path) -> None:
    near, far = store(tmp_path, "near.db"), store(tmp_path, "far.db")
    for one in (near, far):
        tournament, _ = play(one, text(dialogues=3))
    id = tournament.info.id
    words = ("judge", id, "--judge", "lexical", "--judge", WORDS, "--json", "--db")
    there(cluster, *words, f"sqlite:///{tmp_path}/far.db")
    arena(*words, f"sqlite:///{tmp_path}/near.db")
    assert exported(far, id) == exported(near, id)
    again = arena(*words, f"sqlite:///{tmp_path}/far.db")
    assert [one["new"] for one in json.loads(again)["judges"]] == [0, 0]


def test_inquire(cluster: Any, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"I have {n} dogs and I live in Rome.\n" for n in range(2, 300)))
    mapping = tmp_path / "inquirer.yaml"
    mapping.write_text("{entities: rules, questions: rules, resources: {num_cpus: 0.5, replicas: 3}}")
    words = ("inquire", str(lines), "--inquirer", str(mapping), "--json")
    far = there(cluster, *words)
    assert far == arena(*words) and len(far.splitlines()) == 298


def test_interrogate(cluster: Any, benchmark: Path) -> None:
    bot = "{adapter: scripted, name: me, resources: {num_cpus: 0.5, replicas: 2}}"
    words = ("interrogate", bot, "--data", str(benchmark), "--judge", WORDS, "--json", "--db")
    far = json.loads(there(cluster, *words, f"sqlite:///{benchmark}/far.db"))
    assert far == json.loads(arena(*words, f"sqlite:///{benchmark}/near.db")) and far["n"] == 6


def test_validate(cluster: Any, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS)
    words = ["validate", "pairs", "--data", str(tmp_path / "pairs.tsv"), "--rounds", "20", "--json"]
    words += ["--judge", "lexical", "--judge", WORDS]
    far = json.loads(there(cluster, *words))
    assert far == json.loads(arena(*words)) and far["judges"]["lexical"]["auc"] == 1.0


def test_a_model_that_cannot_be_loaded_is_one_sentence(cluster: Any, benchmark: Path) -> None:
    words = ("interrogate", "{adapter: missing, model: mine}", "--data", str(benchmark), "--judge", "lexical")
    with pytest.raises(MissingPart, match=r"^There is no model here: fetch it\.$"):
        arena(*words, "--db", f"sqlite:///{benchmark}/a.db", "--engine", "ray", "--address", cluster.address)


def test_what_no_node_has_is_told_and_waited_for(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LONG", 0.1)
    settings = {"entities": "rules", "questions": "rules", "resources": {"rarity": 1}}
    answers = Queue[str]()

    async def ask() -> list[InquiryReport]:
        place = engine.Ray(cluster.address, answers.put)
        try:
            return await (await place.inquirer(settings)).inquire(["I have two dogs."], [Kind.WH])
        finally:
            await place.close()

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(asyncio.run, ask())
        assert re.search(r"Waiting for the inquirer: .* \(rarity: 1\)", answers.get(timeout=120))
        assert not asked.done()
        cluster.add_node(num_cpus=1, resources={"rarity": 1}, object_store_memory=10**8)
        assert [q.text for q in asked.result(timeout=120)[0].questions] == ["How many dogs do you have?"]
