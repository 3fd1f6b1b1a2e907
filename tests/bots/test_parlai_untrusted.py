"""ParlAI models that nobody trusts: what their files may name, and what they may hold."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("parlai", reason="ParlAI is not installed: pip install --no-deps parlai==1.7.2")

from arena.core.errors import InputError, MissingPart
from bots import parlai_agents, registry
from bots.base import Line, ReplyRequest, RunOptions
from tests.bots.test_parlai import NUCLEUS, asking
from tests.bots.test_parlai_files import fill


def bot_for(model: str, **settings: Any) -> Any:
    return registry.create(registry.spec("p", "parlai", {"model": model, **settings}), RunOptions())


class Bomb:
    """What a hostile file does when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


@pytest.mark.slow
async def test_it_says_what_a_trusted_one_says(model: str) -> None:
    requests = [asking(n, fork=n % 3 == 0) for n in range(12)]
    apart, here = bot_for(model, decoding=NUCLEUS), bot_for(model, decoding=NUCLEUS, trusted=True)
    assert await apart.reply(requests) == await here.reply(requests)
    for bot in (apart, here):
        await bot.close()


def test_a_pickle_runs_only_if_the_user_trusts_it(model: str, tmp_path: Path) -> None:
    import torch

    fired = tmp_path / "fired"
    fill(tmp_path, model)
    torch.save({"model": Bomb(fired)}, tmp_path / "model")
    with pytest.raises(InputError, match="trusted: true"):
        bot_for(str(tmp_path / "model"))
    assert not fired.exists()
    with pytest.raises(MissingPart):  # trusted, it runs, and is no model
        bot_for(str(tmp_path / "model"), trusted=True)
    assert fired.exists()


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["cut", "empty", "text"])
def test_a_damaged_file_is_named(model: str, tmp_path: Path, damage: str) -> None:
    fill(tmp_path, model)
    raw = (tmp_path / "model").read_bytes()
    content = {"cut": raw[: len(raw) // 2], "empty": b"", "text": b"hello world"}[damage]
    (tmp_path / "model").write_bytes(content)
    with pytest.raises((InputError, MissingPart)) as caught:
        bot_for(str(tmp_path / "model"))
    assert "weights_only=False" not in str(caught.value)
    assert str(tmp_path / "model") in str(caught.value)


def test_a_truncated_pickle_gives_no_bad_advice(model: str, tmp_path: Path) -> None:
    fill(tmp_path, model)
    (tmp_path / "model").write_bytes(pickle.dumps({"model": [1] * 1000}, protocol=2)[:40])
    with pytest.raises(InputError, match="damaged") as caught:
        bot_for(str(tmp_path / "model"))
    assert "weights_only" not in str(caught.value)


def test_pickled_options_need_trust(model: str, tmp_path: Path) -> None:
    fired = tmp_path / "fired"
    fill(tmp_path, model)
    (tmp_path / "model.opt").write_bytes(pickle.dumps(Bomb(fired)))
    with pytest.raises(InputError, match="trusted: true"):
        bot_for(str(tmp_path / "model"))
    assert not fired.exists()


AGENTS = [
    "antigravity:Agent",
    "tfidf_retriever",
    "parlai.agents.tfidf_retriever.tfidf_retriever:TfidfRetrieverAgent",
    "parlai.core.tod.tod_agents:StandaloneApiAgent",
    "parlai.core.tod.tod_test_utils.test_agents:ApiCallAndSysUttAgent",
    "rag",
    "starspace",
    "internal:x",
    "projects.safety_recipes.x:Y",
    "local_human",
    "legacy:seq2seq:0",
    ["tfidf_retriever"],
]


@pytest.mark.parametrize("agent", AGENTS, ids=str)
@pytest.mark.parametrize("where", ["model", "override"])
def test_only_agents_known_to_be_harmless_run(model: str, tmp_path: Path, agent: Any, where: str) -> None:
    fill(tmp_path, model)
    options = json.loads(Path(model + ".opt").read_text())
    options |= {"model": agent} if where == "model" else {"override": {"model": agent}}
    (tmp_path / "model.opt").write_text(json.dumps(options))
    with pytest.raises(InputError, match="known to be harmless"):
        bot_for(str(tmp_path / "model"))


def test_a_dictionary_class_is_code_too(model: str, tmp_path: Path) -> None:
    fill(tmp_path, model)
    options = json.loads(Path(model + ".opt").read_text()) | {"dict_class": "antigravity:Dictionary"}
    (tmp_path / "model.opt").write_text(json.dumps(options))
    with pytest.raises(InputError, match="dict_class"):
        bot_for(str(tmp_path / "model"))


def test_harmless_agents_by_either_name() -> None:
    for agent in (
        "transformer/generator",
        "parlai.agents.transformer.transformer:TransformerGeneratorAgent",
        "repeat_query",
        "hugging_face/gpt2",
    ):
        parlai_agents.check({"model": agent, "override": {"model": agent}}, "m", trusted=False)


def hostile(folder: Path, agent: str, fired: Path) -> str:
    """A model that makes ParlAI read a pickle: TF-IDF's matrix, or an interface's memory."""
    import numpy

    (folder / "model").write_bytes(b"")
    options = {"model": agent, "model_file": str(folder / "model"), "tfidf_context_length": -1}
    (folder / "model.opt").write_text(json.dumps(options))
    box = numpy.empty(1, dtype=object)
    box[0] = Bomb(fired)
    with (folder / "model.tfidf.npz").open("wb") as file:
        numpy.savez(file, data=box, indices=box, indptr=box, shape=box, metadata=box)
    with (folder / "model.pickle").open("wb") as file:
        pickle.dump(Bomb(fired), file)
    return str(folder / "model")


@pytest.mark.parametrize("agent", ["tfidf_retriever", "parlai.core.tod.tod_agents:StandaloneApiAgent"])
async def test_what_ran_code_before(tmp_path: Path, agent: str) -> None:
    fired = tmp_path / "fired"
    with pytest.raises(InputError, match="trusted: true"):
        bot_for(hostile(tmp_path, agent, fired))
    assert not fired.exists()


@pytest.mark.parametrize("agent", ["tfidf_retriever", "parlai.core.tod.tod_agents:StandaloneApiAgent"])
@pytest.mark.slow
def test_the_process_holds_where_the_list_does_not(
    tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with a list that forgot the agent: no pickle is read in the process."""
    fired = tmp_path / "fired"
    start = "from bots import parlai_agents, sandbox; parlai_agents.check = lambda *_: None; sandbox.main()"
    real = subprocess.Popen

    def popen(command: list[str], **more: Any) -> Any:
        return real([command[0], "-c", start], **more)

    monkeypatch.setattr(subprocess, "Popen", popen)
    monkeypatch.setattr(parlai_agents, "check", lambda *_: None)
    file = hostile(tmp_path, agent, fired)
    with pytest.raises((InputError, MissingPart)) as caught:
        bot_for(file, options={"standalone_api_file": file} if "tod" in agent else {})
    assert "pickle" in str(caught.value), str(caught.value)
    assert not fired.exists()


async def test_what_a_trusted_one_would_have_done(tmp_path: Path) -> None:
    """So that the bombs above are seen to be live."""
    fired = tmp_path / "fired"
    file = hostile(tmp_path, "parlai.core.tod.tod_agents:StandaloneApiAgent", fired)
    bot = bot_for(file, options={"standalone_api_file": file}, trusted=True)
    await bot.reply([ReplyRequest("d", (Line("hi", mine=False),), 1)])
    await bot.close()
    assert fired.exists()
