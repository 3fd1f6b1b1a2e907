"""The list of ParlAI agents that an untrusted model may name.

Their code was reviewed for the files that they open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.core.errors import InputError

# They read weights by torch, dictionaries and candidates as text, and nothing else.
ALLOWED = frozenset(
    {
        "bart",
        "fixed_response",
        "hugging_face",
        "image_seq2seq",
        "ir_baseline",
        "random_candidate",
        "repeat_label",
        "repeat_query",
        "seq2seq",
        "transformer",
        "unigram",
    }
)
PLAIN = "parlai.agents."
DICTIONARIES = ("parlai.core.dict:DictionaryAgent", "parlai.agents.hugging_face.dict:", "parlai.agents.bart.")
TELLING = ("model", "dict_class", "import", "parlai_home")  # options that name code


def check(options: Mapping[str, Any], model: str, trusted: bool) -> None:
    """Refuses agents that are not on the list, because a model's options may name any class on this machine."""
    if trusted:
        return
    for section in (options, options.get("override")):
        if isinstance(section, Mapping):
            for key in TELLING:
                _check(key, section.get(key), model)


def _check(key: str, name: Any, model: str) -> None:
    if name is None or name == "":
        return
    known = isinstance(name, str) and (_agent(name) if key == "model" else _other(key, name))
    if not known:
        raise InputError(
            f"The model {model} wants to run '{str(name)[:100]}' ({key}), which is not one of the ParlAI agents that "
            "are known to be harmless: set `trusted: true` for this bot if you trust its origin."
        )


def _agent(name: str) -> bool:
    if ":" not in name:
        return name.partition("/")[0] in ALLOWED
    return name.startswith(PLAIN) and name.removeprefix(PLAIN).partition(".")[0] in ALLOWED


def _other(key: str, name: str) -> bool:
    return key == "parlai_home" or (key == "dict_class" and name.startswith(DICTIONARIES))
