"""Finds noun phrases, the subject of a clause, and the greetings, joiners and times before the subject."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase, Text
from inquirer.language.tagger import ADJECTIVES, FINITE, NOUNS, VERBAL, seen
from inquirer.language.tokens import Token
from inquirer.language.verbs import known

BEARERS = w.PEOPLE | w.PETS | w.BREEDS
BEFORE_NOUN = ADJECTIVES | {"CD", "PRP$", "DT", "POS", "PDT", "$", "HYPH", "VBN", "VBG", "AFX", "#"}
DEGREE = w.ROUGHLY | {"very", "really", "most", "super", "pretty", "quite", "too", "so", "only"}
NOT_IN_ONE = w.TIMES - w.FEASTS | {"everyday", "daily", "though", "too", "lol"}
PLENTY = [[word, "of"] for word in ("lot", "lots", "bunch", "ton", "tons", "plenty", "all")]
LONGEST = 60  # words; a longer run is not a phrase but a wall of signs


def noun_phrase(s: Text, start: int) -> int:
    """Returns the end of the noun phrase that begins at `start`, or `start` if there is none."""
    if s.low(start) in w.PARTICIPLES:
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
    """Returns the end of a title such as "The Catcher in the Rye": within a sentence, a capital `The` opens it."""
    words = s.words
    if start == 0 or start >= len(s) or words[start].text != "The" or words[start - 1].text == "The":
        return start
    end = i = start + 1
    while i < len(s) and (words[i].text[:1].isupper() or words[i].lower in w.TITLE_JOINERS):
        i += 1
        end = i if words[i - 1].text[:1].isupper() else end
    return end if end > start + 1 else start


def _breaks_off(s: Text, i: int) -> bool:
    """Whether a time or another phrase begins at `i`, as in "the dog last year", "my free time painting"."""
    low, tag, following, before = s.low(i), s.tag(i), s.low(i + 1), s.tag(i - 1)
    timed = low in w.TIME_OPENERS and following in w.TIME_UNITS | w.SEASONS | w.DAYS | w.MONTHS
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
    about = s.low(i) in w.ROUGHLY and s.tag(i + 1) == "CD"
    return about or (s.tag(i) == "RB" and s.low(i) in DEGREE and s.tag(i + 1) in BEFORE_NOUN - {"PRP$"})


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
    if i + 2 < len(s) and s.low(i) in w.OF_PARTS and s.low(i + 1) == "of":
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
    second = s.low(first)
    apart = further <= first or s.tag(further) == "RP" or (low != "of" and s.tag(further) in FINITE)
    if low == ",":  # carlos medina, a driver
        apart |= second in w.EMPTY_HEADS | {"no"} or (second in {"a", "an"} and s.tag(end - 1) != "NN")
    if low == "and":  # get in a tub and relax
        apart |= s.tag(first) == "NN" and s.low(start) in {"a", "an"} and second in known()
    return end if apart else further


def trimmed(words: Sequence[Token], start: int, end: int) -> int:
    """Returns the start of the phrase after its article."""
    low = [x.lower for x in words[start:end]]
    many = 1 if low[:1] == ["a"] else 0
    if low[many : many + 2] in PLENTY and len(low) > many + 2:
        return trimmed(words, start + many + 2, end)
    while start < end - 1 and words[start].lower in w.ARTICLES and words[start + 1].lower != "of":
        start += 1
    low = [x.lower for x in words[start:end]]
    return start + (len(low) > 1 and low[0] in w.ROUGHLY and (low[1][0].isdigit() or low[1] in w.NUMBERS))


def head(words: Sequence[Token], start: int, end: int) -> str:
    """Returns the last word of the phrase before any preposition."""
    for i in range(start + 1, end):
        if words[i].lower in w.PREPOSITIONS | {"and", "or", ","}:
            return words[i - 1].lower
    return words[end - 1].lower if end > start else ""


SOON = w.SEASONS | w.MONTHS | w.DAYS | {"fun", "weekends", "mornings", "evenings", "summers"}


def subject_end(s: Text, i: int) -> int:
    """Returns the end of the subject that begins at `i`, or `i` if there is none."""
    low, following = s.low(i), s.low(i + 1)
    pointing = low in {"this", "that", "these", "those"} and s.tag(i + 1) in FINITE
    personal = s.tag(i) in {"PRP", "EX"} and low not in w.NOT_SUBJECTS
    if personal or pointing or (low == "me" and following == "and"):
        return _with_others(s, i, i + 1)
    end = noun_phrase(s, i + 2 if low in w.PARTS and following == "of" and i + 2 < len(s) else i)
    if end == i and s.tag(i) == "VBG" and low not in {"doing", "feeling", "going", "being"}:
        end = max(noun_phrase(s, i + 1), i + 1)
    if end == i and s.tag(i) in ADJECTIVES and following in {"is", "are"}:
        end = i + 1  # blue is my favorite
    return _with_others(s, i, _with_places(s, i, end))


def _with_others(s: Text, i: int, end: int) -> int:
    """Returns the end of several joined nouns if a plural verb follows, as in "my wife and i"."""
    if end == i or end + 1 >= len(s) or s.low(end) not in {"and", "&"}:
        return end
    personal = s.tag(end + 1) == "PRP"
    further = end + 2 if personal else noun_phrase(s, end + 1)
    if further == end + 1 or (personal and s.tag(i - 1) in VERBAL | {"IN"}):
        return end
    several = s.tag(further) in {"VBP", "VBD", "MD"} or s.low(further) in {"are", "both"}
    return further if several else end


def _with_places(s: Text, start: int, end: int) -> int:
    """Returns the end of a noun with a prepositional phrase if a finite verb follows: "new kids on the block"."""
    reach = end
    for _ in range(2):
        if reach == start or reach + 1 >= len(s) or s.low(reach) not in w.WITHIN:
            break
        further = noun_phrase(s, reach + 1)
        if further == reach + 1:
            break
        reach = further
        if s.tag(reach) in FINITE | {"RB"}:
            end = reach
    return end


def finite_ahead(s: Text, i: int) -> bool:
    i = s.after(i, {"RB"}, {"both", "all", "each"})
    return s.tag(i) in FINITE | {"VBN", "VB"} or s.low(i) in w.BE


def lead_end(s: Text, start: int, joiner: str, adjuncts: list[Phrase]) -> int:
    """Returns the position of the subject, after greetings, joiners and times. The times are added to `adjuncts`."""
    i = start
    while i < len(s):
        low, tag, following = s.low(i), s.tag(i), s.tag(i + 1)
        pointing = low == "that" and following in {"VBZ", "VBD"} and joiner != "that"
        if pointing or (low == "no" and following in NOUNS):
            break  # that was …, no dogs …: part of the subject
        sign = not s.words[i].text[0].isalnum() and tag not in {"VBP", "VBZ", "$"}
        close = _frame(s, i, adjuncts)
        if close > i:
            i = close
        elif low in w.LEAD or tag in {"RB", "UH"} or (i == start and low == joiner) or sign:
            i += 1
        else:
            break
    return i


def _frame(s: Text, i: int, adjuncts: list[Phrase]) -> int:
    """Returns the end of a phrase before the subject, or `i` if there is none: "as a nurse ,", "every day ,"."""
    low = s.low(i)
    behind = s.tag(i) == "IN" or low in w.PREPOSITIONS
    if low in w.LEAD and not (low in {"as", "like"} and s.tag(i + 1) in {"DT", "PRP$", "NN"}):
        return i
    close = noun_phrase(s, i + 1 if behind else i) if behind or s.tag(i) not in {"RB", "UH"} else i
    following = s.low(close)
    parted = following == "," or s.tag(close) == "PRP" or (behind and following == "my")
    if close <= i + behind or not parted:
        return i
    last = s.low(close - 1)
    if behind:
        if _is_timely(s, i + 1, close) and low not in {"as", "like"}:
            adjuncts.append(Phrase("pp", i, close, i + 1))
    elif last not in w.TIME_UNITS | w.DAYS:
        return i
    elif low in {"every", "last", "next", "each"}:
        adjuncts.append(Phrase("np", i, close, i))
    return close


def _is_timely(s: Text, start: int, end: int) -> bool:
    """Whether the phrase could also stand after the verb, for example "in the spring", "on weekends", "for fun"."""
    free = s.low(end - 1) in {"time", "weekend"} and end - start > 1 and s.low(start) != "this"
    return free or s.low(end - 1) in SOON
