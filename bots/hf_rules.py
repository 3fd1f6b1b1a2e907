"""Generation settings beyond plain nucleus sampling, from the file or the model's own defaults.

transformers' own logits processors apply these settings to one reply at a time, so that each setting works as
documented. Without such settings there is no overhead. `bots.sampling` handles temperature, top_k and top_p
wherever that gives the same distribution, because transformers' top_p sorts the vocabulary. With 150,000 tokens,
sorting takes longer than a small model's forward pass.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from arena.core.errors import InputError
from bots.hf_jobs import Job, Rule
from bots.ngrams import Blocked
from bots.sampling import Decoding

# If any of these settings is given, temperature, top_k and top_p must be applied here, before it.
LATE = ("top_h", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff", "watermarking_config")


def check(extras: dict[str, Any]) -> None:
    """Raises InputError for settings that transformers does not know."""
    from arena.core.plugins import unknown

    if not extras:
        return
    from transformers import GenerationConfig

    known = [name for name in GenerationConfig().to_dict() if not name.startswith("_")]
    for name in extras:
        if name not in known:
            raise InputError(unknown("generation setting", name, known))


def apply(rules: Sequence[tuple[Rule | None, list[int]]], logits: Any) -> Any:
    """Returns [rows, vocabulary] logits after each row's rule, given the tokens of its reply so far."""
    import torch

    if not any(rule for rule, _ in rules):
        return logits
    parts = zip(rules, logits.split(1), strict=True)
    return torch.cat([rule(written, one) if rule else one.float() for (rule, written), one in parts])


class Rules:
    """The generation settings of one model and decoding. `decoding` is the part that is left for sampling."""

    def __init__(self, loaded: Any, decoding: Decoding, beams: bool = False) -> None:
        self._model = loaded.model
        self._seq2seq = loaded.seq2seq
        self._device = loaded.device
        self._limit = decoding.max_new_tokens
        config = deepcopy(loaded.model.generation_config)
        greedy = decoding.greedy
        config.update(
            do_sample=not greedy,
            temperature=None if greedy else decoding.temperature,
            top_p=None if greedy else decoding.top_p,
            top_k=None if greedy else decoding.top_k or None,
            max_new_tokens=decoding.max_new_tokens,
            min_new_tokens=decoding.min_new_tokens or None,
            **{"num_beams": 1, **json.loads(decoding.extras)},
        )
        self.config = config
        self._active = False
        self.decoding = decoding
        if beams:  # transformers handles all settings
            return
        config.min_new_tokens = None  # the engines handle it, without slowing down every token
        loaded.model._prepare_special_tokens(config, device=loaded.device)
        plain = deepcopy(config)
        plain.update(temperature=1.0, top_p=1.0, top_k=None)
        self._active = bool(self._processors(plain, [0, 0]))
        if self._active and not greedy:
            if config.renormalize_logits or any(getattr(config, name, None) for name in LATE):
                self.decoding = replace(decoding, temperature=1.0, top_p=1.0, top_k=0)
            else:
                self.config = plain

    def begin(self, job: Job) -> Rule | None:
        """Returns the rule for one reply, or None if there are no settings to apply."""
        import torch

        blocked = None
        if self.decoding.context_block_ngram and job.said is not None:
            blocked = Blocked(self.decoding.context_block_ngram, job.said)
        if not (self._active or blocked):
            return None
        processors = self._processors(self.config, job.ids) if self._active else None
        start = [self.start] if self._seq2seq else job.ids

        def rule(written: list[int], logits: Any) -> Any:
            logits = logits.float()
            if blocked is not None and (tokens := blocked.after(written)):
                logits = logits.index_fill(1, torch.tensor(sorted(tokens), device=self._device), -torch.inf)
            if processors is not None:  # last, because some of them leave few tokens
                logits = processors(torch.tensor([start + written], device=self._device), logits)
            return logits

        return rule

    @property
    def start(self) -> int:
        """The first token of an encoder-decoder's reply."""
        token = self.config.decoder_start_token_id
        return int(self._model.config.decoder_start_token_id if token is None else token)

    def _processors(self, config: Any, prompt: list[int]) -> Any:
        import torch

        length = 1 if self._seq2seq else len(prompt)
        config.max_length = length + self._limit  # the position of a forced last token
        read = torch.tensor([prompt], device=self._device) if self._seq2seq else None
        return self._model._get_logits_processor(
            generation_config=config, input_ids_seq_length=length, encoder_input_ids=read, device=self._device
        )
