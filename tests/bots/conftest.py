"""Models that several files of tests talk with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots import tiny, tiny_gguf


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One tiny model of each kind, and a second chat model that answers otherwise."""
    root = tmp_path_factory.mktemp("models")
    return {
        "chat": tiny.llama(root / "chat", 1),
        "other": tiny.llama(root / "other", 2),
        "dialogpt": tiny.gpt2(root / "dialogpt"),
        "sliding": tiny.gemma3(root / "sliding"),
        "blender": tiny.blenderbot(root / "blender"),
    }


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ParlAI agent that was trained here."""
    from tests.bots.parlai_training import train

    return str(train(tmp_path_factory.mktemp("parlai")))


@pytest.fixture(scope="session")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_gguf.write(tmp_path_factory.mktemp("gguf") / "tiny.gguf")
