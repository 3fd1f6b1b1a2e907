"""Changes sentences so that they contradict their original, or rephrases them so that they repeat it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from arena.training.judges.kinds import listed
from arena.training.judges.numbers import WORDS, word
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair

_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|has been|have been|had been|may|must)\b(?! not)", re.I
)
_NOT = re.compile(r"\b(not |never )|n't\b", re.I)
_NAME = re.compile(r"(?<=[a-z,] )((?:[A-Z][a-z]+)(?: (?:of |de |the )?[A-Z][a-z]+)*)")
_DIGITS = re.compile(r"\b\d{1,4}\b")

OPPOSITES = dict(pair.split("/") for pair in listed("opposites"))

_FRAMES = (
    "{s}", "{s}", "Yes, {s}", "I heard that {s}", "Did you know that {s}?", "I think {s}", "Well, {s}",
    "It's interesting that {s}", "That's right, {s} What do you think?", "Actually {s}",
)  # fmt: skip
_GENERIC = listed("generic")


def negated(sentence: str) -> str | None:
    if _NOT.search(sentence):
        turned = _NOT.sub("", sentence, count=1)
        return turned if turned != sentence and "n't" not in sentence else None
    match = _AUXILIARY.search(sentence)
    if not match:
        return None
    first, *rest = match.group().split()
    return sentence[: match.start()] + " ".join([first, "not", *rest]) + sentence[match.end() :]


def other_number(sentence: str, source: random.Random) -> str | None:
    digits = list(_DIGITS.finditer(sentence))
    if digits:
        drawn = source.choice(digits)
        number = int(drawn.group())
        shift = source.choice([-10, -3, -2, -1, 1, 2, 3, 5, 10, 20, 100])
        changed = str(abs(number + shift) if number + shift else number + 7)
        return (
            sentence[: drawn.start()] + changed + sentence[drawn.end() :]
            if changed != drawn.group()
            else None
        )
    words = [w for w in re.findall(r"\b[a-z]+\b", sentence) if WORDS.get(w, 0) > 1]
    if not words:
        return None
    old = source.choice(words)
    new = word(source.choice([n for n in range(2, 15) if n != WORDS[old]]))
    return re.sub(rf"\b{old}\b", new, sentence, count=1)


def opposite(sentence: str, source: random.Random) -> str | None:
    turned = OPPOSITES | {new: old for old, new in OPPOSITES.items()}
    words = [w for w in re.findall(r"\b[a-z]+\b", sentence) if w in turned]
    if not words:
        return None
    old = source.choice(words)
    return re.sub(rf"\b{old}\b", turned[old], sentence, count=1)


def other_name(sentence: str, names: list[str], source: random.Random) -> str | None:
    matches = list(_NAME.finditer(sentence))
    if not matches:
        return None
    gone = source.choice(matches)
    new = source.choice(names)
    if set(new.split()) & set(sentence.split()):
        return None
    return sentence[: gone.start()] + new + sentence[gone.end() :]


def exchanged(sentence: str) -> str | None:
    """Swap subject and object if both are names with only a few words between them."""
    match = re.match(r"((?:[A-Z][a-z]+ ?){1,3}) ((?:[a-z]+ ){1,4})((?:[A-Z][a-z]+ ?){1,3})(.*)$", sentence)
    if not match or " and " in match.group(2) or match.group(1) == match.group(3):
        return None
    first, middle, second, rest = match.groups()
    return f"{second.strip()} {middle}{first.strip()} {rest}".strip()


def perturbed(sentences: Iterable[str], source: random.Random) -> list[Pair]:
    """Return pairs of a sentence and a reply, which repeats it, contradicts it by one change, or is unrelated."""
    pool = [s for s in sentences if 6 <= len(s.split()) <= 40]
    names = [m.group() for s in pool for m in _NAME.finditer(s)]
    pairs = []
    for sentence in pool:
        changes = [
            negated(sentence),
            other_number(sentence, source),
            other_number(sentence, source),
            opposite(sentence, source),
            other_name(sentence, names, source) if names else None,
            exchanged(sentence),
        ]
        changed = [text for text in changes if text and text != sentence]
        draw = source.random()
        if draw < 0.45 and changed:
            text, label = source.choice(changed), CONTRADICTION
        elif draw < 0.85:
            clauses = re.split(r", (?=and |but |while |which )", sentence)
            text, label = (clauses[0].rstrip(".") + "." if source.random() < 0.5 else sentence), ENTAILMENT
        else:
            text, label = source.choice(_GENERIC), NEUTRAL
        if label != NEUTRAL:
            text = source.choice(_FRAMES).format(s=text)
        pairs.append(Pair(sentence, text, label))
    return pairs
