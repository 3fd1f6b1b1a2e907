"""Makes text from bots and people safe for each kind of output."""

from __future__ import annotations

import html as _html
import json
import math
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
# Invisible characters to remove: direction marks, which reorder the text around them ("Trojan source"), and letters
# without a glyph, which can hide text from people but not from programs. The joiners (200c, 200d) and the choice
# between text and picture (fe0e, fe0f) are kept, because emoji and some scripts need them.
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def clean(text: str, *, lines: bool = False) -> str:
    """Make text safe to show; newlines are kept if `lines` is true.

    Escape sequences and invisible characters are removed. Control characters and lone surrogates are replaced.
    """
    text = visible(text)
    if not lines:
        text = re.sub(r"[\r\n\t\v\f\x85\u2028\u2029]+", " ", text)
    return "".join(_shown(c) for c in text)


def visible(text: str) -> str:
    """Remove escape sequences and invisible characters."""
    return _HIDDEN.sub("", _ESCAPE.sub("", text))


def cleaned(value: Any) -> Any:
    """Like `clean` with newlines, for every string of a JSON value, including the keys of mappings."""
    if isinstance(value, str):
        return clean(value, lines=True)
    if isinstance(value, dict):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    return value


def _shown(c: str) -> str:
    if c in "\n\t":
        return c
    category = unicodedata.category(c)
    return "\N{REPLACEMENT CHARACTER}" if category in ("Cc", "Cs") else c


def terminal(text: str, *, lines: bool = False) -> str:
    """Make text safe for a line on a terminal; for rich markup, use `rich_text`."""
    return clean(text, lines=lines)


def rich_text(text: str, style: str = "", *, lines: bool = False) -> Text:
    """Make a rich Text, which is never parsed as markup."""
    from rich.text import Text

    return Text(clean(text, lines=lines), style=style)


# Readers with another separator start a cell after it. Some readers strip spaces before the text, and all strip
# double quotes around it. Separators are not among what is stripped, so that matching takes linear time.
_START = '((?:\\A|[;,\\t|\\n\\r])[ \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"]*)'
_BEGINNING = re.compile(_START + r"('*)(?=[=+\-@\t\r\n＝＋－＠])")
_BEGUN = re.compile(_START + r"'('*)(?=[=+\-@\t\r\n＝＋－＠])")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def cell(value: Any, *, raw: bool = False) -> Any:
    """Make a value safe for a CSV cell: text that a spreadsheet would run as a formula gets a leading quote.

    Numbers stay unchanged. Formulas after a `;` or tab inside the text are quoted too, because some readers start a new
    cell there. Control characters are replaced.
    """
    if raw or not isinstance(value, str):
        return value
    return _BEGINNING.sub(r"\1'\2", _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value.replace("\x00", "")))


_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
DEEPEST = 50  # levels of nested lists and mappings


def uncell(text: str) -> str:
    """Reverse `cell`, except for control characters, which are not restored."""
    return _BEGUN.sub(r"\1\2", text)


def unstorable(value: Any) -> str | None:
    """Return what no database can store in a JSON value, in words, or None.

    That is a NUL, half a character, an infinite number, and what is nested too deeply to be written again.
    """
    left = [(value, 1)]
    while left:
        item, level = left.pop()
        if isinstance(item, str):
            if bad := _UNSTORABLE.search(item):
                return f"the character {bad[0]!a}"
        elif isinstance(item, float):
            if not math.isfinite(item):
                return f"the number {item}"
        elif isinstance(item, dict | list):
            if level > DEEPEST:
                return f"a value that is nested more than {DEEPEST} levels deep"
            inner = [*item, *item.values()] if isinstance(item, dict) else item
            left += [(one, level + 1) for one in inner]
    return None


def storable(value: Any) -> bool:
    """Return whether every database can store this value as JSON, and every export can write it."""
    try:
        return unstorable(json.loads(json.dumps(value, allow_nan=False))) is None
    except (TypeError, ValueError, RecursionError):
        return False


def json_on_a_terminal(text: str) -> str:
    """Escape the characters of a JSON text that a terminal would interpret."""
    return re.sub("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", lambda m: f"\\u{ord(m[0]):04x}", text)


def html(text: str, *, lines: bool = True) -> str:
    """Escape text for HTML content and quoted attributes."""
    return _html.escape(clean(text, lines=lines), quote=True)


def script_json(value: Any) -> str:
    """Return JSON that is safe inside a <script> element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    for c in "<>&\u2028\u2029":
        text = text.replace(c, f"\\u{ord(c):04x}")
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


def markdown(text: str) -> str:
    """Escape text for a Markdown table cell: no markup, links, mentions or column separators."""
    text = _html.escape(clean(text), quote=False)
    text = re.sub(r"([\\`*_{}\[\]()#+!|~^$-])", r"\\\1", text)
    return re.sub(r"@|://|www\.", lambda m: f"{m.group()[0]}\N{WORD JOINER}{m.group()[1:]}", text)


def filename(text: str, *, fallback: str = "unnamed") -> str:
    """Make text safe as part of a file name: no path, not hidden, not empty."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:80] or fallback
