"""Trains the small Stanza models that the project ships: tokenizer, POS tagger and NER with OntoNotes' 18 types.

    python -m arena.training.inquirer.entities --data DIR --out inquirer/weights/stanza

The folder that comes out is one that Stanza itself reads; full models of its own are used by the same code.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.training.inquirer.scores import Tally, spans
from arena.training.inquirer.silver import Labelled, label, read
from inquirer.entities.spacy_models import load_model, model_folder

PACKAGE = "arena"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the models are and how long they learn."""

    vectors: int = 24_000
    dimensions: int = 64
    tokenizer_hidden: int = 48
    tokenizer_steps: int = 3_000
    tagger_hidden: int = 96
    tagger_steps: int = 6_000
    ner_hidden: int = 112
    ner_steps: int = 9_000
    ner_rate: float = 0.002
    characters: int = 40
    batch: int = 40


def train(
    data: Path, out: Path, work: Path | None = None, sizes: Sizes = Sizes(), name: str | None = None
) -> dict[str, Any]:
    """Labels the text below `data`, trains the three models into `out`, gives the scores."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = work or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        silver = folder / "silver.jsonl"
        if not silver.exists():
            label(data, silver, name)
        rows = list(read(silver))
        vectors = folder / "vectors.txt"
        if not vectors.exists():
            write_vectors(vectors, rows, sizes, load_model(model_folder(name)))
        return fit(rows, out, folder, sizes, vectors)


def fit(
    rows: Sequence[Labelled], out: Path, work: Path, sizes: Sizes, vectors: Path | None = None
) -> dict[str, Any]:
    """Trains on labelled rows; the held-out ones decide which weights are kept."""
    learnt = [r for r in rows if not r.held_out]
    held = [r for r in rows if r.held_out]
    if not learnt or not held:
        raise InputError("The labelled text has no held-out part: it needs some hundred utterances.")
    root = out / "en"
    for part in ("tokenize", "pos", "ner", "pretrain"):
        (root / part).mkdir(parents=True, exist_ok=True)
    pretrain = _pretrain(vectors, root / "pretrain" / f"{PACKAGE}.pt", sizes) if vectors else None
    small = held[:: max(1, len(held) // 1500)]
    _tokenizer(learnt, small, root / "tokenize", work, sizes)
    _tagger(learnt, small, root / "pos", work, sizes, pretrain)
    _ner(learnt, small, root / "ner", work, sizes, pretrain)
    halve(root / "pos" / f"{PACKAGE}.pt")
    halve(root / "ner" / f"{PACKAGE}.pt")
    (out / "resources.json").write_text(json.dumps(resources(pretrain is not None), indent=1))
    found = scores(out, held)
    (out / "scores.json").write_text(json.dumps(found, indent=1, sort_keys=True))
    return found


def halve(path: Path) -> None:
    """Weights in half precision: half the file, and loading makes them whole again."""
    import torch

    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    checkpoint["model"] = {
        name: value.half() if torch.is_tensor(value) and value.dtype == torch.float32 else value
        for name, value in checkpoint["model"].items()
    }
    torch.save(checkpoint, path, _use_new_zipfile_serialization=False)


def resources(vectors: bool) -> dict[str, Any]:
    """What Stanza wants to know about a folder of models."""
    needs = {"dependencies": [{"model": "pretrain", "package": PACKAGE}]} if vectors else {}
    english: dict[str, Any] = {
        "lang_name": "English",
        "default_processors": {"tokenize": PACKAGE, "pos": PACKAGE, "ner": PACKAGE},
        "packages": {"default": {"tokenize": PACKAGE, "pos": PACKAGE, "ner": PACKAGE}},
        "default_dependencies": {"pos": needs.get("dependencies", []), "ner": needs.get("dependencies", [])},
        "tokenize": {PACKAGE: {"md5": ""}},
        "pos": {PACKAGE: {"md5": "", **needs}},
        "ner": {PACKAGE: {"md5": "", **needs}},
    }
    if vectors:
        english["pretrain"] = {PACKAGE: {"md5": ""}}
    return {"en": english}


def write_vectors(path: Path, rows: Iterable[Labelled], sizes: Sizes, model: Any) -> None:
    """The tagger's own word vectors, for the corpus's commonest words, turned onto fewer axes."""
    import numpy as np

    count = Counter(w.lower() for r in rows if not r.held_out for w in r.words)
    table = model.vocab.vectors
    if not table.shape[0]:
        raise InputError(
            "The tagger carries no word vectors: take one that does, such as an English 'md' model."
        )
    words = [
        w
        for w, _ in count.most_common()
        if w.isprintable() and w in model.vocab.strings and model.vocab[w].has_vector
    ]
    words = words[: sizes.vectors]
    matrix = np.stack([np.asarray(model.vocab[w].vector, dtype=np.float32) for w in words])
    matrix -= matrix.mean(axis=0)
    _, _, axes = np.linalg.svd(matrix, full_matrices=False)
    small = matrix @ axes[: sizes.dimensions].T
    small /= small.std()
    with path.open("w") as file:
        file.write(f"{len(words)} {small.shape[1]}\n")
        for word, row in zip(words, small, strict=True):
            file.write(f"{word} {' '.join(f'{x:.4f}' for x in row)}\n")


def _pretrain(vectors: Path, out: Path, sizes: Sizes) -> Path:
    from stanza.models.common.pretrain import Pretrain

    Pretrain(str(out), str(vectors), max_vocab=sizes.vectors + 10).load()
    return out


def sentences(row: Labelled) -> Iterator[tuple[int, int]]:
    start = 0
    for end in row.ends:
        if end > start:
            yield start, end
        start = end


def _characters(rows: Iterable[Labelled]) -> tuple[str, str]:
    """Raw text and a label a character: 0 inside, 1 a token's end, 2 a sentence's."""
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
            for place, i in enumerate(range(start, end), 1):
                word = row.words[i]
                glued = i + 1 < end and row.starts[i + 1] == row.starts[i] + len(word)
                tail = "SpaceAfter=No" if glued else "_"
                parent = 0 if place == 1 else place - 1
                link = "root" if place == 1 else "dep"
                lines.append(
                    f"{place}\t{word}\t_\t{row.upos[i]}\t{row.xpos[i]}\t_\t{parent}\t{link}\t_\t{tail}"
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
    """Hand-labelled sets come tokenised: their spaces would teach the tokenizer nonsense."""
    return [r for r in rows if r.source not in {"wnut17", "btc", "wikigold"} and "\n" not in r.text]


def _tokenizer(
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


def _tagger(
    learnt: Sequence[Labelled],
    held: Sequence[Labelled],
    out: Path,
    work: Path,
    sizes: Sizes,
    pretrain: Path | None,
) -> None:
    from stanza.models import tagger as stanza_tagger

    (work / "train.pos.conllu").write_text(_conllu(learnt))
    (work / "dev.pos.conllu").write_text(_conllu(held))
    stanza_tagger.main(
        [
            *_arguments(
                {
                    "mode": "train",
                    "train_file": work / "train.pos.conllu",
                    "eval_file": work / "dev.pos.conllu",
                    "output_file": work / "predicted.pos.conllu",
                    "lang": "en",
                    "shorthand": "en_arena",
                    "hidden_dim": sizes.tagger_hidden,
                    "char_hidden_dim": sizes.characters * 2,
                    "char_emb_dim": 32,
                    "word_emb_dim": 32,
                    "transformed_dim": 64,
                    "tag_emb_dim": 16,
                    "deep_biaff_hidden_dim": 96,
                    "composite_deep_biaff_hidden_dim": 32,
                    "num_layers": 1,
                    "batch_size": sizes.batch,
                    "share_hid": None,
                    "word_cutoff": 12,
                    "max_steps": sizes.tagger_steps,
                    "eval_interval": max(10, sizes.tagger_steps // 8),
                    "fix_eval_interval": None,
                    "max_steps_before_stop": sizes.tagger_steps,
                    "save_dir": out,
                    "save_name": f"{PACKAGE}.pt",
                    "log_step": 500,
                    **_vectors(pretrain),
                }
            ),
            "--cpu",
            *([] if pretrain else ["--no_pretrain"]),
        ]
    )


def _ner(
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


def scores(folder: Path, held: Sequence[Labelled]) -> dict[str, Any]:
    """Precision, recall and F1 a type on held-out text, hand-labelled sets apart, as written and lowered."""
    import stanza

    pipeline = stanza.Pipeline(
        "en",
        dir=str(folder),
        download_method=None,
        processors="tokenize,pos,ner",
        package=PACKAGE,
        tokenize_pretokenized=True,
        use_gpu=False,
        logging_level="ERROR",
    )
    tallies = {"silver": Tally(), "hand": Tally(), "silver lower case": Tally(), "hand lower case": Tally()}
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for i in range(0, len(held), 256):
        part = [r for r in held[i : i + 256] if r.words]
        document = pipeline([list(r.words) for r in part])
        for row, sentence in zip(part, document.sentences, strict=True):
            case = " lower case" if row.text == row.text.lower() else ""
            group = ("hand" if row.source in {"wnut17", "btc", "wikigold"} else "silver") + case
            tallies[group].add(spans(row.entities), spans(_bio([t.ner for t in sentence.tokens])))
            right[group] += sum(a == w.xpos for a, w in zip(row.xpos, sentence.words, strict=True))
            total[group] += len(row.words)
    return {
        "ner": {name: tally.table() for name, tally in tallies.items()},
        "pos": {name: round(right[name] / total[name], 4) for name in total},
    }


def _bio(marks: Iterable[str]) -> list[str]:
    return [m.replace("S-", "B-", 1).replace("E-", "I-", 1) if m[:2] in {"S-", "E-"} else m for m in marks]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with decode/, dialogues/, qa/ and ner/"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the models")
    parser.add_argument("--work", type=Path, help="keeps the labelled text here, for another run")
    parser.add_argument("--tagger", help="spaCy model that labels (default: whichever is installed)")
    given = parser.parse_args(arguments)
    print(json.dumps(train(given.data, given.out, given.work, name=given.tagger), indent=1))


if __name__ == "__main__":
    main()
