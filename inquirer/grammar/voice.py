"""Whom a question addresses: the speaker (`I` becomes `you`) or the partner (`I` stays `I`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.tokens import Token
from inquirer.person import FULL, joined, swapped

WHOLE = FULL | {"m": "am", "ve": "have", "ca": "can", "wo": "will", "cannot": "can"}
FRIENDS = {"friend", "boyfriend", "girlfriend"}


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
        out = [WHOLE.get(x.lower, x.text) for x in words] if self.partner else swapped(words)
        result = []
        for i, (word, shown) in enumerate(zip(words, out, strict=True)):
            low = word.lower
            if low == "i" and self.partner:
                shown = "I"
            elif clause is not None and word is clause.words[0] and not _name(clause):
                shown = shown if shown == "I" else shown.lower()
            elif low in {"a", "an", "the", "my", "our"} and shown[:1].isupper() and i == 0:
                shown = shown.lower()
            result.append(shown)
        return joined(result)

    def subject(self, clause: Clause) -> str:
        """Returns the subject in this voice. For example, `my cats and i` becomes `you and your cats`."""
        words = clause.subject_words
        low = [x.lower for x in words]
        if len(low) > 2 and low[0] in {"my", "our"} and low[2] not in {"and", "or", "'s", "of"}:
            owner, rest = low[1], self.say(words[2:])
            if owner.endswith("s") and owner[:-1] in w.FAMILY | w.PETS | FRIENDS:
                mark = "s'" if rest == "names" else "'s"
                return (
                    f"{self.say(words[:1])} {owner[:-1]}{mark} {rest}"  # my sisters boyfriend, my dogs name
                )
            if rest == "name" and owner in w.PETS | w.PEOPLE:
                return f"{self.say(words[:2])}'s name"  # my dog name
        if not self.partner and len(words) > 2 and [x.lower for x in words[-2:]] == ["and", "i"]:
            return f"you and {self.say(words[:-2], clause)}"
        return self.say(words, clause)

    def own(self, clause: Clause) -> bool:
        """Whether the clause is about its speaker."""
        low = [x.lower for x in clause.subject_words]
        return low in (["i"], ["we"])


def _name(clause: Clause) -> bool:
    return clause.tags[0] in {"NNP", "NNPS"} and clause.words[0].text[:1].isupper()
