"""Finds noun phrases in a tagged sentence."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.tagger import seen
from inquirer.language.tags import ADJECTIVES, NOUNS
from inquirer.language.tokens import Token
from inquirer.language.verbs import known

BEARERS = w.PEOPLE | w.PETS | w.BREEDS
BEFORE_NOUN = ADJECTIVES | {"CD", "PRP$", "DT", "POS", "PDT", "$", "HYPH", "VBN", "VBG", "AFX", "#"}
OF_PARTS = {"all", "some", "most", "both", "part", "half", "any", "one", "many", "each", "much"}
WHEN = {"next", "last", "this", "every", "each", "most", "all", "some", "a", "twice", "once"}
ROUGHLY = {"over", "about", "around", "almost", "nearly", "under"}
DEGREE = ROUGHLY | {"very", "really", "most", "super", "pretty", "quite", "too", "so", "only"}
FEASTS = {"christmas", "thanksgiving", "halloween", "easter", "weekends"}
NOT_IN_ONE = w.TIMES - FEASTS | {"everyday", "daily", "though", "too", "lol"}
PLENTY = [[word, "of"] for word in ("lot", "lots", "bunch", "ton", "tons", "plenty", "all")]
TITLE_JOINERS = {"of", "in", "the", "and", "to", "for", "a", "with", "on", "by", "'s", "s"}
ARTICLES = {"a", "an", "the", "some", "any", "about", "almost", "only", "just"}
LONGEST = 60  # words; a longer run is not a phrase but a wall of signs


def noun_phrase(words: Sequence[Token], tags: Sequence[str], start: int) -> int:
    """Returns the end of the noun phrase that begins at `start`, or `start` if there is none."""
    if start < len(words) and words[start].lower in {"named", "called", "born", "made", "based", "located"}:
        return start
    titled = _title(words, start)
    if titled > start:
        return titled
    i = last = start
    while i < min(len(words), start + LONGEST):
        tag = tags[i]
        if i > start and _breaks_off(words, tags, i):
            break
        if tag in NOUNS or tag == "CD" or (tag == "POS" and i > start):
            last = last if tag == "POS" else i + 1
        elif tag in BEFORE_NOUN:
            if not _goes_on(words, tags, start, i, last):
                break
            if tag in ADJECTIVES and i > start and words[i - 1].lower == "the":
                last = i + 1  # the oldest
        elif not _is_degree(words, tags, i):
            break
        i += 1
    return start if all(words[k].lower in DEGREE for k in range(start, last)) else last


def _title(words: Sequence[Token], start: int) -> int:
    """Returns the end of a title such as "The Catcher in the Rye".

    A capital `The` within a sentence opens a title.
    """
    if start == 0 or start >= len(words) or words[start].text != "The" or words[start - 1].text == "The":
        return start
    end = i = start + 1
    while i < len(words) and (words[i].text[:1].isupper() or words[i].lower in TITLE_JOINERS):
        i += 1
        end = i if words[i - 1].text[:1].isupper() else end
    return end if end > start + 1 else start


def _breaks_off(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Whether a time or another phrase begins at `i`, as in "the dog last year", "my free time painting"."""
    low, tag = words[i].lower, tags[i]
    following = words[i + 1].lower if i + 1 < len(words) else ""
    timed = low in WHEN and following in w.TIME_UNITS | w.SEASONS | w.DAYS | w.MONTHS
    if (timed and tags[i - 1] not in {"PRP$", "DT"}) or low in NOT_IN_ONE:
        return True
    if following == "ago" and low in w.TIME_UNITS and tags[i - 1] in NOUNS:
        return True  # i played softball years ago
    if tag == "VBG" and words[i - 1].lower in w.TIME_UNITS | {"time"}:
        return True
    return tag == "CD" and tags[i - 1] in NOUNS and i + 1 < len(words) and tags[i + 1] in NOUNS


def _goes_on(words: Sequence[Token], tags: Sequence[str], start: int, i: int, last: int) -> bool:
    """Whether the word continues this noun phrase. Words of its class may stand before a noun."""
    tag, before = tags[i], tags[i - 1] if i > start else ""
    if tag in {"DT", "PRP$"} and before:
        return before in {"PDT", "DT"} or words[i].lower in {"other", "all"}
    if tag in {"VBN", "VBG"}:
        return before not in NOUNS | {"CD"} and (bool(before) or _leads_to_noun(tags, i))
    return not (tag in ADJECTIVES and last > start and before in NOUNS) or _leads_to_noun(tags, i)


def _is_degree(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Whether the word only expresses a degree, as in "very old cars", "about ten dogs"."""
    low, following = words[i].lower, tags[i + 1] if i + 1 < len(words) else ""
    return (low in ROUGHLY and following == "CD") or (
        tags[i] == "RB" and low in DEGREE and following in BEFORE_NOUN - {"PRP$"}
    )


def _leads_to_noun(tags: Sequence[str], i: int) -> bool:
    for tag in tags[i + 1 : i + 4]:
        if tag in NOUNS:
            return True
        if tag not in ADJECTIVES | {"VBG", "VBN", "HYPH", "CD", "RB"}:
            return False
    return False


def apposed(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> bool:
    """Whether the last word names the thing before it, as in "my pet monkey bobo"."""
    if end - start < 3 or end - start > 5 or words[start].lower not in {"my", "our"}:
        return False
    bearer, last = words[end - 2].lower, words[end - 1].lower
    if bearer not in BEARERS or not last.isalpha() or last in w.CITIES | w.MONTHS | w.DAYS | BEARERS | w.JOBS:
        return False
    return last in w.NAMES or (tags[end - 1] in {"NN", "NNP"} and not seen(last))


def long_phrase(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """Returns the end of a noun phrase, including what follows `of` and what is joined by `and`."""
    if i + 2 < len(words) and words[i].lower in OF_PARTS and words[i + 1].lower == "of":
        end = noun_phrase(words, tags, i + 2)
        end = i if end == i + 2 else end
    else:
        end = noun_phrase(words, tags, i)
    while i < end < len(words) - 1:
        further = _joined(words, tags, i, end)
        if further <= end:
            break
        end = further
    return end


def _joined(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> int:
    """Returns the end of a phrase after `of`, `and` or a comma, or the phrase's own end if nothing is joined."""
    low = words[end].lower
    if low not in {"of", "and", "or", ",", "&", "/"}:
        return end
    first = end + (2 if low == "," and words[end + 1].lower in {"and", "or"} else 1)
    further = noun_phrase(words, tags, first)
    if further == first and first < len(words) and tags[first] == "VBG" and low != "of":
        alike = words[start].lower.endswith("ing") or words[first].lower in w.HOBBIES
        further = max(first + 1, noun_phrase(words, tags, first + 1)) if alike else first
    if further <= first or (further < len(words) and tags[further] == "RP"):
        return end
    opens = low != "of" and further < len(words) and tags[further] in {"VBZ", "VBP", "VBD", "MD"}
    return end if opens or _parts(words, tags, start, end, first) else further


def _parts(words: Sequence[Token], tags: Sequence[str], start: int, end: int, first: int) -> bool:
    """Whether the joiner at `end` does not join a second thing.

    For example "carlos medina, a driver", "get in a tub and relax".
    """
    low, second = words[end].lower, words[first].lower
    if low == ",":
        return second in w.EMPTY_HEADS | {"no"} or (second in {"a", "an"} and tags[end - 1] != "NN")
    return low == "and" and tags[first] == "NN" and words[start].lower in {"a", "an"} and second in known()


def trimmed(words: Sequence[Token], start: int, end: int) -> int:
    """Returns the start of the phrase after its article."""
    low = [x.lower for x in words[start:end]]
    many = 1 if low[:1] == ["a"] else 0
    if low[many : many + 2] in PLENTY and len(low) > many + 2:
        return trimmed(words, start + many + 2, end)
    while start < end - 1 and words[start].lower in ARTICLES and words[start + 1].lower != "of":
        start += 1
    low = [x.lower for x in words[start:end]]
    return start + (len(low) > 1 and low[0] in ROUGHLY and (low[1][0].isdigit() or low[1] in w.NUMBERS))


def head(words: Sequence[Token], start: int, end: int) -> str:
    """Returns the last word of the phrase before any preposition."""
    for i in range(start + 1, end):
        if words[i].lower in w.PREPOSITIONS | {"and", "or", ","}:
            return words[i - 1].lower
    return words[end - 1].lower if end > start else ""
