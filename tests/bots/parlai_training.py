"""Trains a small ParlAI generator that knows names, cities and pets; seconds on one core."""

from __future__ import annotations

import random
from pathlib import Path

from bots import parlai_compat

FACTS = {
    "what is your name?": ("my name is {}.", ["ann", "bob", "carl", "dora"]),
    "where do you live?": ("i live in {}.", ["rome", "oslo", "lima", "cairo"]),
    "do you have a pet?": ("yes, i have a {}.", ["cat", "dog", "fish", "bird"]),
    "what do you eat?": ("i like {} best.", ["rice", "soup", "bread", "figs"]),
}
SMALL_TALK = {"hello": "hi there", "how are you?": "fine, and you?", "bye": "see you!"}


def _episode(draw: random.Random) -> list[str]:
    own = {question: form.format(draw.choice(values)) for question, (form, values) in FACTS.items()}
    asked = [draw.choice([*own, *SMALL_TALK]) for _ in range(6)]
    lines = [f"text:{text}\tlabels:{own.get(text) or SMALL_TALK[text]}" for text in asked]
    return [*lines[:-1], f"{lines[-1]}\tepisode_done:True"]


def train(folder: Path, epochs: int = 4) -> Path:
    """The model file; ParlAI's file teacher wants a train, a valid and a test file."""
    parlai_compat.apply()
    import torch
    from parlai.scripts.train_model import TrainModel

    draw = random.Random(3)
    for name, episodes in (("train", 200), ("valid", 10), ("test", 10)):
        lines = [line for _ in range(episodes) for line in _episode(draw)]
        (folder / f"talk_{name}.txt").write_text("\n".join(lines) + "\n")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # so small a model only waits for more
    with parlai_compat.hushed():
        TrainModel.main(
            task="fromfile:parlaiformat",
            fromfile_datapath=str(folder / "talk"),
            fromfile_datatype_extension=True,
            model="transformer/generator",
            model_file=str(folder / "model"),
            dict_tokenizer="re",
            embedding_size=48,
            n_layers=1,
            n_heads=2,
            ffn_size=64,
            text_truncate=64,
            label_truncate=16,
            batchsize=32,
            optimizer="adam",
            learningrate=5e-3,
            lr_scheduler="none",
            num_epochs=epochs,
            validation_metric="ppl",  # with skip_generation there is no other
            skip_generation=True,
            no_cuda=True,
        )
    torch.set_num_threads(threads)
    return folder / "model"
