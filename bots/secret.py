"""A service's key.

It is read from the environment, sent in one header, and removed from everything that a server sends back.
"""

from __future__ import annotations

import base64
import os
import re
from html.entities import html5
from typing import Any

from arena.core.errors import InputError
from arena.core.safe_text import visible

HIDDEN = "***"


class Secret:
    """A key that cannot be printed by accident."""

    __slots__ = ("_pattern", "_value", "variable")

    def __init__(self, value: str, variable: str) -> None:
        self._value = value
        self._pattern = _every_form(value)
        self.variable = variable

    @classmethod
    def read(cls, variable: str) -> Secret:
        value = os.environ.get(variable, "").strip()
        if not value:
            raise InputError(
                f"The environment variable {variable} is not set: put the service's key into it."
            )
        if not value.isascii() or not value.isprintable():
            raise InputError(
                f"The environment variable {variable} contains no usable key: it has characters that cannot be sent."
            )
        return cls(value, variable)

    def header(self) -> str:
        return f"Bearer {self._value}"

    def redact(self, text: str) -> str:
        """Removes the key from a text, whether plain, escaped for JSON, HTML or a URL, or in base64.

        If it only appears once invisible characters are left out, as they are where texts are shown, they are.
        """
        text = self._pattern.sub(HIDDEN, text)
        shown = visible(text)
        return self._pattern.sub(HIDDEN, shown) if shown != text and self._pattern.search(shown) else text

    def redacted(self, value: Any) -> Any:
        """Like `redact`, for every string of a decoded JSON value, including the keys of mappings."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, dict):
            return {self.redacted(key): self.redacted(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.redacted(item) for item in value]
        return value

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def __reduce__(self) -> Any:
        raise TypeError("a secret is not pickled")


def _every_form(key: str) -> re.Pattern[str]:
    r"""Returns a pattern that matches the key in all its escaped forms.

    Each character may be escaped separately: raw, \uXXXX, \/, %XX or an HTML reference.
    """
    spelled = "".join(_escapes(c) for c in key)
    coded = [re.escape(form) for form in _base64_forms(key)]
    return re.compile("|".join([spelled, *coded]))


def _escapes(c: str) -> str:
    """Returns a pattern for the escaped forms of one character. Hexadecimal digits may have either case.

    Repeated escaping doubles the backslash or the percent sign. Every repetition is bounded, so that matching takes
    linear time.
    """
    names = "|".join(name.rstrip(";") for name, letter in html5.items() if letter == c and name[-1] == ";")
    digits = f"{ord(c):02x}"
    code = "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)
    forms = [
        rf"\\{{0,8}}{re.escape(c)}",
        rf"\\{{1,8}}u00{code}",
        rf"\\{{1,8}}x{code}",
        rf"%(?:25){{0,4}}{code}",
        rf"&(?:amp;){{0,4}}#(?:0{{0,6}}{ord(c)}|[xX]0{{0,6}}{code});?",
        *([rf"&(?:amp;){{0,4}}(?:{names});?"] if names else []),
        *([r"\+"] if c == " " else []),
    ]
    return f"(?:{'|'.join(forms)})"


def _base64_forms(key: str) -> list[str]:
    """Returns strings, about one per alignment. Every base64 text with the key contains one of these strings."""
    forms = []
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + key.encode() + b"\0" * (-(shift + len(key)) % 3)).decode()
        # The first and last groups also contain bits of adjacent characters.
        core = coded[(4 if shift else 0) : len(coded) - (4 if (shift + len(key)) % 3 else 0)]
        if len(core) >= 8:
            forms += [core, core.translate(str.maketrans("+/", "-_"))]
    return forms
