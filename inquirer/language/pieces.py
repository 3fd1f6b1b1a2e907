"""Where one clause ends and the next begins."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.joiners import JOINERS, LEADING, RELATIVE
from inquirer.language.lead import lead_end
from inquirer.language.mending import BE, FINITE, VERBAL
from inquirer.language.phrases import ADJECTIVES, NOUNS
from inquirer.language.subject import subject_end, with_relative
from inquirer.language.tokens import Token
from inquirer.language.verbs import base

OBJECTIVE = {
    "adopt", "get", "buy", "find", "have", "make", "love", "like", "see", "own", "bring", "take", "want",
    "know", "need", "use", "meet", "raise", "build", "teach", "write", "wear", "put", "keep", "inherit",
    "rescue", "enjoy",
}  # fmt: skip


def pieces(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """(joiner, start, end) of the stretches between conjunctions and commas that a new clause follows."""
    cuts = [(0, words[0].lower if words and words[0].lower in JOINERS else "")]
    for i in range(1, len(words) - 1):
        low = words[i].lower
        if low in JOINERS and clause_follows(words, tags, i + 1) and not _held(words, tags, cuts[-1][0], i):
            cuts.append((i, low))
        elif low in {"and", "but", "then", "&"} and (
            _verb_follows(words, tags, i + 1) or (low == "and" and _goes_on(words, tags, cuts[-1][0], i))
        ):
            cuts.append((i, "and"))
        elif (
            low in RELATIVE
            and tags[i] in {"WP", "WDT", "IN"}
            and tags[i - 1] in NOUNS | {","}
            and tags[i + 1] in FINITE | {"RB"}
        ):
            cuts.append((i, low))
        elif (
            low in {",", "-", "–", "—", ":", "(", ")"}
            and words[i + 1].lower not in JOINERS
            and clause_follows(words, tags, i + 1)
            and not _adjunct(words, tags, cuts[-1], i + 1)
        ) or (
            low in {"i", "he", "she", "we", "they", "it", "my", "his", "her", "their"}
            and _runs_on(words, tags, i)
            and not _adjunct(words, tags, cuts[-1], i)
        ):
            cuts.append((i, ","))
    ends = [c[0] for c in cuts[1:]] + [len(words)]
    return [(joiner, start, end) for (start, joiner), end in zip(cuts, ends, strict=True) if end > start]


def _adjunct(words: Sequence[Token], tags: Sequence[str], cut: tuple[int, str], i: int) -> bool:
    """Whether nothing but a time stands between the cut and i: it belongs to what follows."""
    adjuncts: list[Phrase] = []
    return lead_end(words, tags, cut[0], len(words), cut[1], adjuncts) >= i and bool(adjuncts)


def _runs_on(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Chat without commas: `i love my job i am a nurse`."""
    before = words[i - 1].lower
    led = words[0].lower in LEADING and not any(x.text == "," for x in words[:i])
    if led and tags[i - 1] in {"RP", "VBN", *NOUNS} and clause_follows(words, tags, i):
        return True
    if before in JOINERS | RELATIVE | {",", "-", "–", ":", "("} or tags[i - 1] in {
        "RB",
        "CC",
        "IN",
        "TO",
        "WRB",
        "WP",
        "DT",
        "UH",
    }:
        return False
    if tags[i - 1] not in NOUNS | ADJECTIVES | {"PRP", "CD"} or not clause_follows(words, tags, i):
        return False
    # a relative clause without its pronoun (the lamp my parents had) ends the sentence with its verb
    last = len(words)
    while last > i and tags[last - 1] in {"RB", ","}:
        last -= 1
    if _gapped(words, tags, i) or _subject_goes_on(words, tags, i):
        return False
    return before not in w.EMPTY_HEADS and (
        last - i > 3 or tags[last - 1] not in {"VBD", "VBP", "VBZ", "IN", "VB", "TO", "MD"}
    )


def _held(words: Sequence[Token], tags: Sequence[str], start: int, i: int) -> bool:
    """my wife and i are …, europe is where i …: the joiner does not begin another clause."""
    low = words[i].lower
    if low == "and" and words[i + 1].lower == "i" and words[start].lower in {"my", "me"}:
        return not any(t in FINITE for t in tags[start:i])
    nominal = NOUNS | ADJECTIVES | {"DT", "PRP$", "CD"}
    if (
        low == "and"
        and tags[i + 1] in nominal
        and i
        and words[i - 1].lower == "me"
        and not _verbal(tags[start : i - 1])
    ):
        return True  # me and my dog are …
    if low == "and" and tags[i + 1] in nominal and words[start].lower != low:
        return all(t in nominal for t in tags[start:i])
    k = i - 1
    while k > start and tags[k] == "RB":
        k -= 1
    return low == "where" and words[k].lower in BE


def _verbal(tags: Sequence[str]) -> bool:
    return any(t in VERBAL | {"IN", "TO", "MD"} for t in tags)


def _goes_on(words: Sequence[Token], tags: Sequence[str], start: int, i: int) -> bool:
    """i play games and go to the gym: a base form that stands beside a finite verb of the same speaker."""
    low = [x.lower for x in words[start:i]]
    if i + 2 >= len(words) or tags[i + 1] != "VB" or base(words[i + 1].lower) != words[i + 1].lower:
        return False
    first = next((k for k in range(start, i) if tags[k] in FINITE), None)
    plain = (
        first is not None and tags[first] == "VBP" and words[first].lower not in {"do", "help", "let", "make"}
    )
    return plain and bool({"i", "we", "they"} & set(low)) and "to" not in low and tags[i - 1] not in VERBAL


def _subject_goes_on(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    start = i - 1
    while start > 0 and tags[start - 1] in NOUNS | ADJECTIVES | {"DT", "PRP$", "CD", "JJS", "RBS"}:
        start -= 1
    return with_relative(words, tags, start, i) > i


def _gapped(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """a mutt i adopted from the shelter: the object of the verb stands before its subject."""
    k = i + 1
    while k < len(words) and tags[k] in {"RB", "MD"}:
        k += 1
    if k >= len(words) or base(words[k].lower) not in OBJECTIVE or tags[i - 1] not in NOUNS:
        return False
    start = i - 1
    while start > 0 and tags[start - 1] in NOUNS | ADJECTIVES | {"CD"}:
        start -= 1
    opened = start > 0 and tags[start - 1] in {"DT", "PRP$"}
    return opened and (k + 1 == len(words) or tags[k + 1] in {"IN", "TO", "RB", ","})


def _verb_follows(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    while i < len(words) and (tags[i] == "RB" or words[i].lower in {"then", "now"}):
        i += 1
    return i < len(words) and tags[i] in FINITE


def clause_follows(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    while i < len(words) and (
        tags[i] in {"RB", "UH"} or words[i].lower in {"then", "now", "yes", ",", "and", "but", "so"}
    ):
        i += 1
    end = subject_end(words, tags, i)
    if end == i:
        return False
    while end < len(words) and tags[end] == "RB":
        end += 1
    return end < len(words) and (tags[end] in FINITE or words[end].lower in BE)
