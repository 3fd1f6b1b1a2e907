"""How far the subject of a clause reaches, and whether it can be one."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.joiners import JOINERS
from inquirer.language.mending import BE, FINITE, VERBAL
from inquirer.language.phrases import ADJECTIVES, NOUNS, noun_phrase
from inquirer.language.tokens import Token

WITHIN = {"of", "in", "for", "about", "from", "on", "with", "at"}
MASS = {"food", "music", "water", "hair", "meat", "weather", "art", "work", "money", "reading", "fashion"}


def subject_end(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    if i >= len(words):
        return i
    low = words[i].lower
    pointing = low in {"this", "that", "these", "those"} and i + 1 < len(words) and tags[i + 1] in FINITE
    together = low == "me" and i + 1 < len(words) and words[i + 1].lower == "and"
    if (
        (tags[i] in {"PRP", "EX"} and low not in {"me", "him", "us", "them", "myself"})
        or pointing
        or together
    ):
        end = i + 1
    else:
        if (
            low in {"both", "all", "one", "most", "some", "none", "each"}
            and i + 2 < len(words)
            and words[i + 1].lower == "of"
        ):
            i += 2
        end = noun_phrase(words, tags, i)
        if (
            end == i
            and tags[i] in ADJECTIVES
            and i + 2 < len(words)
            and words[i + 1].lower in {"is", "are"}
            and words[i + 2].lower == "my"
        ):
            end = i + 1
        if end == i and tags[i] == "VBG" and low not in {"doing", "feeling", "going", "being"}:
            further = noun_phrase(words, tags, i + 1)
            end = max(further, i + 1)
            end = _deed_with_place(words, tags, end)
        end = _with_places(words, tags, i, end)
    end = with_relative(words, tags, i, end)
    if end > i and end + 1 < len(words) and words[end].lower in {"and", "&"}:
        personal = tags[end + 1] == "PRP"
        further = end + 2 if personal else noun_phrase(words, tags, end + 1)
        if (
            further > end + 1
            and further < len(words)
            and (tags[further] in {"VBP", "VBD", "MD"} or words[further].lower in {"are", "both"})
        ) and not (personal and i and tags[i - 1] in VERBAL | {"IN"}):
            end = further
    return end


def _with_places(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> int:
    """new kids on the block, the thing in common with dogs: as far as a finite verb follows."""
    reach = end
    for _ in range(2):
        if reach == start or reach + 1 >= len(words) or words[reach].lower not in WITHIN:
            break
        further = noun_phrase(words, tags, reach + 1)
        if further == reach + 1:
            break
        reach = further
        if reach < len(words) and tags[reach] in FINITE | {"RB"}:
            end = reach
    return end


def _deed_with_place(words: Sequence[Token], tags: Sequence[str], end: int) -> int:
    """going to the park is my hobby: the subject goes on with its prepositions."""
    reach = end
    for _ in range(2):
        reach += reach < len(words) and tags[reach] in {"RB", "RP"}
        if reach + 1 < len(words) and tags[reach] in {"IN", "TO"}:
            further = noun_phrase(words, tags, reach + 1)
            if further > reach + 1:
                reach = further
    follows = reach < len(words) and (tags[reach] in FINITE or words[reach].lower in BE)
    return reach if follows else end


def with_relative(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> int:
    """the last book i read was: the subject goes on to the second verb."""
    place = end + (end < len(words) and words[end].lower == "that")
    opened = end > i and words[i].lower in {"the", "my", "one", "another"}
    if not opened or place >= len(words) or words[place].lower not in {"i", "we"}:
        return end
    for k in range(place + 2, min(place + 8, len(words))):
        if words[k].lower in {"is", "was", "are", "were", "'s"}:
            inside = words[place + 1 : k]
            broken = any(x.lower in JOINERS or (not x.text[0].isalnum() and x.text[0] != "'") for x in inside)
            told = any(t in FINITE for t in tags[place + 1 : k])
            return k if told and not broken and tags[k - 1] not in {"PRP", "CC", "DT"} else end
    return end


def stands_alone(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> bool:
    """Whether the subject could be one: a single countable thing wants an article."""
    if (
        not any(
            t in NOUNS | {"PRP", "EX", "VBG", "CD", "DT", "PRP$"} or low == "my"
            for t, low in zip(tags[start:end], (x.lower for x in words[start:end]), strict=True)
        )
        and words[start].lower not in w.COLORS
    ):
        return False
    if end - start == 2 and tags[start] in {"NN", "VBN", "JJ"} and words[end - 1].lower in MASS:
        return True
    if tags[end - 1] != "NN" or any(
        t in {"PRP$", "DT", "PRP", "CD", "NNP", "CC", "POS"} for t in tags[start:end]
    ):
        return True
    return words[start].lower.endswith("ing") or (
        end - start == 1 and words[start].lower not in {"happy", "good", "thing"}
    )


def finite_ahead(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    while i < end and (tags[i] == "RB" or words[i].lower in {"both", "all", "each"}):
        i += 1
    return i < end and (tags[i] in FINITE | {"VBN", "VB"} or words[i].lower in BE)
