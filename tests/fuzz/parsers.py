"""Everything that reads what somebody else wrote, each with a limit of time for one input."""

from __future__ import annotations

import io
import json
import random
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.config.resolve import parse as configuration
from arena.core.errors import ArenaError
from arena.exchange import chat_logs, import_jsonl
from arena.labelling import files as labels
from bots import registry
from bots.secret import Secret
from bots.unpack import BadPacking, TooLong
from bots.weights import gguf_header
from bots.wire import server_words

SECONDS = 2.0  # of processor time for one input
SECRET = Secret("sk-canary/5f2e9b71", "KEY")
SERVED = registry.spec("s", "openai", {"model": "m", "base_url": "http://127.0.0.1:1/v1"})

CONFIGURATION = (
    "release: r\nturns: 3\nbots:\n  - {name: a, adapter: echo}\njudges: [truth]\ninquirer: false\n"
)
LOG = json.dumps(
    {"messages": [{"role": "user", "content": "Hi?"}, {"role": "assistant", "content": "Yes. No?"}]}
)
LABEL = json.dumps(
    {"subject": "i", "person": "p", "values": {"contradicts": True}, "note": "n", "seconds": 1}
)
SHEET = "subject,person,contradicts,note\ni,p,yes,fine\n"
ANSWER = json.dumps({"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": 1}})
PIECES = [
    "?", "=", ";", '"', "\\", "\\u0000", "\\ud800", "[", "{", "}", "]", ":", "- ", "&a ", "*a ", "\n", "\t", "\x00",
    "1e999", "9" * 4400, "null", "true", "x" * 5000, "? " * 2000, "[" * 3000, "&a [*a, *a]\n", "\N{GRINNING FACE}",
    "=1+1", "%2", "&#", "sk-canary", "\\" * 3000, "'" * 3000, " " * 5000,
]  # fmt: skip


def _answer(text: str) -> None:
    bot: Any = registry.create(SERVED)
    server_words(text, SECRET.redact)
    SECRET.redact(text)
    answer = SECRET.redacted(json.loads(text))
    bot._read(answer, {"messages": []})


def _gguf() -> str:
    """The header of a small file, as letters that stand for its bytes."""
    pack = struct.pack
    words = [b"<s>", b"</s>", b"a", b"b"]
    values = [
        (b"general.architecture", pack("<IQ", 8, 5) + b"llama"),
        (b"llama.block_count", pack("<II", 4, 2)),
        (b"tokenizer.ggml.tokens", pack("<IIQ", 9, 8, 4) + b"".join(pack("<Q", len(w)) + w for w in words)),
        (b"tokenizer.ggml.scores", pack("<IIQ4f", 9, 6, 4, 0, 0, 1, 1)),
        (b"tokenizer.chat_template", pack("<IQ", 8, 4) + b"{{}}"),
    ]
    tensors = [(b"token_embd.weight", (4, 32)), (b"output_norm.weight", (32,))]
    header = b"GGUF" + pack("<IQQ", 3, len(tensors), len(values))
    header += b"".join(pack("<Q", len(name)) + name + value for name, value in values)
    for name, shape in tensors:
        sizes = b"".join(pack("<Q", size) for size in shape)
        header += pack("<Q", len(name)) + name + pack("<I", len(shape)) + sizes + pack("<IQ", 0, 0)
    return header.decode("latin-1")


def _read_gguf(text: str) -> None:
    content = text.encode("latin-1", "replace")
    gguf_header.read(io.BytesIO(content), len(content))


PARSERS: dict[str, tuple[str, Callable[[str], object]]] = {
    "configuration": (CONFIGURATION, configuration),
    "chat log": (
        LOG,
        lambda text: [chat_logs.record(log, "r", 0) for log in chat_logs.read(io.StringIO(text), "f")],
    ),
    "labels, JSONL": (LABEL, lambda text: labels.read(io.StringIO(text), "l.jsonl")),
    "labels, CSV": (SHEET, lambda text: labels.read(io.StringIO(text, newline=""), "l.csv")),
    "exported dialogues": (LOG, lambda text: list(import_jsonl.records(io.StringIO(text), "f"))),
    "server's answer": (ANSWER, _answer),
    "GGUF header": (_gguf(), _read_gguf),
}
REFUSED = (ArenaError, BadPacking, TooLong, gguf_header.BadHeader)


def spoilt(source: str, draw: random.Random) -> str:
    """The text with pieces of it gone, doubled, or others in their place."""
    for _ in range(draw.randrange(1, 6)):
        start = draw.randrange(len(source) + 1)
        end = min(len(source), start + draw.randrange(12))
        piece = draw.choice([draw.choice(PIECES), source[start:end] * draw.randrange(4)])
        source = source[:start] + piece * draw.choice([1, 1, 1, 2, 50]) + source[end:]
    return source[:1_000_000]


def run(seconds: float, seed: int, keep: Path | None = None) -> dict[str, dict[str, float]]:
    """Inputs and the longest time of each parser; an input that breaks one is kept and raised."""
    draw = random.Random(seed)
    figures = {}
    for name, (source, parser) in PARSERS.items():
        inputs, longest, until = 0, 0.0, time.monotonic() + seconds / len(PARSERS)
        while time.monotonic() < until or inputs < 20:
            text = spoilt(source, draw)
            began = time.process_time()
            try:
                parser(text)
            except REFUSED:
                pass
            except (ValueError, RecursionError):
                if name != "server's answer":  # whose JSON the wire reads inside a net of its own
                    _keep(keep, name, text)
                    raise
            except BaseException:
                _keep(keep, name, text)
                raise
            took = time.process_time() - began
            if took > SECONDS:
                _keep(keep, name, text)
                raise AssertionError(f"{name}: {took:.1f} s for {len(text)} characters: {text[:200]!r}")
            inputs, longest = inputs + 1, max(longest, took)
        figures[name] = {"inputs": inputs, "longest": round(longest, 3)}
    return figures


def _keep(folder: Path | None, name: str, text: str) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name.replace(' ', '-')}.txt").write_text(text, encoding="utf-8", errors="surrogatepass")
