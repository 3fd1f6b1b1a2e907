"""Finds noun phrases in a tagged sentence."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.tagger import seen
from inquirer.language.tags import ADJECTIVES, NOUNS
from inquirer.language.text import Text
from inquirer.language.tokens import Token
from inquirer.language.verbs import known

BEARERS = w.PEOPLE | w.PETS | w.BREEDS
BEFORE_NOUN = ADJECTIVES | {"CD", "PRP$", "DT", "POS", "PDT", "$", "HYPH", "VBN", "VBG", "AFX", "#"}
PARTICIPLES = {"named", "called", "born", "made", "based", "located"}
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


def noun_phrase(s: Text, start: int) -> int:
    """Returns the end of the noun phrase that begins at `start`, or `start` if there is none."""
    if s.low(start) in PARTICIPLES:
        return start
    titled = _title(s, start)
    if titled > start:
        return titled
    i = last = start
    while i < min(len(s), start + LONGEST) and not (i > start and _breaks_off(s, i)):
        tag = s.tag(i)
        if tag in NOUNS or tag == "CD" or (tag == "POS" and i > start):
            last = last if tag == "POS" else i + 1
        elif tag in BEFORE_NOUN:
            if not _goes_on(s, start, i, last):
                break
            if tag in ADJECTIVES and i > start and s.low(i - 1) == "the":
                last = i + 1  # the oldest
        elif not _is_degree(s, i):
            break
        i += 1
    return start if all(low in DEGREE for low in s.lows(start, last)) else last


def _title(s: Text, start: int) -> int:
    """Returns the end of a title such as "The Catcher in the Rye".

    A capital `The` within a sentence opens a title.
    """
    words = s.words
    if start == 0 or start >= len(s) or words[start].text != "The" or words[start - 1].text == "The":
        return start
    end = i = start + 1
    while i < len(s) and (words[i].text[:1].isupper() or words[i].lower in TITLE_JOINERS):
        i += 1
        end = i if words[i - 1].text[:1].isupper() else end
    return end if end > start + 1 else start


def _breaks_off(s: Text, i: int) -> bool:
    """Whether a time or another phrase begins at `i`, as in "the dog last year", "my free time painting"."""
    low, tag, following, before = s.low(i), s.tag(i), s.low(i + 1), s.tag(i - 1)
    timed = low in WHEN and following in w.TIME_UNITS | w.SEASONS | w.DAYS | w.MONTHS
    if (timed and before not in {"PRP$", "DT"}) or low in NOT_IN_ONE:
        return True
    if following == "ago" and low in w.TIME_UNITS and before in NOUNS:
        return True  # i played softball years ago
    if tag == "VBG" and s.low(i - 1) in w.TIME_UNITS | {"time"}:
        return True
    return tag == "CD" and before in NOUNS and s.tag(i + 1) in NOUNS


def _goes_on(s: Text, start: int, i: int, last: int) -> bool:
    """Whether the word continues this noun phrase. Words of its class may stand before a noun."""
    tag, before = s.tag(i), s.tag(i - 1) if i > start else ""
    if tag in {"DT", "PRP$"} and before:
        return before in {"PDT", "DT"} or s.low(i) in {"other", "all"}
    if tag in {"VBN", "VBG"}:
        return before not in NOUNS | {"CD"} and (bool(before) or _leads_to_noun(s, i))
    return not (tag in ADJECTIVES and last > start and before in NOUNS) or _leads_to_noun(s, i)


def _is_degree(s: Text, i: int) -> bool:
    """Whether the word only expresses a degree, as in "very old cars", "about ten dogs"."""
    low, following = s.low(i), s.tag(i + 1)
    about = low in ROUGHLY and following == "CD"
    return about or (s.tag(i) == "RB" and low in DEGREE and following in BEFORE_NOUN - {"PRP$"})


def _leads_to_noun(s: Text, i: int) -> bool:
    end = s.after(i + 1, ADJECTIVES | {"VBG", "VBN", "HYPH", "CD", "RB"})
    return end < i + 4 and s.tag(end) in NOUNS


def apposed(s: Text, start: int, end: int) -> bool:
    """Whether the last word names the thing before it, as in "my pet monkey bobo"."""
    if end - start < 3 or end - start > 5 or s.low(start) not in {"my", "our"}:
        return False
    bearer, last = s.low(end - 2), s.low(end - 1)
    if bearer not in BEARERS or not last.isalpha() or last in w.CITIES | w.MONTHS | w.DAYS | BEARERS | w.JOBS:
        return False
    return last in w.NAMES or (s.tag(end - 1) in {"NN", "NNP"} and not seen(last))


def long_phrase(s: Text, i: int) -> int:
    """Returns the end of a noun phrase, including what follows `of` and what is joined by `and`."""
    end = noun_phrase(s, i)
    if i + 2 < len(s) and s.low(i) in OF_PARTS and s.low(i + 1) == "of":
        end = noun_phrase(s, i + 2)
        end = i if end == i + 2 else end
    while i < end < len(s) - 1:
        further = _joined(s, i, end)
        if further <= end:
            break
        end = further
    return end


def _joined(s: Text, start: int, end: int) -> int:
    """Returns the end of a phrase after `of`, `and` or a comma, or the phrase's own end if nothing is joined."""
    low = s.low(end)
    if low not in {"of", "and", "or", ",", "&", "/"}:
        return end
    first = end + (2 if low == "," and s.low(end + 1) in {"and", "or"} else 1)
    further = noun_phrase(s, first)
    if further == first and s.tag(first) == "VBG" and low != "of":
        alike = s.low(start).endswith("ing") or s.low(first) in w.HOBBIES
        further = max(first + 1, noun_phrase(s, first + 1)) if alike else first
    if further <= first or s.tag(further) == "RP":
        return end
    opens = low != "of" and s.tag(further) in {"VBZ", "VBP", "VBD", "MD"}
    return end if opens or _parts(s, start, end, first) else further


def _parts(s: Text, start: int, end: int, first: int) -> bool:
    """Whether the joiner at `end` does not join a second thing.

    For example "carlos medina, a driver", "get in a tub and relax".
    """
    low, second = s.low(end), s.low(first)
    if low == ",":
        return second in w.EMPTY_HEADS | {"no"} or (second in {"a", "an"} and s.tag(end - 1) != "NN")
    return low == "and" and s.tag(first) == "NN" and s.low(start) in {"a", "an"} and second in known()


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
