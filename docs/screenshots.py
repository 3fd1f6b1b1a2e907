"""Photographs every page for docs/webpages.md: python -m docs.screenshots sqlite:///arena.db.

The database needs two judged releases with findings. Needs Chromium, as the browser tests do.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from db import Repository, connect
from db.rows import finding
from tests.ui.browser import Browser, Server

FOLDER = Path(__file__).parent / "pictures"
SIZES = {"desk": "1440,900", "phone": "390,844"}
THEMES = ("light", "dark")
QUALITY = 60


def pages(
    board: str, talk: str, dialogue: str, finding: str, bot: str
) -> dict[str, tuple[str, dict[str, str]]]:
    """The pictures by name: a page and its address. `board` is a tournament with releases, `talk` one to read."""
    ranked, read = {"tournament": board}, {"tournament": talk}
    return {
        "leaderboard": ("leaderboard", ranked),
        "pairs": ("leaderboard", ranked | {"view": "Pairs"}),
        "bot": ("bot", read | {"bot": bot, "check": "history"}),
        "releases": ("releases", {}),
        "transcripts": ("transcripts", read | {"says": "contradicts"}),
        "dialogue": ("transcripts", read | {"dialogue": dialogue, "finding": finding}),
        "label": ("label", read | {"rater": "Ann"}),
        "label-messages": ("label", read | {"rater": "Ann", "form": "finding"}),
        "practice": ("label", read | {"rater": "Ann", "form": "finding", "practice": "1"}),
        "organiser": ("organiser", read),
        "chat": ("chat", read),
        "launch": ("launch", {}),
        "runs": ("launch", {"view": "Runs"}),
    }


def clearest(store: Repository) -> tuple[str, str, str, str]:
    """(tournament, dialogue, finding, bot) of the clearest contradiction between two messages."""
    return max(
        (verdict.judgement.contradiction, stored.id, record.key, finding(record.key, verdict), record.tested)
        for stored in store.tournaments()
        for record in store.records(stored.id)
        for verdict in record.message_verdicts
        if verdict.judgement.contradiction is not None and "message" in verdict.judgement.evidence
    )[1:]


def main(url: str) -> None:
    store = Repository(connect(url))
    shown = pages(store.tournaments()[0].id, *clearest(store))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(url, Path(folder))
        try:
            kinds = [(kind, size, theme) for kind, size in SIZES.items() for theme in THEMES]
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda one: photograph(server, shown, *one), kinds))
        finally:
            server.stop()


def photograph(
    server: Server, shown: dict[str, tuple[str, dict[str, str]]], kind: str, size: str, theme: str
) -> None:
    browser = Browser(size)
    try:
        features = [{"name": "prefers-color-scheme", "value": theme}]
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for name, (page, parameters) in shown.items():
            browser.open(server, page, **parameters)
            taken = browser.driver.execute_cdp_cmd(
                "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
            )
            file = FOLDER / f"web-{name}-{kind}-{theme}.webp"
            file.write_bytes(base64.b64decode(taken["data"]))
            print(f"{file.name}: {file.stat().st_size / 1000:.0f} KB")
    finally:
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
