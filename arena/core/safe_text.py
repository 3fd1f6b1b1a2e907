"""Text from bots and people is hostile: what makes it harmless in each place where it is shown."""

from __future__ import annotations

import html as _html
import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

# CSI, OSC/DCS/SOS/PM/APC up to their terminator, and two-character escapes, in their 7-bit and 8-bit forms
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# Directions that reorder what stands around them ("Trojan source")
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def clean(text: str, *, lines: bool = False) -> str:
    """Without escapes, controls, lone surrogates and direction overrides; newlines only if `lines`."""
    text = _ESCAPE.sub("", text)
    if not lines:
        text = re.sub(r"[\r\n\t\v\f\x85\u2028\u2029]+", " ", text)
    return "".join(_shown(c) for c in text)


def _shown(c: str) -> str:
    if c in "\n\t":
        return c
    if c in _BIDI:
        return ""
    category = unicodedata.category(c)
    return "\N{REPLACEMENT CHARACTER}" if category in ("Cc", "Cs") else c


def terminal(text: str, *, lines: bool = False) -> str:
    """For plain lines on a terminal (not for rich markup: use `rich_text`)."""
    return clean(text, lines=lines)


def rich_text(text: str, style: str = "", *, lines: bool = False) -> Text:
    """For rich: a Text is never parsed as markup."""
    from rich.text import Text

    return Text(clean(text, lines=lines), style=style)


def cell(value: Any, *, raw: bool = False) -> Any:
    """For a CSV cell: text that a spreadsheet would run as a formula gets a quote in front; numbers stay."""
    if raw or not isinstance(value, str):
        return value
    value = value.replace("\x00", "")
    return f"'{value}" if value.startswith(_FORMULA) else value


def html(text: str, *, lines: bool = True) -> str:
    """For HTML text and quoted attributes."""
    return _html.escape(clean(text, lines=lines), quote=True)


def script_json(value: Any) -> str:
    """JSON that may stand inside a <script> element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    for c in "<>&\u2028\u2029":
        text = text.replace(c, f"\\u{ord(c):04x}")
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


def markdown(text: str) -> str:
    """For a cell of a Markdown table: no markup, no link, no mention, no column."""
    text = _html.escape(clean(text), quote=False)
    text = re.sub(r"([\\`*_{}\[\]()#+!|~^$-])", r"\\\1", text)
    return re.sub(r"@|://|www\.", lambda m: f"{m.group()[0]}\N{WORD JOINER}{m.group()[1:]}", text)


def filename(text: str, *, fallback: str = "unnamed") -> str:
    """For a part of a file name: never a path, never hidden, never empty."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:80] or fallback
