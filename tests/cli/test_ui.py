"""arena ui: where it listens, and what it switches off."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.ui import bound, command, settings

PROXY = ("--behind-proxy", "--public-url", "https://arena.example.org")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What would be served; the server itself is started in the tests with a browser."""
    calls: list[dict[str, object]] = []
    monkeypatch.setattr(
        "arena.cli.ui.serve", lambda flags, _, admitted: calls.append(flags | {"admitted": admitted})
    )
    for name in ("ARENA_DB", "ARENA_UI_LAUNCH", "ARENA_UI_STATE", "ARENA_UI_TOKEN"):
        monkeypatch.setenv(name, "")
    return calls


def ui(*arguments: str) -> Exception | None:
    result = CliRunner().invoke(command, list(arguments))
    return result.exception if isinstance(result.exception, Exception) else None


def test_another_host_needs_a_proxy(served: list[dict[str, object]], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'a.db'}"
    refused = ui("--host", "0.0.0.0", "--db", db)
    assert refused is not None and "--behind-proxy" in str(refused)
    assert not served
    rebound = ui("--host", "0.0.0.0", "--behind-proxy", "--db", db)
    assert rebound is not None and "--public-url" in str(rebound)
    assert ui("--port", "0", "--host", "0.0.0.0", *PROXY, "--db", db) is None
    assert served[0]["server.address"] == "0.0.0.0"


@pytest.mark.parametrize(
    ("arguments", "launch"),
    [((), "1"), (PROXY, "0"), ((*PROXY, "--allow-launch"), "1")],
)
def test_launching_is_off_behind_a_proxy(
    arguments: tuple[str, ...], launch: str, served: list[dict[str, object]], tmp_path: Path
) -> None:
    import os

    assert ui("--port", "0", *arguments, "--db", f"sqlite:///{tmp_path / 'a.db'}") is None
    assert os.environ["ARENA_UI_LAUNCH"] == launch and len(served) == 1


def test_a_free_port(served: list[dict[str, object]], tmp_path: Path) -> None:
    assert ui("--port", "0", "--db", f"sqlite:///{tmp_path / 'a.db'}") is None
    assert int(str(served[0]["server.port"])) > 1024


def test_a_token_is_in_the_address_and_in_no_other_place(
    served: list[dict[str, object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = f"sqlite:///{tmp_path / 'a.db'}"
    output = [CliRunner().invoke(command, ["--port", "0", "--db", db]).stderr for _ in range(2)]
    tokens = [line.partition("?token=")[2].split()[0] for line in output]
    assert len(set(tokens)) == 2 and min(map(len, tokens)) >= 32
    assert [call["admitted"].token for call in served] == tokens  # type: ignore[attr-defined]
    monkeypatch.setenv("ARENA_UI_TOKEN", "mine")
    assert "?token=mine " in CliRunner().invoke(command, ["--port", "0", "--db", db]).stderr
    proxied = CliRunner().invoke(command, ["--port", "0", *PROXY, "--db", db])
    assert "token" not in proxied.stderr and served[-1]["admitted"].token is None  # type: ignore[attr-defined]


def test_a_port_that_is_taken_is_said_before_any_address(
    served: list[dict[str, object]], tmp_path: Path
) -> None:
    with bound("127.0.0.1", 0) as listening:
        port = str(listening.getsockname()[1])
        result = CliRunner().invoke(command, ["--port", port, "--db", f"sqlite:///{tmp_path / 'a.db'}"])
    assert "is taken" in str(result.exception) and "pages are at" not in result.output
    assert not served


def test_nothing_leaves_the_machine() -> None:
    chosen = settings("127.0.0.1", 1)
    assert chosen["server.headless"] is True  # no browser opens
    assert chosen["browser.gatherUsageStats"] is False
    assert chosen["server.enableCORS"] is True and chosen["server.enableXsrfProtection"] is True
    assert chosen["server.fileWatcherType"] == "none"
    assert chosen["client.showErrorLinks"] is False  # or an error's text goes to a search engine
    assert set(chosen["server.allowedHosts"]) == {"127.0.0.1", "localhost", "::1"}


def test_the_public_address(served: list[dict[str, object]], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'a.db'}"
    assert ui("--public-url", "https://arena.example.org/pages", "--db", db) is not None
    assert ui("--behind-proxy", "--public-url", "arena", "--db", db) is not None
    assert not served
    url = "https://arena.example.org/pages"
    assert ui("--port", "0", "--behind-proxy", "--public-url", url, "--db", db) is None
    assert served[0]["server.baseUrlPath"] == "pages"
    assert served[0]["server.corsAllowedOrigins"] == ["https://arena.example.org"]
