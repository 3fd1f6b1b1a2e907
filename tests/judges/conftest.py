"""Tiny random checkpoints, shaped like the ones people judge with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

TEXTS = [
    "I have two kids and a dog.",
    "How many kids do you have? Three of them, all boys.",
    "I work at a daycare center in the north of the city.",
    "No, I am not married; I live alone with my cats.",
]
Builder = Callable[..., Path]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Builder:
    """checkpoint(shape, labels, outputs): a folder whose model always gives these logits, or random ones."""

    def build(
        shape: str,
        labels: Sequence[str],
        outputs: Sequence[float] | None = None,
        pickled: bool = False,
        seed: int = 0,
        backward: dict[str, int] | None = None,
    ) -> Path:
        import torch
        from transformers import (
            AutoModelForSequenceClassification,
            BertConfig,
            DebertaV2Config,
            RobertaConfig,
        )

        tokenizer = _tokenizer(shape)
        kinds = {"roberta": RobertaConfig, "bert": BertConfig, "deberta": DebertaV2Config}
        config = kinds[shape](
            vocab_size=len(tokenizer),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=66 if shape == "roberta" else 64,
            type_vocab_size=2 if shape == "bert" else 1 if shape == "roberta" else 0,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=tokenizer.cls_token_id,
            eos_token_id=tokenizer.sep_token_id,
            id2label=dict(enumerate(labels)),
            label2id=backward or {label: index for index, label in enumerate(labels)},
        )
        torch.manual_seed(seed)
        model = AutoModelForSequenceClassification.from_config(config).eval()
        head = model.classifier.out_proj if shape == "roberta" else model.classifier
        with torch.no_grad():
            for parameter in model.parameters():  # the usual 0.02 would make every pair look alike
                if parameter.ndim > 1:
                    parameter.normal_(0.0, 0.3)
            if outputs is not None:
                head.weight.zero_()
                head.bias.copy_(torch.tensor(list(outputs)))
        folder = tmp_path / f"{shape}-{seed}-{'-'.join(labels)}"
        tokenizer.save_pretrained(folder)
        model.save_pretrained(folder)
        if pickled:
            torch.save(model.state_dict(), folder / "pytorch_model.bin")
            (folder / "model.safetensors").unlink()
        return folder

    return build


def _tokenizer(shape: str) -> object:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    first, last, pad, unknown = (
        ("<s>", "</s>", "<pad>", "<unk>") if shape == "roberta" else ("[CLS]", "[SEP]", "[PAD]", "[UNK]")
    )
    special = [first, pad, last, unknown]
    if shape == "bert":
        fast = Tokenizer(models.WordPiece(unk_token=unknown))
        fast.pre_tokenizer = pre_tokenizers.Whitespace()
        trainer = trainers.WordPieceTrainer(vocab_size=200, special_tokens=special)
    else:
        fast = Tokenizer(models.BPE(unk_token=unknown))
        fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(
            vocab_size=400, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
        )
    fast.train_from_iterator(TEXTS, trainer)
    middle = f"{last} {last}" if shape == "roberta" else last
    second = "" if shape == "roberta" else ":1"
    fast.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {middle} $B{second} {last}{second}",
        special_tokens=[(first, fast.token_to_id(first)), (last, fast.token_to_id(last))],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=fast,
        cls_token=first,
        sep_token=last,
        bos_token=first,
        eos_token=last,
        pad_token=pad,
        unk_token=unknown,
        model_max_length=64,
        model_input_names=["input_ids", "attention_mask"] + (["token_type_ids"] if shape == "bert" else []),
    )
