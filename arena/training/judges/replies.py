"""Writes yes and no answers, and swaps the speakers of a text."""

from __future__ import annotations

import random
import re

_AFFIRM = {
    "Do": "I do", "Are": "I am", "Have": "I have", "Did": "I did", "Can": "I can", "Is": "it is", "Were": "I was",
    "Does": "yes indeed", "Was": "it was", "Would": "I would",
}  # fmt: skip
_DENY = {
    "Do": "I don't", "Are": "I'm not", "Have": "I haven't", "Did": "I didn't", "Can": "I can't", "Is": "it isn't",
    "Were": "I wasn't", "Does": "not at all", "Was": "it wasn't", "Would": "I wouldn't",
}  # fmt: skip


def yes(question: str, source: random.Random) -> str:
    aux = _AFFIRM.get(question.split()[0].capitalize(), "I do")
    plain = [
        "Yes.",
        "Yes",
        "Yep.",
        "Yeah!",
        "Sure.",
        "Of course!",
        "That's right.",
        "Definitely.",
        "Absolutely.",
    ]
    full = "Yes indeed." if aux == "yes indeed" else f"{aux}.".capitalize()
    return source.choice([*plain, f"Yes, {aux}.", f"yes {aux.lower()}", full])


def no(question: str, source: random.Random) -> str:
    deny = _DENY.get(question.split()[0].capitalize(), "I don't")
    return source.choice(
        ["No.", "No", f"No, {deny}.", "Nope.", "Nah.", "Not at all.", f"no {deny}", "no way", "Not really.",
         f"{deny[:1].upper()}{deny[1:]}.", "Never.", "no, sorry"]
    )  # fmt: skip


_SWAP = {
    "i am": "you are", "i'm": "you're", "i've": "you've", "am i": "are you", "are you": "am i", "you are": "i am",
    "you're": "i'm", "i": "you", "my": "your", "your": "my", "me": "you", "you": "I", "i was": "you were",
    "were you": "was i",
}  # fmt: skip
_SWAPPED = re.compile(r"\b(" + "|".join(sorted(_SWAP, key=len, reverse=True)) + r")\b", re.I)


def swap(text: str) -> str:
    """Swap "I" and "you", so that a question about the other person's words, and its answer, change speakers."""
    turned = _SWAPPED.sub(lambda match: _SWAP[match.group().lower()], text)
    return re.sub(r"\bi\b", "I", turned)
