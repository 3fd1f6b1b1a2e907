"""Runs Stanza's own training of a tokenizer and an entity recogniser on labelled text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.training.inquirer.silver import Labelled

PACKAGE = "arena"


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of the models, and the lengths of their training."""

    vectors: int = 24_000
    dimensions: int = 64
    tokenizer_hidden: int = 48
    tokenizer_steps: int = 3_000
    ner_hidden: int = 112
    ner_steps: int = 9_000
    ner_rate: float = 0.002
    characters: int = 40
    batch: int = 40


STANDARD = Sizes()


def sentences(row: Labelled) -> Iterator[tuple[int, int]]:
    start = 0
    for end in row.ends:
        if end > start:
            yield start, end
        start = end


def _characters(rows: Iterable[Labelled]) -> tuple[str, str]:
    """Return raw text with a label per character: 1 at the end of a token, 2 at the end of a sentence, 0 elsewhere."""
    text, labels = [], []
    for row in rows:
        marks = ["0"] * len(row.text)
        for start, word in zip(row.starts, row.words, strict=True):
            marks[start + len(word) - 1] = "1"
        for end in row.ends:
            if end:
                marks[row.starts[end - 1] + len(row.words[end - 1]) - 1] = "2"
        text.append(row.text)
        labels.append("".join(marks))
    return "\n\n".join(text) + "\n\n", "\n\n".join(labels) + "\n\n"


def _conllu(rows: Iterable[Labelled]) -> str:
    lines = []
    for row in rows:
        for start, end in sentences(row):
            lines.append(
                f"# text = {row.text[row.starts[start] : row.starts[end - 1] + len(row.words[end - 1])]}"
            )
            for number, i in enumerate(range(start, end), 1):
                word = row.words[i]
                glued = i + 1 < end and row.starts[i + 1] == row.starts[i] + len(word)
                tail = "SpaceAfter=No" if glued else "_"
                parent = 0 if number == 1 else number - 1
                link = "root" if number == 1 else "dep"
                lines.append(
                    f"{number}\t{word}\t_\t{row.upos[i]}\t{row.xpos[i]}\t_\t{parent}\t{link}\t_\t{tail}"
                )
            lines.append("")
    return "\n".join(lines) + "\n"


def _labelled_json(rows: Iterable[Labelled]) -> str:
    return json.dumps(
        [
            [{"text": row.words[i], "ner": row.entities[i]} for i in range(start, end)]
            for row in rows
            for start, end in sentences(row)
        ]
    )


def _usable(rows: Iterable[Labelled]) -> list[Labelled]:
    """Return the rows that can train the tokenizer. Hand-labelled sets are left out, because their tokenised text
    has wrong spaces.
    """
    return [r for r in rows if r.source not in {"wnut17", "btc", "wikigold"} and "\n" not in r.text]


def train_tokenizer(
    learnt: Sequence[Labelled], held: Sequence[Labelled], out: Path, work: Path, sizes: Sizes
) -> None:
    from stanza.models import tokenizer

    names = {}
    for name, rows in (("train", _usable(learnt)[:30_000]), ("dev", _usable(held)[:600])):
        text, labels = _characters(rows)
        names[name] = work / f"{name}.txt", work / f"{name}.labels"
        names[name][0].write_text(text)
        names[name][1].write_text(labels)
        (work / f"{name}.tok.conllu").write_text(_conllu(rows))
    (work / "mwt.json").write_text("[]")
    tokenizer.main(
        [
            *_arguments(
                {
                    "mode": "train",
                    "txt_file": names["train"][0],
                    "label_file": names["train"][1],
                    "dev_txt_file": names["dev"][0],
                    "dev_label_file": names["dev"][1],
                    "dev_conll_gold": work / "dev.tok.conllu",
                    "mwt_json_file": work / "mwt.json",
                    "conll_file": work / "predicted.tok.conllu",
                    "lang": "en",
                    "shorthand": "en_arena",
                    "hidden_dim": sizes.tokenizer_hidden,
                    "emb_dim": 24,
                    "conv_filters": "1,9",
                    "batch_size": 32,
                    "steps": sizes.tokenizer_steps,
                    "eval_steps": max(10, sizes.tokenizer_steps // 8),
                    "max_seqlen": 160,
                    "save_dir": out,
                    "save_name": f"{PACKAGE}.pt",
                    "report_steps": 500,
                }
            ),
            "--cpu",
        ]
    )


def train_ner(
    learnt: Sequence[Labelled],
    held: Sequence[Labelled],
    out: Path,
    work: Path,
    sizes: Sizes,
    pretrain: Path | None,
) -> None:
    from stanza.models import ner_tagger

    (work / "train.ner.json").write_text(_labelled_json(learnt))
    (work / "dev.ner.json").write_text(_labelled_json(held))
    ner_tagger.main(
        [
            *_arguments(
                {
                    "mode": "train",
                    "train_file": work / "train.ner.json",
                    "eval_file": work / "dev.ner.json",
                    "shorthand": "en_arena",
                    "hidden_dim": sizes.ner_hidden,
                    "char_hidden_dim": sizes.characters,
                    "char_emb_dim": 32,
                    "word_emb_dim": sizes.dimensions,
                    "dropout": 0.3,
                    "optim": "adam",
                    "lr": sizes.ner_rate,
                    "batch_size": sizes.batch,
                    "max_batch_words": 4000,
                    "max_steps": sizes.ner_steps,
                    "max_steps_no_improve": sizes.ner_steps,
                    "eval_interval": max(10, sizes.ner_steps // 8),
                    "patience": 1,
                    "save_dir": out,
                    "save_name": f"{PACKAGE}.pt",
                    "log_step": 500,
                    **_vectors(pretrain),
                }
            ),
            "--cpu",
            "--emb_finetune_known_only" if pretrain else "--no_pretrain",
        ]
    )


def _vectors(pretrain: Path | None) -> dict[str, Path]:
    return {"wordvec_pretrain_file": pretrain} if pretrain else {}


def _arguments(given: dict[str, Any]) -> list[str]:
    return [
        part
        for key, value in given.items()
        for part in ([f"--{key}"] + ([] if value is None else [str(value)]))
    ]
