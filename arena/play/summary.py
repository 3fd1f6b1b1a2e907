"""A run's summary, as `arena run --json` prints it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arena.play.options import Tally
from arena.stats import yields
from db.records import StoredTournament
from db.repository import Repository
from db.yields import sums


def summary(store: Repository, tournament: StoredTournament, tally: Tally) -> dict[str, Any]:
    """Return the summary. Dialogue counts cover the whole tournament; verdicts, replies and seconds cover this run
    only.
    """
    progress = store.progress(tournament.id)
    rate = tally.replies / tally.playing_seconds if tally.playing_seconds else 0.0
    return {
        "tournament": tournament.id,
        "release": tournament.release,
        "config_hash": tournament.config_hash,
        "dialogues": {
            "planned": progress.planned,
            "done": progress.done,
            "failed": progress.failed,
            "skipped": progress.planned - progress.done - progress.failed,
        },
        "inquiries": progress.inquiries,
        "verdicts": tally.verdicts,
        "seconds": round(tally.seconds, 3),
        "replies": tally.replies,
        "replies_per_second": round(rate, 2),
        "yield": asdict(yields.of(**asdict(sums(store, tournament.id)))),
        "failures": dict(progress.failures),
        "stopped": tally.stopped,
    }
