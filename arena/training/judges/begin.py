"""Trains a BEGIN classifier: makes silver data, trains on NLI and then on the silver data, and labels a held-out
part.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, MissingPart
from arena.core.hashing import generator as seeded
from arena.core.hashing import seed_for
from arena.training.begin_silver import antonyms
from arena.training.begin_silver.recipe import Generator, Request, Silver, silver
from arena.training.begin_silver.triples import read
from judges.begin.classifier import LONGEST, context
from judges.begin.taxonomy import FIVE, THREE, Label, collapsed

EMBEDDED = "embedded"
BATCH = 32
# The paper's rate for BERT-base; the rate that suits the embedded encoder
PAPER_RATE, SMALL_RATE = 2e-5, 1e-4


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the training. Defaults are the paper's values (section 5) where the paper gives them."""

    turns: Path
    out: Path
    generator: Mapping[str, Any] = field(
        default_factory=lambda: {"adapter": "hf", "model": "embedded:smollm2-135m"}
    )
    encoder: str = EMBEDDED
    ways: int = 5
    size: int = 7900
    nli: Path | None = None
    nli_pairs: int = 20_000
    epochs: int = 3
    rate: float | None = None
    held_out: float = 0.2
    seed: int = 7
    threads: int = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a training: counts of the data, and gold and predicted labels of the held-out part, from
    which the caller computes metrics.
    """

    counts: Mapping[str, int]
    methods: Mapping[str, int]
    trained_on: int
    gold: tuple[str, ...]
    predicted: tuple[str, ...]
    antonyms: str


def train(
    options: Options, report: Callable[[str], None] = print, writer: Generator | None = None
) -> Outcome:
    """Train the classifier, and write it and its silver data into `out`."""
    if options.ways not in (3, 5):
        raise InputError("A BEGIN classifier has 3 or 5 ways: give one of these.")
    examples = _silver_data(options, report, writer)
    cut = round(len(examples) * (1 - options.held_out))
    learnt, held = examples[:cut], examples[cut:]
    labels = tuple(str(label) for label in FIVE) if options.ways == 5 else THREE
    stages = _Stages(options, report)
    if options.nli is not None:
        stages.nli(_nli_pairs(options.nli, options.nli_pairs, options.seed))
    stages.adversarial([_read(each, options.ways) for each in learnt], labels)
    predicted = stages.predict([_read(each, options.ways) for each in held])
    stages.save()
    return Outcome(
        counts=Counter(str(example.label) for example in examples),
        methods=Counter(example.method for example in examples),
        trained_on=len(learnt),
        gold=tuple(_label(example, options.ways) for example in held),
        predicted=tuple(predicted),
        antonyms=antonyms.source(),
    )


def _label(example: Silver, ways: int) -> str:
    return str(example.label) if ways == 5 else collapsed(example.label)


def _read(example: Silver, ways: int) -> tuple[str, str, str]:
    return context(example.evidence, example.previous), example.response, _label(example, ways)


def _silver_data(options: Options, report: Callable[[str], None], writer: Generator | None) -> list[Silver]:
    """Return the silver data. It is stored with the settings that it was made with, so that an interrupted run
    can reuse it.
    """
    data, facts = options.out / "silver.jsonl", options.out / "silver.json"
    made_of = {
        "turns": str(options.turns),
        "size": options.size,
        "seed": options.seed,
        "generator": dict(options.generator),
        "antonyms": antonyms.source(),
    }
    if data.is_file() and facts.is_file() and json.loads(facts.read_text(encoding="utf-8")) == made_of:
        report(f"silver examples of an earlier run in {data}")
        return [_example(line) for line in data.read_text(encoding="utf-8").splitlines()]
    triples = read(options.turns)
    report(f"{len(triples)} grounded turns")
    options.out.mkdir(parents=True, exist_ok=True)
    examples = silver(triples, options.size, options.seed, writer or BotGenerator(options.generator))
    lines = [json.dumps(example.row(), ensure_ascii=False) for example in examples]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    facts.write_text(json.dumps(made_of, indent=1) + "\n", encoding="utf-8")
    report(f"{len(examples)} silver examples in {data}")
    return examples


def _example(line: str) -> Silver:
    row = json.loads(line)
    return Silver(**{**row, "label": Label(row["label"])})


def _nli_pairs(path: Path, most: int, seed: int) -> list[tuple[str, str, str]]:
    """Read (premise, hypothesis, label) from a file, or from the project's own training sets in a folder."""
    from arena.training.judges.pairs import LABELS, hand_written
    from arena.training.judges.texts import Guard
    from arena.validation.rows import nli_rows

    if path.is_dir():
        names = {number: name for name, number in LABELS.items()}
        labelled = [
            (pair.premise, pair.hypothesis, names[pair.label])
            for _, pairs in hand_written(path, Guard.of(path))
            for pair in pairs
            if pair.label in names
        ]
    else:
        labelled = [(row.premise, row.hypothesis, row.label) for row in nli_rows(path)]
    seeded(seed, "nli").shuffle(labelled)
    return labelled[:most]


class BotGenerator:
    """Uses any bot as the generator. The evidence becomes the bot's knowledge."""

    def __init__(self, bot: Mapping[str, Any]) -> None:
        self.entry = dict(bot)
        if not self.entry.get("adapter"):
            raise InputError(
                "The generator needs an adapter: give a mapping such as {adapter: hf, model: FOLDER}."
            )

    def reply(self, asked: Sequence[Request], temperature: float | None, seed: int) -> list[str]:
        import asyncio

        return asyncio.run(self._reply(asked, temperature, seed)) if asked else []

    async def _reply(self, asked: Sequence[Request], temperature: float | None, seed: int) -> list[str]:
        from bots import registry
        from bots.base import Line, ReplyRequest

        settings = {key: value for key, value in self.entry.items() if key not in ("adapter", "name")}
        if (
            temperature is not None
            and "decoding" in registry.adapter(self.entry["adapter"]).Settings.model_fields
        ):
            settings["decoding"] = {**settings.get("decoding", {}), "temperature": temperature}
        bot = registry.create(registry.spec("generator", self.entry["adapter"], settings))
        requests = [
            ReplyRequest(
                dialogue=f"silver-{seed}-{index}",
                history=(
                    *(
                        line
                        for question, answer in one.before
                        for line in (Line(question, False), Line(answer, True))
                    ),
                    Line(one.previous, False),
                ),
                seed=seed_for("silver", seed, index, one.previous),
                knowledge=one.evidence,
            )
            for index, one in enumerate(asked)
        ]
        try:
            replies = await bot.reply(requests)
        finally:
            await bot.close()
        return ["" if reply.error else reply.text for reply in replies]


class _Stages:
    """Trains one encoder through both stages. The classification head of the first stage is dropped."""

    def __init__(self, options: Options, report: Callable[[str], None]) -> None:
        import torch

        torch.set_num_threads(options.threads)
        torch.manual_seed(seed_for("begin", options.seed) % 2**31)
        self.options, self.report = options, report
        self.folder = options.encoder
        self.rate = options.rate or (SMALL_RATE if options.encoder == EMBEDDED else PAPER_RATE)
        if options.encoder == EMBEDDED:
            from bots.encoders.bases import MINILM

            self.folder = str(MINILM.folder())
        self.model: Any = None
        self.labels: tuple[str, ...] = ()
        self.tokenizer = self._tokenizer()

    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        try:
            return AutoTokenizer.from_pretrained(self.folder)
        except (OSError, ValueError) as error:
            raise MissingPart(
                f"The encoder '{self.folder}' cannot be read: {str(error).splitlines()[0]}; "
                "give a local folder, a hub name, or `embedded`."
            ) from error

    def _with_head(self, labels: Sequence[str]) -> Any:
        """Return the current encoder with a new classification head for these labels."""
        from transformers import AutoModelForSequenceClassification

        fresh = AutoModelForSequenceClassification.from_pretrained(
            self.folder,
            num_labels=len(labels),
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            ignore_mismatched_sizes=True,
        )
        if self.model is not None:
            fresh.base_model.load_state_dict(self.model.base_model.state_dict(), strict=False)
        return fresh

    def nli(self, rows: Sequence[tuple[str, str, str]]) -> None:
        self.model, self.labels = self._with_head(THREE), THREE
        self._fit(rows, 1, "NLI")

    def adversarial(self, rows: Sequence[tuple[str, str, str]], labels: tuple[str, ...]) -> None:
        self.model, self.labels = self._with_head(labels), labels
        self._fit(rows, self.options.epochs, "adversarial")

    def _fit(self, rows: Sequence[tuple[str, str, str]], epochs: int, stage: str) -> None:
        from arena.training.judges.loop import Phase, batches_by_length, run

        ids = self._encoded(rows)
        lengths = [len(one) for one in ids["input_ids"]]
        places = [self.labels.index(label) for _, _, label in rows]
        draw = random.Random(seed_for("begin", stage, self.options.seed))

        def losses() -> Iterator[Callable[[], Any]]:
            while True:
                for batch in batches_by_length(lengths, BATCH, draw):
                    yield partial(self._loss, ids, places, batch)

        steps = max(1, epochs * len(rows) // BATCH)
        self.report(f"{stage}: {len(rows)} pairs, {steps} steps")
        self.model.train()
        phase = Phase(steps, self.rate, self.rate / 10)
        run(self.model, losses(), phase, self.options.out / "stage.pt", self.report)
        (self.options.out / "stage.pt").unlink(missing_ok=True)
        self.model.eval()

    def _loss(self, ids: Mapping[str, Any], places: Sequence[int], batch: Sequence[int]) -> Any:
        import torch

        tensors = self._padded(ids, batch)
        labels = torch.tensor([places[index] for index in batch])
        return self.model(**tensors, labels=labels).loss

    def _encoded(self, rows: Sequence[tuple[str, str, str]]) -> Mapping[str, Any]:
        encoded: Mapping[str, Any] = self.tokenizer(
            [first for first, _, _ in rows],
            [second for _, second, _ in rows],
            truncation="longest_first",
            max_length=LONGEST,
        )
        return encoded

    def _padded(self, ids: Mapping[str, Any], batch: Sequence[int]) -> Any:
        part = {key: [values[index] for index in batch] for key, values in ids.items()}
        return self.tokenizer.pad(part, return_tensors="pt")

    def predict(self, rows: Sequence[tuple[str, str, str]]) -> list[str]:
        import torch

        from bots.encoders.tokens import batches

        if not rows:
            return []
        ids = self._encoded(rows)
        predicted = [""] * len(rows)
        with torch.inference_mode():
            for batch in batches([len(one) for one in ids["input_ids"]], 4096):
                logits = self.model(**self._padded(ids, batch)).logits
                for index, best in zip(batch, logits.argmax(1).tolist(), strict=True):
                    predicted[index] = self.labels[best]
        return predicted

    def save(self) -> None:
        self.model.save_pretrained(self.options.out)
        self.tokenizer.save_pretrained(self.options.out)
