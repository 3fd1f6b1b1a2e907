"""Files of ParlAI models: where they belong, which archives are refused, which need trust."""

from __future__ import annotations

import asyncio
import io
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest

from tests.bots.local_server import Answer, Call, serve

pytest.importorskip("parlai", reason="ParlAI is not installed: pip install --no-deps parlai==1.7.2")

from arena.core.errors import InputError, MissingPart
from bots import parlai_compat, registry
from bots.base import ReplyRequest
from bots.parlai import adapter
from tests.bots.parlai_bots import ZOO, ask, bot_for, history


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of blender_90M, offline."""
    monkeypatch.setenv("PARLAI_DATAPATH", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path / "models" / "blender" / "blender_90M"


def fill(folder: Path, model: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("", ".opt", ".dict", ".dict.opt"):
        (folder / f"model{suffix}").write_bytes(Path(model + suffix).read_bytes())


def test_a_missing_zoo_model_says_at_once_what_to_put_where(zoo: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(MissingPart) as caught:
        bot_for(ZOO)
    assert time.monotonic() - begin < 10  # of which nearly all is the first import
    assert "https://parl.ai/downloads/_models/blender/BST0B.tgz" in str(caught.value)
    assert str(zoo / "BST0B.tgz") in str(caught.value)


async def test_a_zoo_model_plays_from_its_unpacked_files_whatever_built_says(zoo: Path, model: str) -> None:
    fill(zoo, model)
    (zoo / ".built").write_text("2020-01-01\nv0.1")
    bot = bot_for(ZOO)
    assert (await ask(bot, ReplyRequest("a", history("hello"), 1)))[0]
    await bot.close()
    assert (zoo / "model").exists()


async def test_a_zoo_model_plays_from_its_archive(zoo: Path, model: str) -> None:
    zoo.mkdir(parents=True)
    with tarfile.open(zoo / "BST0B.tgz", "w:gz") as archive:
        for suffix in ("", ".opt", ".dict"):
            archive.add(model + suffix, f"./model{suffix}")
    bot = bot_for(ZOO)
    assert (await ask(bot, ReplyRequest("a", history("hello"), 1)))[0]
    await bot.close()


def test_a_folder_of_another_version_is_never_deleted(zoo: Path) -> None:
    zoo.mkdir(parents=True)
    (zoo / ".built").write_text("2020-01-01\nv0.1")
    (zoo / "thesis.txt").write_text("years of work")
    with pytest.raises(MissingPart, match=r"\.built names another version"):
        bot_for(ZOO)
    assert (zoo / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("content", [b"no archive", None], ids=["damaged", "escaping"])
def test_bad_archives_are_refused(zoo: Path, content: bytes | None) -> None:
    zoo.mkdir(parents=True)
    if content is not None:
        (zoo / "BST0B.tgz").write_bytes(content)
    else:
        with tarfile.open(zoo / "BST0B.tgz", "w:gz") as archive:
            archive.addfile(tarfile.TarInfo("../../escaped"), io.BytesIO())
    with pytest.raises((MissingPart, InputError), match=r"damaged|outside"):
        bot_for(ZOO)
    assert not (zoo.parent.parent / "escaped").exists()


async def test_downloads_arrive_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)

    async def handle(call: Call) -> Answer | bytes:
        if call.path == "/half":
            return b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"
        return (200, {}, b"weights") if call.path == "/whole" else (404, {}, b"")

    async with serve(handle) as server:
        await asyncio.to_thread(parlai_compat.fetch, f"{server.url}/whole", tmp_path / "a" / "whole")
        for name in ("half", "none"):
            with pytest.raises(MissingPart, match=f"put it at {tmp_path / name}"):
                await asyncio.to_thread(parlai_compat.fetch, f"{server.url}/{name}", tmp_path / name)
    assert (tmp_path / "a" / "whole").read_bytes() == b"weights"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "repeat_qury"}, "repeat_query"),
        ({"model": "./no/such/model"}, "no model file"),
        ({"model": "zoo:blender/blender_99M/model"}, "blender_90M"),
        ({"model": "repeat_query", "options": {"bogus": 1}}, "bogus"),
        ({"model": "repeat_query", "options": {"model_file": "x"}}, "write it as `model`"),
        ({"model": "repeat_query", "memory": 2}, "memory"),
        ({"model": "repeat_query", "persona": "i ski"}, "persona"),
        ({"model": "repeat_query", "temperature": 1}, "temperature"),
    ],
)
def test_wrong_settings_name_the_cure(zoo: Path, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        registry.create(registry.spec("p", "parlai", settings))


def test_identity_is_the_files(model: str, tmp_path: Path) -> None:
    fill(tmp_path, model)
    moved = str(tmp_path / "model")
    assert adapter.revision({"model": model}) == adapter.revision({"model": moved})
    with (tmp_path / "model.opt").open("a") as file:
        file.write(" ")
    assert adapter.revision({"model": model}) != adapter.revision({"model": moved})
    assert registry.identity("parlai", {"model": model}) == registry.identity(
        "parlai", {"model": model, "device": "cpu"}
    )
    assert adapter.describe({"model": model})["agent"] == "transformer/generator"
