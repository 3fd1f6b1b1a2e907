"""First and second person: whom a question addresses, and their exchange in a statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.tokens import Token, tokens

FIRST = dict(w.pairs("to-second"))
SECOND = dict(w.pairs("to-first"))
FULL = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
AGREE = {"am": "are", "'m": "are", "was": "were"}  # verb forms after `I` has become `you`
BACK = {"are": "am", "'re": "am", "were": "was"}  # verb forms after `you` has become `I`
BEGINS = {"", "but", "because", "so", "while", "what", "where", "who", "how", "why", "think", "hope", "know"}


def swapped(words: Sequence[Token]) -> list[str]:
    """Returns the words with first and second person exchanged. Verbs agree with their new subjects."""
    low = [w.lower for w in words]
    result: list[str] = []
    for i, word in enumerate(words):
        before = low[i - 1] if i else ""
        after = low[i + 1] if i + 1 < len(words) else ""
        result.append(_swap(word, before, after))
    return result


def _swap(word: Token, before: str, after: str) -> str:
    low = word.lower
    if low == "us" and (word.text == "US" or before == "the"):
        return "US"  # the country
    if low in FIRST:
        return FIRST[low]
    if low in SECOND:
        return SECOND[low]
    if low == "you":
        begins = before in BEGINS and after not in {"", "and", "or", ",", "too", "guys", "all"}
        subject = before not in w.NOT_SUBJECT_AFTER and (after in w.AFTER_YOU or begins)
        return "I" if subject or before in w.INVERTING else "me"
    if low in AGREE or low in BACK:
        one, table = ("i", AGREE) if low in AGREE else ("you", BACK)
        if before == one or (after == one and not low.startswith("'")):
            return table[low]
    return FULL.get(low, word.text) if before in FIRST or before == "you" else word.text


def joined(words: Sequence[str]) -> str:
    """Joins the words to one line, without spaces before punctuation and inside contractions."""
    out = ""
    for word in words:
        tight = word[:1] in ",.!?;:%)'’" or word.lower() in {"n't"}
        out += word if tight or not out or out[-1] in "($#" else f" {word}"
    return out


def swap(text: str) -> str:
    """Returns `text` from the other speaker's point of view."""
    words = tokens(text)
    return joined(swapped(words))


WHOLE = FULL | {"m": "am", "ve": "have", "ca": "can", "wo": "will", "cannot": "can"}


@dataclass(frozen=True, slots=True)
class Voice:
    """The point of view of a question.

    `partner` is true for questions about the asker's own statements. `topic` is the kind of thing that was
    mentioned last.
    """

    partner: bool = False
    topic: str = ""

    @property
    def you(self) -> str:
        return "I" if self.partner else "you"

    @property
    def your(self) -> str:
        return "my" if self.partner else "your"

    def say(self, words: Sequence[Token], clause: Clause | None = None) -> str:
        """Returns the words in this voice, without a capital that only marked the start of the sentence."""
        named = clause and clause.tags[0] in {"NNP", "NNPS"} and clause.words[0].text[:1].isupper()
        out = [WHOLE.get(x.lower, x.text) for x in words] if self.partner else swapped(words)
        result = []
        for i, (word, shown) in enumerate(zip(words, out, strict=True)):
            opens = clause is not None and word is clause.words[0] and not named
            article = i == 0 and word.lower in {"a", "an", "the", "my", "our"}
            if word.lower == "i" and self.partner:
                shown = "I"
            result.append(shown.lower() if (opens or article) and shown != "I" else shown)
        return joined(result)

    def subject(self, clause: Clause) -> str:
        """Returns the subject in this voice. For example, `my cats and i` becomes `you and your cats`."""
        words = clause.subject_words
        low = [x.lower for x in words]
        if low[0] in {"my", "our"} and low[2:] == ["name"] and low[1] in w.PETS | w.PEOPLE:
            return f"{self.say(words[:2])}'s name"  # my dog name
        if not self.partner and len(low) > 2 and low[-2:] == ["and", "i"]:
            return f"you and {self.say(words[:-2], clause)}"
        return self.say(words, clause)
