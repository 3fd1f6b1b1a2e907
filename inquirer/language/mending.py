"""Tags that this grammar's word lists know better than the tagger."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.phrases import ADJECTIVES, NOUNS
from inquirer.language.tagger import seen
from inquirer.language.tokens import Token
from inquirer.language.verbs import BASE_OF, PAST_OF, base, known

UNSURE = {
    "will",
    "may",
    "mark",
    "bill",
    "rose",
    "christian",
    "pat",
    "jordan",
    "grace",
    "jack",
    "frank",
    "art",
    "crystal",
    "amber",
    "holly",
    "daisy",
    "bear",
    "duke",
    "max",
    "mia",
    "dan",
    "rich",
    "joy",
    "hope",
    "faith",
    "nick",
    "rob",
}
BE = {"am", "'m", "m", "is", "are", "'re", "was", "were", "be", "been", "being"}
HAVE = {"have", "'ve", "ve", "has", "had", "having"}
VERBAL = {"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"}
FINITE = {"VBP", "VBZ", "VBD", "MD"}
ING_BASES = {"sing", "bring", "swing", "cling", "sting", "fling"}  # end like participles and are none
DOINGS = {
    "research",
    "business",
    "exercise",
    "dance",
    "surgery",
    "time",
    "good",
    "well",
    "ok",
    "fine",
    "paper",
}
MOTION = {"walk", "go", "drive", "bike", "commute", "ride", "get", "run", "cycle", "head"}
LONGING = {"like", "love", "want", "hate", "prefer", "plan", "use", "try", "need", "hope"}
SUBJECTIVE = {"i", "you", "he", "she", "it", "we", "they"}


def mended(words: Sequence[Token], tags: Sequence[str]) -> list[str]:
    """Tags that this grammar's word lists know better."""
    out = list(tags)
    for i, word in enumerate(words):
        low = word.lower
        before = out[i - 1] if i else "^"
        if (
            low in w.ADVERBS
            and out[i] not in {"JJ", "NN", "VB", "VBP", "IN", "EX", "UH"}
            and low not in {"just", "well"}
        ):
            out[i] = "RB"
        elif low in w.NUMBERS and low != "one":
            out[i] = "CD"
        elif low in {"likes", "loves", "hates"} and before in {"NN", "NNP", "PRP"}:
            out[i] = "VBZ"
        elif (
            out[i] == "VBZ"
            and i
            and (words[i - 1].lower in {"me", "him", "us", "them", "my", "your"} or before in {"VBP", "VBD"})
            and low[0].isalpha()
            and low not in BE
        ):
            out[i] = "NNS"
        elif (
            low == "live"
            and i + 1 < len(words)
            and words[i + 1].lower in {"music", "show", "shows", "band", "bands", "concert", "concerts"}
        ):
            out[i] = "JJ"
        elif out[i] == "NN" and words[i - 1].lower == "to" and i > 1 and base(words[i - 2].lower) in LONGING:
            out[i], out[i - 1] = "VB", "TO"
        elif out[i] == "VBG" and low in {
            "string",
            "morning",
            "evening",
            "king",
            "ring",
            "thing",
            "spring",
            "wedding",
            "ceiling",
        }:
            out[i] = "NN"
        elif low == "i":
            out[i] = "PRP"
        elif low in {
            "oh",
            "ah",
            "wow",
            "yeah",
            "yes",
            "lol",
            "haha",
            "hahaha",
            "lmao",
            "omg",
            "xd",
            "hehe",
            "oops",
            "ugh",
            "yikes",
            "whoa",
        }:
            out[i] = "UH"
        elif (
            out[i] == "VB"
            and before in {"TO", "IN"}
            and base(low) not in known()
            and not (i > 1 and base(words[i - 2].lower) in LONGING)
            and not (
                i + 1 < len(words)
                and out[i + 1] in {"DT", "PRP$", "PRP", "RP"}
                and base(words[i - 2].lower) not in MOTION
            )
        ):
            out[i], out[i - 1] = "NNP", "IN"
        elif (out[i] == "VB" and before in {"PRP", "NNS"}) or (
            out[i] == "VBD" and low in PAST_OF and PAST_OF[low] != low
        ):
            out[i] = "VBP"
        elif low == "'s" and before in {"PRP", "EX", "WP", "WRB"}:
            out[i] = "VBZ"
        elif low in {"n't", "not"} or (low == "nt" and before in {"MD", "VBP", "VBZ", "VBD"}):
            out[i] = "RB"
        elif low == "like" and out[i] in {"IN", "UH", "RB"} and _liked(words, out, i):
            out[i] = "VBP"
        elif (low in w.COLORS and out[i] in {"NNP", "VBN", "VBD"}) or (
            low == "favorite"
            and before == "PRP$"
            and i + 1 < len(words)
            and out[i + 1] in NOUNS | ADJECTIVES | {"VBG"}
        ):
            out[i] = "JJ"
    for i in range(1, len(words)):
        low, before = words[i].lower, out[i - 1]
        ends = i + 1 == len(words) or out[i + 1] not in NOUNS | ADJECTIVES | {
            "VBG",
            "VBN",
            "HYPH",
            "CD",
            "POS",
        }
        noun = low.isalpha() and low not in w.PERSONS | {"own", "bit", "left", "ago", "old", "tall", "long"}
        opened = before in {"DT", "PRP$"} and words[i - 1].lower not in {"the", "all", "that", "this", "both"}
        if (noun and opened and ends and out[i] in {"JJ", "VBN", "VB", "VBP", "RB"}) or (
            before in ADJECTIVES
            and i > 1
            and out[i - 2] in {"DT", "PRP$"}
            and ends
            and out[i] in {"JJ", "VBN", "VB", "VBP"}
            and words[i - 2].lower != "the"
        ):  # fmt: skip
            out[i] = "NN"
        elif (low in w.NAMES and low not in UNSURE and out[i] not in NOUNS | {"MD", "VBP", "VBZ"}) or (
            low in w.NAMES and low not in UNSURE and words[i - 1].lower in BE | {"'s", "named"}
        ):
            out[i] = "NNP"
        elif (
            out[i] == "VBN"
            and before in {"VBP", "VBZ", "VBD"}
            and base(words[i - 1].lower)
            not in {"be", "have", "get", "feel", "become", "look", "seem", "keep", "stay"}
            and low[-2:] != "ed"
            and low not in BASE_OF
            and words[i - 1].lower not in BE | HAVE | {"'s"}
        ):
            out[i] = "NN"
    _misread(words, out)
    _verb_found(words, out)
    return out


def _misread(words: Sequence[Token], tags: list[str]) -> None:
    """What the neighbours of a word make impossible."""
    for i, word in enumerate(words):
        low, tag = word.lower, tags[i]
        before = tags[i - 1] if i else "^"
        previous = words[i - 1].lower if i else ""
        following = tags[i + 1] if i + 1 < len(words) else "$"
        opening = all(t in {"RB", "UH", ","} for t in tags[:i])
        if low in ING_BASES and tag == "VBG":
            tags[i] = "VBP" if before in {"PRP", "NNS"} else "VB"
        elif low in {"self", "employed"} and "self" in {low, previous} and words[-1].lower != "self":
            if low == "employed" or (i + 1 < len(words) and words[i + 1].lower == "employed"):
                tags[i] = "JJ"
        elif (
            previous in {"do", "did", "does"}
            and before in {"VBP", "VBD", "VBZ"}
            and tag in {"NN", "NNP", "VBG"}
            and following not in NOUNS | {"VBG"}
            and low in known()
            and low not in DOINGS
            and i > 1
            and (tags[i - 2] in {"PRP", "RB"} or words[i - 2].lower == "i")
        ):
            tags[i] = "VB"  # i do knit, i do work at home
        elif (
            low == "work"
            and previous == "to"
            and tag == "VB"
            and i > 1
            and base(words[i - 2].lower) in MOTION
        ):
            tags[i] = "NN"  # i walk to work
        elif tag == "VBG" and low[-2:] != "in" and low[-3:] != "ing":
            tags[i] = "VBN"
        elif low == "use" and following == "TO" and tag in {"VBP", "VB"} and before == "PRP":
            tags[i] = "VBD"  # `use to` for `used to`
        elif low in w.COLORS and previous in {"color", "colors", "colour", "colours"}:
            tags[i] = "NN"
        elif (
            low == "to"
            and 0 < i < len(words) - 1
            and previous == words[i + 1].lower
            and before in NOUNS
            and i + 2 < len(words)
        ):
            tags[i - 1], tags[i] = "JJ", "JJ"  # door to door
        elif i > 1 and previous == "to" and words[i - 2].lower == low and before == "JJ":
            tags[i] = "JJ"
        elif tag == "JJ" and low in w.JOBS and following in {"$", "NN", "RB"}:
            tags[i] = "NN"
        elif tag in {"VB", "VBP"} and before == "PRP" and low in PAST_OF.values() and low not in PAST_OF:
            tags[i] = "VBD"  # i hung out
        elif (
            tag == "VBN"
            and before in {"NN", "NNP"}
            and low in PAST_OF.values()
            and not any(t in FINITE for t in tags)
        ):
            tags[i] = "VBD"  # my dad built those
        elif low in {"relax", "unwind", "enjoy", "chill", "eat"} and previous == "and" and tag in NOUNS:
            tags[i] = "VB"  # get in a tub and relax
        elif (
            previous in {"called", "named"}
            and i + 1 == len(words)
            and low not in w.COLORS | w.ADVERBS
            and i > 1
        ):
            tags[i] = "NNP"  # my pug is called corky
        elif tag == "VBD" and before in NOUNS and low in known() and low not in PAST_OF.values():
            tags[i] = "VBP"  # tv relax me
        elif low == "peanut":
            tags[i] = "NN"
        elif low == "out" and i + 1 < len(words) and words[i + 1].lower == "of" and before in FINITE | {"VB"}:
            tags[i] = "RP"  # run out of milk
        elif low in {"next", "last"} and i + 1 < len(words) and _dates(words[i + 1].lower):
            tags[i] = "JJ"  # next september
        elif low == "about" and previous in BE and following == "TO":
            tags[i] = "VBG"  # about to cook, as going to cook
        elif previous == "to" and _some_day(words, i):
            tags[i - 1 : i + 3] = ["TO", "RB", "RB", "VB"]  # to one day own a car
        elif low == "go" and previous == "my" and following in {"TO", "IN"} and words[i + 1].lower == "to":
            tags[i], tags[i + 1] = "JJ", "JJ"  # my go to snack
        elif low == "most" and following in NOUNS:
            tags[i] = "JJS"
        elif low == "us" and previous == "the":
            tags[i] = "NNP"
        elif tag == "VBN" and previous in HAVE | BE and low[-2:] != "ed" and low not in BASE_OF:
            if base(low) == low and (following in NOUNS | {"$", ","}):
                tags[i] = "NN"  # have breast cancer, is chicken soup
        elif tag in {"VB", "VBP"} and before in {"NN", "NNP"} and PAST_OF.get(low) == low:
            tags[i] = "VBD"  # my son hurt his wrist
        elif opening and low in BASE_OF and low in PAST_OF.values() and tag in {"VBN", "JJ", "NN"}:
            if following in {"DT", "PRP$", "CD", "JJ", "NNS", "PRP", "TO"} and low not in {"lost", "left"}:
                tags[i] = "VBD"  # brought some books
        elif tag == "VBZ" and low not in BE | HAVE | {"does", "'s"} and _behind_preposition(words, tags, i):
            tags[i] = "NNS" if before != "NNP" else "NNPS"  # from the galapagos islands
        elif (
            tag == "JJ"
            and not i
            and following == "VBZ"
            and (not seen(low) or words[1].lower in {"likes", "loves"})
        ):
            tags[i] = "NNP"
        elif tag == "NNS" and before == "RB" and i > 2 and tags[i - 2] == "CC" and base(low) in known():
            tags[i] = "VBZ"  # and sometimes volunteers


def _dates(word: str) -> bool:
    return word in w.MONTHS | w.DAYS | w.SEASONS


def _some_day(words: Sequence[Token], i: int) -> bool:
    said = [x.lower for x in words[i : i + 3]]
    return said[:2] == ["one", "day"] and len(said) > 2 and said[2] in known()


def _behind_preposition(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Whether a verb's form ends a phrase that a preposition opened behind another verb."""
    ends = i + 2 == len(words) and tags[i + 1] in NOUNS
    if i + 1 < len(words) and tags[i + 1] not in {",", "CC", "IN", "TO"} and not ends:
        return False
    start = i - 1
    while start >= 0 and tags[start] in NOUNS | ADJECTIVES | {"DT", "PRP$", "CD"}:
        start -= 1
    if start < 1 or start == i - 1 or tags[start] not in {"IN", "TO"}:
        return False
    verbs = [k for k in range(start) if tags[k] in FINITE]
    return bool(verbs) and base(words[verbs[-1]].lower) not in {
        "think",
        "know",
        "say",
        "guess",
        "hope",
        "like",
    }


def _verb_found(words: Sequence[Token], tags: list[str]) -> None:
    """A sentence without a finite verb: a noun that could be one is (my brother collects hats)."""
    if any(t in FINITE for t in tags):
        return
    for i in range(1, len(words)):
        low = words[i].lower
        adverbial = tags[i - 1] == "RB" and i > 1 and words[i - 2].lower in {"i", "we", "they"}
        if adverbial and tags[i] in {"NN", "VB"} and low in known():
            tags[i] = "VBP"  # i also walk my dog
            return
        if (
            tags[i] in {"NNS", "NN", "VB", "JJ"}
            and tags[i - 1] in {"NN", "NNP", "NNS", "PRP"}
            and low not in w.PEOPLE
        ):
            if (
                low.endswith("s")
                and tags[i - 1] in {"NN", "NNP"}
                and low[:-1] != low
                and base(low) in known()
                and base(low) != low
            ):
                tags[i] = "VBZ"
                return
            if tags[i - 1] == "PRP" and words[i - 1].lower not in SUBJECTIVE:
                continue
            if (
                tags[i - 1] in {"NNS", "PRP"}
                and low in known()
                and words[i - 1].lower not in {"me", "him", "them", "us"}
            ):
                tags[i] = "VBP"
                return


def _liked(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """like, the verb: behind a subject or its helper, or before an infinitive."""
    if i + 2 < len(words) and words[i + 1].lower == "to" and tags[i + 2] == "VB" and tags[i - 1] in NOUNS:
        return i > 0
    while i and tags[i - 1] == "RB":
        i -= 1
    return i > 0 and (
        words[i - 1].lower
        in {"i", "you", "we", "they", "do", "does", "did", "would", "'d", "kids", "parents"}
    )
