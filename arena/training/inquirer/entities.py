"""Trains the small Stanza models that the project ships: tokenizer, and NER with OntoNotes' 18 types.

python -m arena.training.inquirer.entities --data DIR --out inquirer/weights/stanza

Stanza itself can read the resulting folder, and the same code uses Stanza's full models.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.training.inquirer.scores import Tally, spans
from arena.training.inquirer.silver import Labelled, label, read
from arena.training.inquirer.stanza_models import PACKAGE, STANDARD, Sizes, train_ner, train_tokenizer
from inquirer.entities.spacy import load_model, model_folder


def train(
    data: Path, out: Path, work: Path | None = None, sizes: Sizes = STANDARD, name: str | None = None
) -> dict[str, Any]:
    """Label the text in the folder `data`, train the two models into `out`, and return their scores."""
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
    """Train on labelled rows. The held-out rows decide which weights are kept."""
    learnt = [r for r in rows if not r.held_out]
    held = [r for r in rows if r.held_out]
    if not learnt or not held:
        raise InputError("The labelled text has no held-out part: it needs some hundred utterances.")
    root = out / "en"
    for part in ("tokenize", "ner", "pretrain"):
        (root / part).mkdir(parents=True, exist_ok=True)
    pretrain = _pretrain(vectors, root / "pretrain" / f"{PACKAGE}.pt", sizes) if vectors else None
    small = held[:: max(1, len(held) // 1500)]
    train_tokenizer(learnt, small, root / "tokenize", work, sizes)
    train_ner(learnt, small, root / "ner", work, sizes, pretrain)
    halve(root / "ner" / f"{PACKAGE}.pt")
    (out / "resources.json").write_text(json.dumps(resources(pretrain is not None), indent=1))
    figures = scores(out, held)
    (out / "scores.json").write_text(json.dumps(figures, indent=1, sort_keys=True))
    return figures


def halve(path: Path) -> None:
    """Store weights in half precision, which halves the file. Loading restores full precision."""
    import torch

    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    checkpoint["model"] = {
        name: value.half() if torch.is_tensor(value) and value.dtype == torch.float32 else value
        for name, value in checkpoint["model"].items()
    }
    torch.save(checkpoint, path, _use_new_zipfile_serialization=False)


def resources(vectors: bool) -> dict[str, Any]:
    """Return the metadata that Stanza requires in a folder of models."""
    needs = {"dependencies": [{"model": "pretrain", "package": PACKAGE}]} if vectors else {}
    english: dict[str, Any] = {
        "lang_name": "English",
        "default_processors": {"tokenize": PACKAGE, "ner": PACKAGE},
        "packages": {"default": {"tokenize": PACKAGE, "ner": PACKAGE}},
        "default_dependencies": {"ner": needs.get("dependencies", [])},
        "tokenize": {PACKAGE: {"md5": ""}},
        "ner": {PACKAGE: {"md5": "", **needs}},
    }
    if vectors:
        english["pretrain"] = {PACKAGE: {"md5": ""}}
    return {"en": english}


def write_vectors(path: Path, rows: Iterable[Labelled], sizes: Sizes, model: Any) -> None:
    """Write the labelling model's vectors of the most frequent words in the corpus, reduced to fewer dimensions."""
    import numpy as np

    count = Counter(w.lower() for r in rows if not r.held_out for w in r.words)
    table = model.vocab.vectors
    if not table.shape[0]:
        raise InputError("The tagger has no word vectors: take one that does, such as an English 'md' model.")
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


def scores(folder: Path, held: Sequence[Labelled]) -> dict[str, Any]:
    """Return precision, recall and F1 per type on held-out text. Hand-labelled and silver text are scored
    separately, each cased and lowercased.
    """
    import stanza

    pipeline = stanza.Pipeline(
        "en",
        dir=str(folder),
        download_method=None,
        processors="tokenize,ner",
        package=PACKAGE,
        tokenize_pretokenized=True,
        use_gpu=False,
        logging_level="ERROR",
    )
    tallies = {"silver": Tally(), "hand": Tally(), "silver lower case": Tally(), "hand lower case": Tally()}
    for i in range(0, len(held), 256):
        part = [r for r in held[i : i + 256] if r.words]
        document = pipeline([list(r.words) for r in part])
        for row, sentence in zip(part, document.sentences, strict=True):
            case = " lower case" if row.text == row.text.lower() else ""
            group = ("hand" if row.source in {"wnut17", "btc", "wikigold"} else "silver") + case
            tallies[group].add(spans(row.entities), spans(_bio([t.ner for t in sentence.tokens])))
    return {"ner": {name: tally.table() for name, tally in tallies.items()}}


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
