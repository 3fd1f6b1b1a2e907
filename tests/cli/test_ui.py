"""arena ui: where it listens, and what it switches off."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.ui import command, free_port, settings


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What would be served; the server itself is started in the tests with a browser."""
    calls: list[dict[str, object]] = []
    monkeypatch.setattr("arena.cli.ui.serve", calls.append)
    for name in ("ARENA_DB", "ARENA_UI_LAUNCH", "ARENA_UI_STATE"):
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
    assert ui("--host", "0.0.0.0", "--behind-proxy", "--db", db) is None
    assert served[0]["server.address"] == "0.0.0.0"


@pytest.mark.parametrize(
    ("arguments", "launch"),
    [((), "1"), (("--behind-proxy",), "0"), (("--behind-proxy", "--allow-launch"), "1")],
)
def test_launching_is_off_behind_a_proxy(
    arguments: tuple[str, ...], launch: str, served: list[dict[str, object]], tmp_path: Path
) -> None:
    import os

    assert ui(*arguments, "--db", f"sqlite:///{tmp_path / 'a.db'}") is None
    assert os.environ["ARENA_UI_LAUNCH"] == launch and len(served) == 1


def test_a_free_port(served: list[dict[str, object]], tmp_path: Path) -> None:
    assert ui("--port", "0", "--db", f"sqlite:///{tmp_path / 'a.db'}") is None
    assert int(str(served[0]["server.port"])) > 1024
    assert free_port("127.0.0.1") != 0


def test_nothing_leaves_the_machine() -> None:
    chosen = settings("127.0.0.1", 1, behind_proxy=False)
    assert chosen["server.headless"] is True  # no browser opens
    assert chosen["browser.gatherUsageStats"] is False
    assert chosen["server.enableCORS"] is True and chosen["server.enableXsrfProtection"] is True
    assert chosen["server.fileWatcherType"] == "none"
    assert chosen["client.showErrorLinks"] is False  # or an error's text goes to a search engine
    assert set(chosen["server.allowedHosts"]) == {"127.0.0.1", "localhost", "::1"}
    assert "server.allowedHosts" not in settings("127.0.0.1", 1, behind_proxy=True)


def test_the_public_address(served: list[dict[str, object]], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'a.db'}"
    assert ui("--public-url", "https://arena.example.org/pages", "--db", db) is not None
    assert ui("--behind-proxy", "--public-url", "arena", "--db", db) is not None
    assert not served
    assert ui("--behind-proxy", "--public-url", "https://arena.example.org/pages", "--db", db) is None
    assert served[0]["server.baseUrlPath"] == "pages"
    assert served[0]["server.corsAllowedOrigins"] == ["https://arena.example.org"]
