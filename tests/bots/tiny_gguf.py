"""A GGUF file of a tiny Llama, written as its publisher would."""

from __future__ import annotations

from pathlib import Path

import numpy as np

VOCABULARY, WIDTH, INNER, LAYERS, HEADS, KEY_HEADS = 261, 32, 48, 2, 4, 2
KEYS = WIDTH // HEADS * KEY_HEADS
CHATML = "{% for m in messages %}{{ m['content'] }}{% endfor %}"


def write(path: Path, *, broken: bool = False, template: str = CHATML) -> Path:
    """Random numbers by a fixed seed; `broken` puts a NaN among them."""
    from gguf import GGUFWriter
    from tokenizers import pre_tokenizers

    draw = np.random.default_rng(5)
    out = GGUFWriter(path, "llama")
    out.add_context_length(256)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(INNER)
    out.add_head_count(HEADS)
    out.add_head_count_kv(KEY_HEADS)
    out.add_rope_dimension_count(WIDTH // HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_vocab_size(VOCABULARY)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    out.add_tokenizer_model("gpt2")
    out.add_token_list(["<s>", "<|im_end|>", "<|endoftext|>", "<pad>", *letters, "ab"])
    out.add_token_types([3, 3, 3, 3, *([1] * (len(letters) + 1))])
    out.add_token_merges(["a b"])
    out.add_bos_token_id(0)
    out.add_eos_token_id(1)
    out.add_pad_token_id(3)
    out.add_chat_template(template)
    shapes = {"token_embd": (VOCABULARY, WIDTH), "output": (VOCABULARY, WIDTH), "output_norm": (WIDTH,)}
    for layer in range(LAYERS):
        shapes |= {
            f"blk.{layer}.attn_q": (WIDTH, WIDTH),
            f"blk.{layer}.attn_k": (KEYS, WIDTH),
            f"blk.{layer}.attn_v": (KEYS, WIDTH),
            f"blk.{layer}.attn_output": (WIDTH, WIDTH),
            f"blk.{layer}.ffn_gate": (INNER, WIDTH),
            f"blk.{layer}.ffn_up": (INNER, WIDTH),
            f"blk.{layer}.ffn_down": (WIDTH, INNER),
            f"blk.{layer}.attn_norm": (WIDTH,),
            f"blk.{layer}.ffn_norm": (WIDTH,),
        }
    for name, shape in shapes.items():
        numbers = draw.normal(0, 0.3, shape).astype(np.float32)
        if broken and name == "output":
            numbers[3, 3] = np.nan
        out.add_tensor(f"{name}.weight", numbers)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return path
