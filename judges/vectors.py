"""Word and sentence vectors of an encoder; the default encoder is that of the embedded judge."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arena.core.errors import InputError, MissingPart
from bots import hf_load
from bots.quiet import quiet
from judges.checkpoint import first_line
from judges.words import readable

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

EMBEDDED = "embedded"
TOKENS = 4096


class Vectors:
    """Unit vectors of texts. The weights are loaded at the first call."""

    def __init__(self, model: str = EMBEDDED, revision: str | None = None) -> None:
        if model == EMBEDDED:
            from bots.encoders.bases import MINILM

            model = str(MINILM.folder())
        self.source = hf_load.locate(model)
        if self.source.gguf:
            raise InputError(
                f"'{model}' is a GGUF file: give the folder or hub name of a Hugging Face encoder."
            )
        self.revision = hf_load.weights_revision(self.source, revision)
        self._commit = self.revision if self.source.hub else "main"

    def words(self, texts: Sequence[str]) -> list[Array]:
        """Return for each text a matrix with one row per token, without special tokens."""
        import numpy as np

        result: list[Array] = [np.zeros((0, 1), dtype=np.float32)] * len(texts)
        for index, states, special in self._states(texts):
            word_states = states[[not one for one in special]]
            result[index] = word_states / np.maximum(np.linalg.norm(word_states, axis=1, keepdims=True), 1e-9)
        return result

    def sentences(self, texts: Sequence[str]) -> Array:
        """Return one row per text: the mean of the vectors of its tokens."""
        import numpy as np

        means = {index: states.mean(0) for index, states, _ in self._states(texts)}
        rows = np.stack([means[index] for index in range(len(texts))])
        normalised: Array = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return normalised

    def _states(self, texts: Sequence[str]) -> Iterator[tuple[int, Array, list[int]]]:
        import torch

        from bots.encoders.tokens import batches

        model, tokenizer = self._loaded
        longest = min(
            int(tokenizer.model_max_length), int(getattr(model.config, "max_position_embeddings", 512))
        )
        read = tokenizer(
            [readable(text) for text in texts],
            truncation=True,
            max_length=longest,
            return_special_tokens_mask=True,
        )
        with torch.inference_mode():
            for batch in batches([len(ids) for ids in read["input_ids"]], TOKENS):
                rows = [{"input_ids": read["input_ids"][index]} for index in batch]
                states = model(**tokenizer.pad(rows, return_tensors="pt")).last_hidden_state.float().numpy()
                for row, index in enumerate(batch):
                    length = len(read["input_ids"][index])
                    # Works for padding on either side.
                    start = 0 if tokenizer.padding_side == "right" else states.shape[1] - length
                    yield index, states[row, start : start + length], read["special_tokens_mask"][index]

    @functools.cached_property
    def _loaded(self) -> tuple[Any, Any]:
        from transformers import AutoModel, AutoTokenizer

        try:
            with quiet():
                model = AutoModel.from_pretrained(self.source.folder, revision=self._commit)
                tokenizer = AutoTokenizer.from_pretrained(self.source.folder, revision=self._commit)
        except Exception as error:  # loaders raise what they like
            raise MissingPart(
                f"The encoder '{self.source.folder}' cannot be read: {first_line(error)}; "
                "give the folder or hub name of an encoder."
            ) from error
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        return model.eval(), tokenizer
