"""Broken and hostile model files: one plain sentence each, and nothing of them runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.core.errors import BotRefused, MissingPart
from bots import hf_load
from bots.base import Line, ReplyRequest
from tests.bots import tiny
from tests.bots.test_hf import bot


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny.llama(tmp_path / "m", 1)


@pytest.mark.parametrize(
    "content", [b"", b"junk" * 100, b"PK\3\4" + b"\0" * 90, b"\x80\x04cos\nsystem\n(S'echo ran'\ntR."]
)
def test_broken_pickles(model: Path, content: bytes) -> None:
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").write_bytes(content)
    with pytest.raises(
        MissingPart, match=r"damaged, or hold more than weights \(get them as safetensors\)"
    ) as e:
        hf_load.load({"model": str(model)}, "cpu", "float32")
    assert "weights_only" not in str(e.value)


@pytest.mark.parametrize("content", [b"", b"\xff" * 16, b"\x08\0\0\0\0\0\0\0not json"])
def test_broken_safetensors(model: Path, content: bytes) -> None:
    (model / "model.safetensors").write_bytes(content)
    with pytest.raises(MissingPart, match=r"cannot be loaded: .*check the name and the files"):
        hf_load.load({"model": str(model)}, "cpu", "float32")


def set_template(model: Path, template: str) -> None:
    for file in model.glob("chat_template*"):
        file.unlink()
    config = model / "tokenizer_config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "chat_template": template}))


@pytest.mark.parametrize(
    "template",
    [
        "{{ raise_exception('no') }}",
        "{{ messages.__class__.__mro__ }}{{ ''.__class__.__subclasses__() }}",
        "{% for m in %}",
        "{{ 1 / 0 }}",
        "{{ 'a' * 3000000 }}",
    ],
)
def test_a_template_that_always_fails_is_told_before_a_run(model: Path, template: str) -> None:
    set_template(model, template)
    with pytest.raises(BotRefused, match=r"chat template of the model .* set `format: transcript`"):
        bot(model)


async def test_a_template_that_fails_later_is_the_reason_of_that_reply(model: Path) -> None:
    set_template(
        model,
        "{% for m in messages %}{% if 'x' in m['content'] %}{{ 1 / 0 }}{% endif %}{{ m['content'] }}{% endfor %}",
    )
    loaded = bot(model)
    good, bad = await loaded.reply(
        [ReplyRequest("a", (Line("hello", False),), 0), ReplyRequest("b", (Line("x", False),), 0)]
    )
    await loaded.close()
    assert good.error is None and bad.error is not None
    assert isinstance(bad.error, BotRefused) and bad.error.reason == "template"
