"""Every page in both themes under axe-core: no violation of WCAG 2 A or AA."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest

from tests.ui.browser import Browser, Server, missing
from tests.ui.conftest import Played

pytestmark = pytest.mark.slow
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("leaderboard", {}),
    ("leaderboard", {"view": "Pairs"}),
    ("leaderboard", {"view": "Stability"}),
    ("leaderboard", {"view": "τ and distance"}),
    ("leaderboard", {"view": "Kinds and entities"}),
    ("bot", {"bot": "fickle"}),
    ("releases", {}),
    ("transcripts", {}),
    ("label", {}),
    ("label", {"rater": "Axe"}),
    ("label", {"rater": "Axe", "form": "finding"}),
    ("label", {"rater": "Axe", "form": "aih", "practice": "1"}),
    ("organiser", {}),
    ("chat", {}),
    ("launch", {}),
    ("launch", {"view": "Runs"}),
)
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {runOnly: ["wcag2a", "wcag2aa"]}).then((result) => done(
  result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`)
));
"""


@pytest.fixture(scope="module")
def server(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    started = Server(played.url, tmp_path_factory.mktemp("state"))
    yield started
    started.stop()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_violation_on_any_page(theme: str, server: Server, played: Played) -> None:
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser = Browser("1440,900")
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    violations: dict[str, list[str]] = {}
    try:
        reading = {"dialogue": next(record.key for record in played.store.records(played.first))}
        for page, parameters in (*PAGES, ("transcripts", reading)):
            browser.open(server, page, tournament=played.first, **parameters)
            browser.run(axe)
            if broken := browser.driver.execute_async_script(RUN):
                violations[f"{page} {parameters}"] = broken
    finally:
        browser.close()
    assert not violations
