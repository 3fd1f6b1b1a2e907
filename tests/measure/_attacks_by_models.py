"""Attacks by the files of a hostile or damaged model."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

from tests.bots import tiny, tiny_gguf
from tests.bots.parlai_training import train
from tests.measure._attacked import PLAIN, Attacked

BOT = "bots: [{name: steady, adapter: scripted}]"


class _Bomb:
    """What a hostile file does when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


def _hostile(at: Attacked, agent: str) -> bool:
    import numpy

    fired, model = at.folder / "fired", at.folder / "model"
    model.write_bytes(b"")
    own = {"model": agent, "model_file": str(model), "standalone_api_file": str(model)}
    (at.folder / "model.opt").write_text(json.dumps(own))
    box = numpy.empty(1, dtype=object)
    box[0] = _Bomb(fired)
    with (at.folder / "model.tfidf.npz").open("wb") as file:
        numpy.savez(file, data=box, indices=box, indptr=box, shape=box, metadata=box)
    with (at.folder / "model.pickle").open("wb") as file:
        pickle.dump(_Bomb(fired), file)
    bots = f"bots: [{{name: p, adapter: parlai, model: '{model}'}}]"
    at.play(PLAIN.replace("bots: [{name: steady, adapter: scripted}]", bots))
    return fired.exists()


def h1_tfidf_retriever_reads_a_pickle(at: Attacked) -> bool:
    return _hostile(at, "tfidf_retriever")


def h1_a_standalone_agent_reads_a_pickle(at: Attacked) -> bool:
    return _hostile(at, "parlai.core.tod.tod_agents:StandaloneApiAgent")


LOAD = """
import hashlib, sys
from bots import hf_load, registry
settings = {"model": sys.argv[1]}
identity = registry.spec("p", "hf", settings).identity
state = hf_load.load(settings, "cpu", "float32").model.state_dict()
print(identity, hashlib.sha256(b"".join(state[name].numpy().tobytes() for name in sorted(state))).hexdigest())
"""


def _played(at: Attacked, model: Path) -> str:
    done = at.play(PLAIN.replace(BOT, f"bots: [{{name: g, adapter: hf, model: '{model}'}}]"))
    return done.stdout + done.stderr


def m2_zeros_in_converted_weights(at: Attacked) -> bool:
    """The same identity, and other weights."""
    model = str(tiny_gguf.write(at.folder / "model.gguf"))
    before = at.script(LOAD, model)
    assert before.returncode == 0, before.stderr
    [target] = (at.folder / "cache").rglob("model.safetensors")
    content = target.read_bytes()
    target.write_bytes(content[: len(content) // 2] + bytes(len(content) - len(content) // 2))
    after = at.script(LOAD, model)
    return after.returncode == 0 and after.stdout != before.stdout


def m2_nan_stays_in_the_cache(at: Attacked) -> bool:
    shown = _played(at, tiny_gguf.write(at.folder / "model.gguf", broken=True))
    return bool([*(at.folder / "cache").rglob("*.safetensors")]) or "not finite" not in " ".join(
        shown.split()
    )


def low_a_broken_gguf_is_unexpected(at: Attacked) -> bool:
    (at.folder / "model.gguf").write_bytes(b"GGUF" + b"\x01" * 2000)
    return "unexpected" in _played(at, at.folder / "model.gguf").lower()


def low_a_pickle_that_is_cut_gives_bad_advice(at: Attacked) -> bool:
    model = train(at.folder)
    model.write_bytes(pickle.dumps({"model": [1] * 1000})[:40])
    done = at.play(PLAIN.replace(BOT, f"bots: [{{name: p, adapter: parlai, model: '{model}'}}]"))
    return "weights_only" in done.stdout + done.stderr


def low_a_hostile_template_is_unexpected(at: Attacked) -> bool:
    model = tiny.llama(at.folder / "m", 1)
    for file in model.glob("chat_template*"):
        file.unlink()
    config = model / "tokenizer_config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "chat_template": "{{ 1 / 0 }}"}))
    text = PLAIN.replace(BOT, f"bots: [{{name: g, adapter: hf, model: '{model}'}}]")
    done = at.run("bots", "try", "g", "--file", at.write("t.yaml", text))
    return "unexpected" in (done.stdout + done.stderr).lower()
