"""Conversions of GGUF files and loaded weights: verified at each load, made once, refused by name when damaged."""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import struct
import time
from pathlib import Path

import pytest

from arena.core.errors import BotRefused, MissingPart
from bots import hf_load
from bots.weights import gguf_header, manifest
from tests.bots import tiny_gguf
from tests.bots.test_hf import bot


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def loaded(path: Path) -> dict[str, bytes]:
    model = hf_load.load({"model": str(path)}, "cpu", "float32").model
    return {name: tensor.numpy().tobytes() for name, tensor in model.state_dict().items()}


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json", "manifest.json"])
@pytest.mark.parametrize("damage", ["zeros", "cut", "gone", "folder", "pipe", "link to nothing"])
def test_a_damaged_conversion_is_made_anew(
    gguf: Path, name: str, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Four megabytes of zeros in the middle once gave other replies under the same revision."""
    before = loaded(gguf)
    target = hf_load.converted(hf_load.locate(str(gguf))) / name
    content = target.read_bytes()
    half = len(content) // 2
    if damage in ("zeros", "cut"):
        target.write_bytes(content[:half] + (b"\0" * (len(content) - half) if damage == "zeros" else b""))
    else:
        target.unlink()
    if damage == "folder":
        target.mkdir()
    elif damage == "pipe":
        os.mkfifo(target)
    elif damage == "link to nothing":
        target.symlink_to("nothing")
    with caplog.at_level(logging.WARNING, "arena"):
        assert loaded(gguf) == before
    assert "converted again" in caplog.text and (name in caplog.text or "earlier" in caplog.text)
    caplog.clear()
    assert loaded(gguf) == before and not caplog.text


def test_a_file_that_nobody_converted_is_not_loaded(gguf: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = loaded(gguf)
    folder = hf_load.converted(hf_load.locate(str(gguf)))
    (folder / "adapter_config.json").write_text("{}")
    assert loaded(gguf) == before and "adapter_config.json" in caplog.text
    assert not (folder / "adapter_config.json").exists()


def test_a_conversion_of_another_file_is_not_taken_for_it(
    gguf: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Every hash in its manifest is right, and yet it is another model."""
    right = loaded(gguf)
    other = tiny_gguf.write(tmp_path / "other.gguf", template="{{ 'other' }}")
    swapped = hf_load.converted(hf_load.locate(str(other)))
    folder = hf_load.converted(hf_load.locate(str(gguf)))
    shutil.rmtree(folder)
    shutil.copytree(swapped, folder)
    assert loaded(gguf) == right and "it was made of another file" in caplog.text
    assert "other" not in (folder / "chat_template.jinja").read_text()


def test_a_folder_that_was_added_is_not_read(gguf: Path, caplog: pytest.LogCaptureFixture) -> None:
    """transformers looks for more templates in a folder of that name."""
    before = loaded(gguf)
    more = hf_load.converted(hf_load.locate(str(gguf))) / "additional_chat_templates"
    more.mkdir()
    (more / "default.jinja").write_text("{{ 'swapped' }}")
    assert loaded(gguf) == before and "additional_chat_templates is damaged" in caplog.text
    assert not more.exists()


@pytest.mark.parametrize("what", ["file", "link", "deep manifest"])
def test_what_lies_in_the_place_of_a_conversion_makes_way(gguf: Path, tmp_path: Path, what: str) -> None:
    before = loaded(gguf)
    folder = hf_load.converted(hf_load.locate(str(gguf)))
    if what == "deep manifest":
        (folder / "manifest.json").write_text("[" * 100_000)
    else:
        shutil.rmtree(folder)
        (tmp_path / "elsewhere").mkdir()
        folder.write_text("no") if what == "file" else folder.symlink_to(tmp_path / "elsewhere")
    assert loaded(gguf) == before
    assert folder.is_dir() and not folder.is_symlink() and not list((tmp_path).glob("elsewhere/*"))


def test_a_cache_that_cannot_be_written_is_one_sentence(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no folder").write_text("")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "no folder"))
    with pytest.raises(MissingPart, match=r"cannot be stored in .*no folder.*set ARENA_CACHE"):
        hf_load.converted(hf_load.locate(str(gguf)))


def test_a_broken_template_in_the_file_is_told_before_a_run(tmp_path: Path) -> None:
    path = tiny_gguf.write(tmp_path / "t.gguf", template="{% for m in %}")
    with pytest.raises(BotRefused, match=r"chat template of the model .* set `format: transcript`"):
        bot(path)


def test_weights_with_nan_are_refused_by_name(tmp_path: Path, cache: Path) -> None:
    path = tiny_gguf.write(tmp_path / "nan.gguf", broken=True)
    with pytest.raises(MissingPart, match=r"'nan.gguf' are not finite .*publisher"):
        hf_load.load({"model": str(path)}, "cpu", "float32")
    assert not [one for one in (cache / "converted").iterdir() if one.is_dir()]


HEADER = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"a"
ENDLESS = {
    "values": b"GGUF" + struct.pack("<IQQ", 3, 0, 2**62),
    "tensors": b"GGUF" + struct.pack("<IQQ", 3, 2**62, 0),
    "a text": HEADER + struct.pack("<IQ", 8, 2**62),
    "a list of numbers": HEADER + struct.pack("<IIQ", 9, 0, 2**62),
    "a list of texts": HEADER + struct.pack("<IIQ", 9, 8, 2**62),
    "a list of lists": HEADER + struct.pack("<IIQ", 9, 9, 2**62),
}


@pytest.mark.parametrize("promise", ENDLESS)
def test_a_header_that_promises_too_much_takes_no_time(tmp_path: Path, promise: str) -> None:
    """The libraries believe every count, and would read on for hours."""
    path = tmp_path / "broken.gguf"
    path.write_bytes(ENDLESS[promise] + b"\0" * 1000)
    began = time.process_time()
    with pytest.raises(gguf_header.BadHeader):
        gguf_header.check(path)
    assert time.process_time() - began < 1.0
    with pytest.raises(MissingPart, match=r"'broken.gguf' cannot be converted \(.*\): get it again"):
        hf_load.converted(hf_load.locate(str(path)))


def test_the_header_of_a_sound_file_passes(gguf: Path) -> None:
    gguf_header.check(gguf)


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF\3\0\0\0" + b"\xff" * 64, b"no such thing" * 50])
def test_a_broken_file_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(MissingPart, match=r"'broken.gguf' cannot be converted \(.*\): get it again"):
        hf_load.load({"model": str(path)}, "cpu", "float32")


def test_a_manifest_notices_every_change(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    assert manifest.damaged(tmp_path) == manifest.NAME
    manifest.write(tmp_path, {})
    assert manifest.damaged(tmp_path) is None
    (tmp_path / "c").write_text("3")
    assert manifest.damaged(tmp_path) == "c"
    (tmp_path / "c").unlink()
    (tmp_path / "b").write_text("3")
    assert manifest.damaged(tmp_path) == "b" and manifest.damaged(tmp_path, lambda name: name == "a") is None


def test_a_folders_revision_follows_its_bytes(folders: dict[str, Path], tmp_path: Path) -> None:
    def revision(folder: Path) -> str:
        return hf_load.weights_revision(hf_load.locate(str(folder)), None)

    copy = tmp_path / "copy"
    copy.mkdir()
    for file in folders["chat"].iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    assert revision(copy) == revision(folders["chat"]) != revision(folders["other"])
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    assert revision(copy) != revision(folders["chat"])


def test_pickled_weights_are_read_without_running_them(folders: dict[str, Path], tmp_path: Path) -> None:
    """A pickle that would run code is refused, and nothing of it runs."""
    import torch

    evil, proof = tmp_path / "evil", tmp_path / "proof"
    evil.mkdir()
    for file in folders["chat"].iterdir():
        if file.suffix != ".safetensors":
            (evil / file.name).write_bytes(file.read_bytes())

    class Payload:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(proof),)

    torch.save({"model.norm.weight": Payload()}, evil / "pytorch_model.bin")
    with pytest.raises(MissingPart):
        hf_load.load({"model": str(evil)}, "cpu", "float32")
    assert not proof.exists()


def _convert(cache: str, origin: Path, out: str) -> None:
    os.environ["ARENA_CACHE"] = cache
    Path(out).write_text(str(hf_load.converted(hf_load.locate(str(origin)))))


@pytest.mark.slow
def test_two_processes_convert_once(gguf: Path, tmp_path: Path, cache: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_convert, args=(str(cache), gguf, str(tmp_path / f"out{n}"))) for n in range(2)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(250)
    places = {(tmp_path / f"out{n}").read_text() for n in range(2)}
    assert len(places) == 1
    folder = Path(places.pop())
    assert (folder / "model.safetensors").is_file()
    assert not list(folder.parent.glob("draft-*"))
