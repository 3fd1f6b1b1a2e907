"""The inquirer runs extractor, writers and filters in sequence, and counts everything that was not asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.hashing import digest
from arena.core.types import Entity, InquiryReport, Kind, Question
from bots.accounts import UsesBots
from bots.base import RunOptions
from inquirer.base import Calibrated, Closes, Extractor, FillsGaps, Reader, Task, Writer
from inquirer.filters import AGREEMENT, overlap, well_formed
from inquirer.language.sentences import statements

REVISION = "5"


def combined_revision(extractor: str, writers: Sequence[str], reader: str, top: int, min_score: float) -> str:
    """Returns the inquirer's revision, made from its parts' revisions. Without a reader, `reader` is empty."""
    return digest(REVISION, extractor, list(writers), reader, top, min_score)[:16]


@dataclass(frozen=True)
class Inquirer:
    """Finds what to ask about an utterance and asks about it."""

    extractor: Extractor
    writers: Sequence[Writer]
    reader: Reader | None = None
    top: int = 1  # questions per entity and kind
    min_score: float = 0.0  # for questions that the grammar wrote

    @property
    def revision(self) -> str:
        """A string that changes whenever the questions might change."""
        reader = self.reader.revision if self.reader else ""
        writers = [writer.revision for writer in self.writers]
        return combined_revision(self.extractor.revision, writers, reader, self.top, self.min_score)

    def use(self, run: RunOptions) -> None:
        """Passes on the run's options, which writers need to create the bots that they ask."""
        for writer in self.writers:
            if isinstance(writer, UsesBots):
                writer.use(run)

    async def close(self) -> None:
        """Closes the parts that hold resources."""
        for part in (self.extractor, *self.writers, self.reader):
            if isinstance(part, Closes):
                await part.close()

    async def inquire(self, utterances: Sequence[str], kinds: Sequence[Kind]) -> list[InquiryReport]:
        """Returns one report per utterance, in order."""
        reasons: list[Counter[str]] = [Counter() for _ in utterances]
        by_utterance = await self._entities(utterances, reasons)
        asked = [i for i, entities in enumerate(by_utterance) if entities]
        questions: list[list[Question]] = [[] for _ in utterances]
        for writer in self.writers:
            gaps_only, calibrated = _fills_gaps(writer), _is_calibrated(writer)
            reads = [i for i in asked if not (gaps_only and any(map(_is_well_formed, questions[i])))]
            tasks = [Task(utterances[i], by_utterance[i], tuple(kinds)) for i in reads]
            for i, written in zip(reads, await writer.write(tasks) if tasks else (), strict=True):
                questions[i] += self._likely(written, reasons[i]) if calibrated else written
        for i in asked:
            questions[i] = self._formed(questions[i], reasons[i])
        if self.reader is not None:
            self._round_trip(self.reader, utterances, questions, reasons)
        for i in asked:
            questions[i] = self._best(questions[i])
            spoken = {(q.entity.start, q.entity.end) for q in questions[i]}
            silent = {(e.start, e.end) for e in by_utterance[i]} - spoken
            if silent:
                reasons[i]["no_question"] += len(silent)
        return [
            InquiryReport(text, by_utterance[i], tuple(questions[i]), dict(reasons[i]))
            for i, text in enumerate(utterances)
        ]

    async def _entities(
        self, utterances: Sequence[str], reasons: Sequence[Counter[str]]
    ) -> list[tuple[Entity, ...]]:
        """Returns the entities of each utterance, or the reason why it has none."""
        refused = [unaskable(text) for text in utterances]
        asked = [text for text, reason in zip(utterances, refused, strict=True) if reason is None]
        waiting = iter(await self.extractor.extract(asked))
        result = [tuple(next(waiting)) if reason is None else () for reason in refused]
        for counts, reason, entities in zip(reasons, refused, result, strict=True):
            if reason or not entities:
                counts[reason or "no_entity"] += 1
        return result

    def _formed(self, questions: Sequence[Question], reasons: Counter[str]) -> list[Question]:
        wrong = [well_formed(question) for question in questions]
        reasons.update(reason for reason in wrong if reason)
        return [question for question, reason in zip(questions, wrong, strict=True) if not reason]

    def _likely(self, questions: Sequence[Question], reasons: Counter[str]) -> list[Question]:
        """Keeps the questions that a person would probably ask, and malformed ones, which `_formed` counts."""
        kept = [q for q in questions if q.score >= self.min_score or well_formed(q)]
        if len(kept) < len(questions):
            reasons["low_score"] += len(questions) - len(kept)
        return kept

    @staticmethod
    def _round_trip(
        reader: Reader,
        utterances: Sequence[str],
        questions: list[list[Question]],
        reasons: list[Counter[str]],
    ) -> None:
        """Keeps the questions that the reader answers with the right entity."""
        read = (Kind.WH, Kind.ASK_TWICE, Kind.PARAPHRASE)
        places = [(i, q) for i, written in enumerate(questions) for q in written if q.kind in read]
        if not places:
            return
        spans = reader.read([(q.text, utterances[i]) for i, q in places])
        for (i, question), span in zip(places, spans, strict=True):
            if span is None or overlap(question.entity.text, span.text) < AGREEMENT:
                questions[i].remove(question)
                reasons[i]["round_trip"] += 1

    def _best(self, questions: Sequence[Question]) -> list[Question]:
        """Keeps at most `top` questions per entity and kind, without repeated wording, in the entities' order."""
        ranked = sorted(questions, key=lambda q: -q.score)
        count: Counter[tuple[int, int, Kind]] = Counter()
        texts: set[tuple[str, Kind]] = set()
        kept = []
        for question in ranked:
            place = (question.entity.start, question.entity.end, question.kind)
            wording = (question.text.lower(), question.kind)
            if count[place] < self.top and wording not in texts:
                count[place] += 1
                texts.add(wording)
                kept.append(question)
        order = list(Kind)
        return sorted(kept, key=lambda q: (q.entity.start, q.entity.end, order.index(q.kind)))


def unaskable(text: str) -> str | None:
    """Returns why the utterance is unsuitable for any question, or None if it is suitable."""
    if not text.strip():
        return "empty"
    if statements(text):
        return None
    return "is_question" if "?" in text else "not_a_sentence"


def _is_calibrated(writer: Writer) -> bool:
    return isinstance(writer, Calibrated) and writer.calibrated


def _fills_gaps(writer: Writer) -> bool:
    return isinstance(writer, FillsGaps) and writer.gaps_only


def _is_well_formed(question: Question) -> bool:
    return well_formed(question) is None
