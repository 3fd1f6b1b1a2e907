"""arena.inquire: the questions that would be asked about an utterance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.api import display
from arena.api.sync import finish
from arena.core.errors import InputError
from arena.core.types import InquiryReport, Kind
from arena.engines.local import Local
from arena.report.inquiries import document

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class Inquiries:
    """The questions about each utterance, and the reasons for refusing others: `.frame`, `.refused`, `.documents`."""

    documents: Sequence[Mapping[str, Any]]  # one per utterance, as `arena inquire --json` prints them

    @property
    def frame(self) -> DataFrame:
        """A data frame with one row per question."""
        from pandas import DataFrame

        return DataFrame(
            {"utterance": one["utterance"], **question}
            for one in self.documents
            for question in one["questions"]
        )

    @property
    def refused(self) -> list[dict[str, int]]:
        """For each utterance, the number of refused questions by reason."""
        return [dict(one["refused"]) for one in self.documents]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        lines = []
        for one in self.documents:
            lines.append(one["utterance"])
            lines += [f"  {question['question']}" for question in one["questions"]]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [
            (one["utterance"], question["question"], question["kind"])
            for one in self.documents
            for question in one["questions"]
        ]
        return display.table("Inquiries", ("utterance", "question", "kind"), rows)


def inquire(
    utterances: str | Sequence[str],
    *,
    kinds: Sequence[str] = ("wh",),
    **settings: Any,
) -> Inquiries:
    """Return the questions that the inquirer would ask about each utterance.

    `settings` are the keys of a tournament file's `inquirer`: entities, questions, round_trip, top,
    min_score.
    """
    texts = [utterances] if isinstance(utterances, str) else list(utterances)
    known = [kind.value for kind in Kind]
    wrong = next((kind for kind in kinds if kind not in known), None)
    if wrong is not None:
        raise InputError(f"There is no kind '{wrong}': the kinds are {', '.join(known)}.")

    async def ask() -> list[InquiryReport]:
        inquirer = await Local().inquirer(settings)
        try:
            return await inquirer.inquire(texts, [Kind(kind) for kind in kinds])
        finally:
            await inquirer.close()

    return Inquiries([document(report) for report in finish(ask)])
