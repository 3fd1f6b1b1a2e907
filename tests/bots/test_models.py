from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from arena.core.errors import InputError, MissingPart
from bots import hf_load, models


def test_the_cache_folder_is_the_users_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "mine"))
    assert models.cache_folder() == tmp_path / "mine"
    monkeypatch.delenv("ARENA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert models.cache_folder() == tmp_path / "xdg" / "consistency-arena"


def test_unknown_and_absent_models_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="smollm2-135m"):
        models.need_gguf("smolm2-135m")
    with pytest.raises(MissingPart, match="arena models fetch gemma3-270m"):
        models.need_gguf("gemma3-270m")


def test_a_damaged_file_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    model = models.embedded("gemma3-270m")
    path = tmp_path / "models" / model.name / f"{model.sha256[:16]}.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF, but not really")
    with pytest.raises(MissingPart, match="damaged"):
        hf_load.converted(hf_load.locate("embedded:gemma3-270m"))


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


def _convert(cache: str, out: str) -> None:
    os.environ["ARENA_CACHE"] = cache
    Path(out).write_text(str(hf_load.converted(hf_load.locate("embedded:smollm2-135m"))))


@pytest.mark.slow
def test_two_processes_convert_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    cache = str(tmp_path / "cache")
    workers = [context.Process(target=_convert, args=(cache, str(tmp_path / f"out{n}"))) for n in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(250)
    places = {(tmp_path / f"out{n}").read_text() for n in range(2)}
    assert len(places) == 1
    folder = Path(places.pop())
    assert (folder / "model.safetensors").is_file()
    assert not list(folder.parent.glob("draft-*"))
