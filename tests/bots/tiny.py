"""Tiny random models with tokenizers, written to a folder as a user's model would be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CHATML = (
    "{% for m in messages %}{{ '<|start|>' + m['role'] + '\n' + m['content'] + '<|end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start|>assistant\n' }}{% endif %}"
)
SPECIAL = ["<pad>", "<s>", "<|end|>", "<|start|>"]


def tokenizer(template: str | None) -> Any:
    """Bytes as tokens, the specials first."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {text: number for number, text in enumerate([*SPECIAL, *letters])}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens(SPECIAL)
    built = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        bos_token="<s>",
        eos_token="<|end|>",
        pad_token="<pad>",
        clean_up_tokenization_spaces=False,
    )
    built.chat_template = template
    return built


def save(folder: Path, config: Any, seed: int, template: str | None = None) -> Path:
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    torch.manual_seed(seed)
    kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
    model = kind.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # wide enough that tokens differ clearly
            if parameter.dim() > 1:
                parameter.normal_(0, 0.25)
    model.save_pretrained(folder)
    tokenizer(template).save_pretrained(folder)
    return folder


def llama(folder: Path, seed: int = 0, **changes: Any) -> Path:
    from transformers import LlamaConfig

    config = LlamaConfig(
        **{
            "vocab_size": 260,
            "hidden_size": 48,
            "intermediate_size": 64,
            "num_hidden_layers": 3,
            "num_attention_heads": 6,
            "num_key_value_heads": 2,
            "max_position_embeddings": 1024,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "pad_token_id": 0,
            **changes,
        }
    )
    return save(folder, config, seed, CHATML)


def gpt2(folder: Path, seed: int = 0) -> Path:
    from transformers import GPT2Config

    config = GPT2Config(
        vocab_size=260,
        n_positions=512,
        n_embd=48,
        n_layer=2,
        n_head=4,
        bos_token_id=2,
        eos_token_id=2,
        task_specific_params={"conversational": {"max_length": 1000}},
    )
    return save(folder, config, seed)


def gemma3(folder: Path, seed: int = 0) -> Path:
    from transformers import Gemma3TextConfig

    config = Gemma3TextConfig(
        vocab_size=260,
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=1,
        head_dim=16,
        max_position_embeddings=512,
        sliding_window=24,
        layer_types=["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"],
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
    )
    return save(folder, config, seed)


def blenderbot(folder: Path, seed: int = 0) -> Path:
    from transformers import BlenderbotConfig

    config = BlenderbotConfig(
        vocab_size=260,
        d_model=48,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=128,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
        decoder_start_token_id=1,
        forced_eos_token_id=2,
    )
    return save(folder, config, seed)


def qwen2(folder: Path, seed: int = 0, key_bias: float = 0.0) -> Path:
    """With large biases of its keys, as the real ones have."""
    import torch
    from transformers import AutoModelForCausalLM, Qwen2Config

    config = Qwen2Config(
        vocab_size=260,
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=6,
        num_key_value_heads=2,
        max_position_embeddings=512,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
    )
    save(folder, config, seed, CHATML)
    model = AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.k_proj.bias.normal_(0, key_bias)
    model.save_pretrained(folder)
    return folder
