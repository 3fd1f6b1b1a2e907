"""Noun phrases in a tagged sentence."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.tagger import seen
from inquirer.language.tokens import Token
from inquirer.language.verbs import known

BEARERS = w.PEOPLE | w.PETS | w.BREEDS
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
ADJECTIVES = {"JJ", "JJR", "JJS"}
BEFORE_NOUN = ADJECTIVES | {"CD", "PRP$", "DT", "POS", "PDT", "$", "HYPH", "VBN", "VBG", "AFX", "#"}
SPARE = {"my", "free", "spare", "extra", "off"}
PARTS = {"all", "some", "most", "both", "part", "half", "any", "one", "many", "each", "much"}
WHEN = {"next", "last", "this", "every", "each", "most", "all", "some", "a", "twice", "once"}
DEGREE = {
    "very",
    "really",
    "about",
    "almost",
    "over",
    "most",
    "around",
    "super",
    "pretty",
    "quite",
    "too",
    "so",
    "only",
}


LONGEST = 60  # words; a longer run is no phrase but a wall of signs


def noun_phrase(words: Sequence[Token], tags: Sequence[str], start: int) -> int:
    """The end of the noun phrase that begins at `start`; `start` itself where none does."""
    i, size = start, len(words)
    last = start
    while i < min(size, start + LONGEST):
        tag, low = tags[i], words[i].lower
        if (
            i > start
            and low in WHEN
            and tags[i - 1] not in {"PRP$", "DT"}
            and i + 1 < size
            and words[i + 1].lower in w.TIME_UNITS | w.SEASONS | w.DAYS | w.MONTHS
        ):
            break
        if i > start and low in w.TIMES - {"christmas", "thanksgiving", "halloween", "easter", "weekends"}:
            break
        if i > start + 1 and words[i - 1].lower == "time" and words[i - 2].lower in SPARE:
            break
        if i > start and tag == "VBG" and words[i - 1].lower in w.TIME_UNITS:
            break
        if i > start and low in {"everyday", "daily", "though", "too", "lol"}:
            break
        if i == start and low in {"named", "called", "born", "made", "based", "located"}:
            break
        if tag in NOUNS or tag == "CD" or (tag == "POS" and i > start):
            if i > start and tag == "CD" and tags[i - 1] in NOUNS and i + 1 < size and tags[i + 1] in NOUNS:
                break
            if tag != "POS":
                last = i + 1
        elif tag in BEFORE_NOUN:
            if (
                i > start
                and tag in {"DT", "PRP$"}
                and tags[i - 1] not in {"PDT", "DT"}
                and low not in {"other", "all"}
            ):
                break
            if tag in {"VBN", "VBG"} and i > start and tags[i - 1] in NOUNS | {"CD"}:
                break
            if tag in {"VBN", "VBG"} and i == start and not _leads_to_noun(tags, i):
                break
            if tag in ADJECTIVES and last > start and tags[i - 1] in NOUNS:
                if not _leads_to_noun(tags, i):
                    break
            elif tag in {"JJS", "JJ"} and i > start and words[i - 1].lower == "the":
                last = i + 1  # the oldest
        elif (
            (low == "well" and i > start and list(tags[i + 1 : i + 2]) == ["VBN"])
            or (
                low in {"over", "about", "around", "almost", "nearly", "under"}
                and list(tags[i + 1 : i + 2]) == ["CD"]
            )
            or (
                tag == "RB"
                and low in DEGREE
                and i + 1 < size
                and (
                    tags[i + 1] in BEFORE_NOUN
                    or (tags[i + 1] == "RB" and list(tags[i + 2 : i + 3]) == ["VBN"])
                )
                and tags[i + 1] not in {"PRP$"}
            )
        ):
            pass
        else:
            break
        i += 1
    if last > start and all(words[k].lower in DEGREE for k in range(start, last)):
        return start
    return last


def _leads_to_noun(tags: Sequence[str], i: int) -> bool:
    for tag in tags[i + 1 : i + 4]:
        if tag in NOUNS:
            return True
        if tag not in ADJECTIVES | {"VBG", "VBN", "HYPH", "CD", "RB"}:
            return False
    return False


def apposed(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> bool:
    """my pet monkey bobo: whether the last word names who stands before it."""
    if end - start < 3 or end - start > 5 or words[start].lower not in {"my", "our"}:
        return False
    bearer, last = words[end - 2].lower, words[end - 1].lower
    if bearer not in BEARERS or not last.isalpha() or last in w.CITIES | w.MONTHS | w.DAYS | BEARERS | w.JOBS:
        return False
    return last in w.NAMES or (tags[end - 1] in {"NN", "NNP"} and not seen(last))


def long_phrase(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """A noun phrase with what `of` adds and others that `and` joins to it."""
    if i + 2 < len(words) and words[i].lower in PARTS and words[i + 1].lower == "of":
        end = noun_phrase(words, tags, i + 2)
        end = i if end == i + 2 else end
    else:
        end = noun_phrase(words, tags, i)
    while end > i and end + 1 < len(words):
        low = words[end].lower
        if low not in {"of", "and", "or", ",", "&", "/"}:
            break
        step = 2 if low == "," and words[end + 1].lower in {"and", "or"} else 1
        further = noun_phrase(words, tags, end + step)
        if further == end + step and end + step < len(words) and tags[end + step] == "VBG" and low != "of":
            alike = words[i].lower.endswith("ing") or words[end + step].lower in w.HOBBIES
            if not alike:
                break
            further = max(end + step + 1, noun_phrase(words, tags, end + step + 1))
        if further <= end + step or (further < len(words) and tags[further] == "RP"):
            break
        second = words[end + step].lower
        if low == "," and second in w.EMPTY_HEADS | {"no"}:
            break
        if low == "and" and tags[end + step] == "NN" and words[i].lower in {"a", "an"} and second in known():
            break
        if low != "of" and further < len(words) and tags[further] in {"VBZ", "VBP", "VBD", "MD"}:
            break
        end = further
    return end


def trimmed(words: Sequence[Token], start: int, end: int) -> int:
    """The start without article."""
    low = [x.lower for x in words[start:end]]
    if low[:3] in (["a", "lot", "of"], ["a", "bunch", "of"], ["a", "ton", "of"]) and len(low) > 3:
        return trimmed(words, start + 3, end)
    if low[:2] in (["lots", "of"], ["tons", "of"], ["plenty", "of"], ["all", "of"]) and len(low) > 2:
        return trimmed(words, start + 2, end)
    articles = {"a", "an", "the", "some", "any", "about", "almost", "only", "just"}
    while start < end - 1 and words[start].lower in articles and words[start + 1].lower != "of":
        start += 1
    low = [x.lower for x in words[start:end]]
    if (
        len(low) > 1
        and low[0] in {"over", "under", "around", "nearly"}
        and (low[1][0].isdigit() or low[1] in w.NUMBERS)
    ):
        start += 1
    return start


def head(words: Sequence[Token], start: int, end: int) -> str:
    """The last word of the phrase before any preposition."""
    for i in range(start + 1, end):
        if words[i].lower in w.PREPOSITIONS | {"and", "or", ","}:
            return words[i - 1].lower
    return words[end - 1].lower if end > start else ""
