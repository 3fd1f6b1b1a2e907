"""A stored tournament and its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.api import display, rows
from arena.api.boards import Agreement, Leaderboard, Stability
from arena.api.store import opened
from arena.stats.counts import HEADLINE, Kinds

if TYPE_CHECKING:
    from pandas import DataFrame

    from arena.core.types import Check
    from arena.play.options import Tally
    from arena.results.view import View
    from db.records import Record, StoredTournament
    from db.repository import Repository


def open(tournament: str, *, db: str | Repository | None = None) -> Result:
    """Open a stored tournament by id, unique prefix of an id, or release tag."""
    store = opened(db)
    return Result(store, store.find(tournament))


class Result:
    """The dialogues, verdicts and labels of one tournament, read from the database at each call."""

    def __init__(self, store: Repository, stored: StoredTournament, tally: Tally | None = None) -> None:
        self._store = store
        self._stored = stored
        self._tally = tally

    @property
    def id(self) -> str:
        return self._stored.id

    @property
    def release(self) -> str:
        return self._stored.release

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration with every default written out."""
        return self._stored.config

    @property
    def summary(self) -> dict[str, Any]:
        """The document that `arena run --json` prints; its verdicts, replies and seconds cover this run only."""
        from arena.play.options import Tally
        from arena.play.summary import summary

        return summary(self._store, self._stored, self._tally or Tally())

    # ── statistics ────────────────────────────────────────────────────────────────────────────

    def leaderboard(
        self,
        judge: str | None = None,
        tau: float | None = None,
        *,
        kind: Kinds = HEADLINE,
        distance: int | None = 0,
        check: str = "inquiry",
        weighting: str = "macro",
        intervals: str | None = None,
    ) -> Leaderboard:
        """Return ranks and rates as `arena leaderboard` does; None for `kind` or `distance` includes all values."""
        from arena.core.types import Check
        from arena.report import board as boards
        from arena.report import plots
        from arena.results.checks import view_of
        from arena.stats.intervals import Method, Weighting
        from arena.stats.leaderboard import leaderboard

        chosen = _check(check)
        seen = view_of(self._store, self._stored, chosen, judge, tau)
        of_inquiries = chosen is Check.INQUIRY  # messages have neither kinds nor distances
        board = leaderboard(
            seen.inquiries,
            seen.judge.tau,
            kind=kind if of_inquiries else None,
            distance=distance if of_inquiries else None,
            method=None if intervals is None else Method(intervals),
            weighting=Weighting(weighting),
        )
        return Leaderboard(boards.document(self._store, seen, board), lambda: plots.ranks_plot(board))

    def stability(
        self,
        judge: str | None = None,
        tau: float | None = None,
        *,
        kind: Kinds = HEADLINE,
        distance: int | None = 0,
        rounds: int = 1000,
        seed: int = 0,
    ) -> Stability:
        """Return how many dialogues per pair a stable ranking needs."""
        from arena.report import documents, plots
        from arena.results.view import counts
        from arena.stats.stability import neighbours, stability

        counted = counts(self._view(judge, tau), kind=kind, distance=distance)
        result = stability(counted, None, rounds=rounds, seed=seed)
        document = documents.stability(result, neighbours(counted))
        return Stability(document, lambda: plots.stability_plot(result))

    def agreement(
        self, question: str | None = None, *, schema: str | None = None, check: str | None = None
    ) -> Agreement:
        """Return the agreement between people and judges.

        With `check`, the agreement is about the findings of `history`, `persona` or `knowledge`.
        """
        from arena.labelling import own
        from arena.labelling.schemas import schema as schema_of
        from arena.report.agreement import document
        from arena.results.agreement import compute

        form = schema_of(schema or ("finding" if check else "aih"), own.schemas(self._store))
        only = _check(check) if check else None
        return Agreement(document(self.id, compute(self._store, self._stored, question, form, only), None))

    def _view(self, judge: str | None, tau: float | None) -> View:
        from arena.results.view import view

        return view(self._store, self._stored, judge, tau)

    # ── judging and files ─────────────────────────────────────────────────────────────────────

    def judge(self, *judges: str | Mapping[str, Any]) -> DataFrame:
        """Judge the stored inquiries again with the named judges, by default those of the tournament.

        Returns one row per judge.
        """
        from pandas import DataFrame

        from arena.api.sync import finish
        from arena.engines.local import Local
        from arena.judging.stored import wanted_judges
        from arena.play.paid_judging import paid_judging

        specs = wanted_judges(self._stored, judges)
        return DataFrame(finish(lambda: paid_judging(self._store, self._stored, specs, Local()))).set_index(
            "judge"
        )

    def export(self, path: str | Path, format: str = "jsonl", *, raw: bool = False) -> None:
        """Write the tournament to a file: jsonl, csv, parquet or html."""
        from arena.report.export import export

        export(self._store, self._stored, Path(path), format, raw=raw)

    # ── data frames ───────────────────────────────────────────────────────────────────────────

    def dialogues(self) -> DataFrame:
        """A data frame with one row per dialogue, including dialogues that failed or are still to be played."""
        return self._rows(rows.dialogue)

    def messages(self) -> DataFrame:
        """A data frame with one row per message."""
        return self._rows(rows.messages)

    def findings(self, check: str | None = None) -> DataFrame:
        """A data frame with one row per finding, of one check or of all checks.

        A finding is what was asked or compared, with the answer.
        """
        only = _check(check) if check else None
        frame = self._rows(rows.findings)
        return frame if only is None or frame.empty else frame[frame["check"] == only].reset_index(drop=True)

    def verdicts(self, judge: str | None = None) -> DataFrame:
        """A data frame with one row per finding and judge.

        `contradicts` is true if the score is above the judge's own τ.
        """
        frame = self._rows(rows.verdicts)
        if not frame.empty:
            frame["contradicts"] = frame["contradicts"].astype("boolean")  # where no judge answered: NA
        return (
            frame if judge is None or frame.empty else frame[frame["judge"] == judge].reset_index(drop=True)
        )

    def labels(self) -> DataFrame:
        """A data frame with one row per label, and one column per answer."""
        return self._rows(rows.labels)

    def _rows(self, of: Callable[[Record], Iterator[dict[str, Any]]]) -> DataFrame:
        from pandas import DataFrame

        return DataFrame(chain.from_iterable(of(record) for record in self._store.records(self.id)))

    # ── showing ───────────────────────────────────────────────────────────────────────────────

    def __repr__(self) -> str:
        done = self.summary["dialogues"]
        return f"<arena.Result {self.release} ({self.id}): {done['done']} of {done['planned']} dialogues>"

    def _repr_html_(self) -> str:
        facts = self.summary
        done = facts["dialogues"]
        rows = [
            ("dialogues", f"{done['done']} of {done['planned']}"),
            ("failed", done["failed"]),
            ("inquiries", facts["inquiries"]),
            ("judges", ", ".join(sorted({judge.name for judge in self._store.judges(self.id)})) or "–"),
        ]
        return display.table(f"{self.release} ({self.id})", ("", ""), rows)


def _check(name: str) -> Check:
    from arena.core import plugins
    from arena.core.errors import InputError
    from arena.core.types import Check

    known = [check.value for check in Check]
    if name not in known:
        raise InputError(plugins.unknown("check", name, known))
    return Check(name)
