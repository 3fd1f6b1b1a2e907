"""Simple clauses: subject, auxiliaries, verb and the phrases that complete it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquirer.language import words as w
from inquirer.language.phrases import ADJECTIVES, NOUNS, long_phrase, noun_phrase
from inquirer.language.tagger import tag
from inquirer.language.tokens import Token
from inquirer.language.verbs import BASE_OF, PAST_OF, base, known

LEAD = {
    "yes", "no", "yeah", "yep", "nope", "well", "oh", "hi", "hello", "hey", "lol", "wow", "haha", "sorry",
    "cool",
    "nice", "ok", "okay", "sure", "great", "awesome", "ah", "hmm", "um", "thanks", "and", "but", "so", "or",
    ",",
    "actually", "also", "then", "plus", "personally", "honestly", "however", "because", "cuz", "cause",
    "since", "man",
    "unfortunately", "ya", "aw", "aww", "too", "-", "right", "true", "hopefully", "luckily", "yea", "ha",
    "yup", "hm", "omg", "if", "when", "whenever", "while", "although", "though", "as", "until", "after",
    "before", "where", "except", "which", "who", "that", "&", "maybe", "“", '"', "like",
}  # fmt: skip
REASONS = {"because", "cuz", "cause", "since"}
TIMED = {"when", "whenever", "while", "after", "before", "until", "if", "once"}
JOINERS = (
    {"and", "but", "so", "or", "plus", "then", "although", "though", "except", "where", "&", "as"}
    | REASONS
    | TIMED
)
RELATIVE = {"who", "which", "that"}
REPORTING = {
    "think",
    "guess",
    "believe",
    "hope",
    "mean",
    "suppose",
    "bet",
    "hear",
    "say",
    "swear",
    "know",
    "feel",
    "imagine",
    "wish",
}
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
PURSUITS = {
    "hobby",
    "hobbies",
    "passion",
    "fear",
    "dream",
    "goal",
    "joy",
    "job",
    "thing",
    "enjoyment",
    "love",
    "interest",
    "interests",
    "weakness",
    "pleasure",
    "activity",
    "pastime",
    "power",
    "favorite",
    "plan",
    "profession",
    "career",
}
HAVE = {"have", "'ve", "ve", "has", "had", "having"}
VERBAL = {"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"}
FINITE = {"VBP", "VBZ", "VBD", "MD"}
CHAIN_ING = {
    "like", "love", "enjoy", "hate", "start", "stop", "keep", "go", "prefer", "dislike", "quit", "begin",
    "finish",
    "try", "adore", "miss", "consider", "practice", "spend", "mind", "avoid", "recommend", "remember",
}  # fmt: skip
ALONE = {"love", "hate", "enjoy", "live", "work", "prefer"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece behind the verb: `kind` is np, pp, adj, adv, sub (a clause) or rest; all numbers are places in the words.

    `body` is where the noun phrase begins, behind a preposition.
    """

    kind: str
    start: int
    end: int
    body: int


@dataclass(frozen=True, slots=True)
class Clause:
    """`chain` holds the verbs that belong together (like to ride): the first is finite, the last has the phrases."""

    words: tuple[Token, ...]
    tags: tuple[str, ...]
    start: int
    end: int
    subject: tuple[int, int]
    auxiliaries: tuple[int, ...]
    negation: int | None
    adverbs: tuple[int, ...]
    verb: int
    chain: tuple[int, int]  # from behind the verb to the end of the last verb; empty where there is one verb
    phrases: tuple[Phrase, ...]
    joiner: str = ""
    borrowed: tuple[Token, ...] = ()  # the subject, where it stands in another clause

    @property
    def subject_words(self) -> tuple[Token, ...]:
        return self.borrowed or self.words[self.subject[0] : self.subject[1]]

    @property
    def lemma(self) -> str:
        """Base form of the finite verb."""
        return base(self.words[self.verb].lower)

    @property
    def deepest(self) -> str:
        """Base form of the last verb of the chain."""
        return base(self.words[self.chain[1] - 1].lower) if self.chain[1] > self.chain[0] else self.lemma

    @property
    def copular(self) -> bool:
        low = self.words[self.verb].lower
        return low in BE or (low == "'s" and self.tags[self.verb] != "POS")


def clauses(words: Sequence[Token]) -> list[Clause]:
    """The clauses of one sentence that could be read."""
    tokens_ = tuple(words)
    tags = tuple(_mended(tokens_, tag(words)))
    result: list[Clause] = []
    for joiner, start, end in _pieces(tokens_, tags):
        clause = _read(tokens_, tags, start, end, joiner, result[-1] if result else None)
        if clause is None:
            continue
        if clause.joiner in TIMED and result and not _names_new_fact(clause):
            main = result[-1]
            sub = Phrase("sub", clause.start, clause.end, clause.start + 1)
            result[-1] = replace(main, phrases=(*main.phrases, sub))
        result.append(clause)
    return result


def _names_new_fact(clause: Clause) -> bool:
    return clause.end - clause.start > 9


def _mended(words: Sequence[Token], tags: Sequence[str]) -> list[str]:
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
        elif (
            out[i] == "NN"
            and words[i - 1].lower == "to"
            and i > 1
            and base(words[i - 2].lower)
            in {"like", "love", "want", "hate", "prefer", "plan", "use", "try", "need", "hope"}
        ):
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
        elif low in {"oh", "ah", "wow", "yeah", "yes", "lol", "haha", "hahaha", "lmao", "omg", "xd", "hehe"}:
            out[i] = "UH"
        elif out[i] == "VB" and before in {"TO", "IN"} and base(low) not in known():
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
    _verb_found(words, out)
    return out


def _verb_found(words: Sequence[Token], tags: list[str]) -> None:
    """A sentence without a finite verb: a noun that could be one is (my brother collects hats)."""
    if any(t in FINITE for t in tags):
        return
    for i in range(1, len(words)):
        low = words[i].lower
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
            if (
                tags[i - 1] in {"NNS", "PRP"}
                and low in known()
                and words[i - 1].lower not in {"me", "him", "them", "us"}
            ):
                tags[i] = "VBP"
                return


def _liked(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """like, the verb: behind a subject or its helper."""
    while i and tags[i - 1] == "RB":
        i -= 1
    return i > 0 and (
        words[i - 1].lower
        in {"i", "you", "we", "they", "do", "does", "did", "would", "'d", "kids", "parents"}
    )


def _pieces(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """(joiner, start, end) of the stretches between conjunctions and commas that a new clause follows."""
    cuts = [(0, words[0].lower if words and words[0].lower in JOINERS else "")]
    for i in range(1, len(words) - 1):
        low = words[i].lower
        if low in JOINERS and _clause_follows(words, tags, i + 1):
            cuts.append((i, low))
        elif low in {"and", "but", "then", "&"} and _verb_follows(words, tags, i + 1):
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
            and _clause_follows(words, tags, i + 1)
        ) or (
            low in {"i", "he", "she", "we", "they", "it", "my", "his", "her", "their"}
            and _runs_on(words, tags, i)
        ):
            cuts.append((i, ","))
    ends = [c[0] for c in cuts[1:]] + [len(words)]
    return [(joiner, start, end) for (start, joiner), end in zip(cuts, ends, strict=True) if end > start]


def _runs_on(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Chat without commas: `i love my job i am a nurse`."""
    before = words[i - 1].lower
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
    if tags[i - 1] not in NOUNS | ADJECTIVES | {"PRP", "CD"} or not _clause_follows(words, tags, i):
        return False
    # a relative clause without its pronoun (the lamp my parents had) ends the sentence with its verb
    last = len(words)
    while last > i and tags[last - 1] in {"RB", ","}:
        last -= 1
    return before not in w.EMPTY_HEADS and (
        last - i > 3 or tags[last - 1] not in {"VBD", "VBP", "VBZ", "IN", "VB", "TO", "MD"}
    )


def _verb_follows(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    while i < len(words) and (tags[i] == "RB" or words[i].lower in {"then", "now"}):
        i += 1
    return i < len(words) and tags[i] in FINITE


def _clause_follows(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    while i < len(words) and (
        tags[i] in {"RB", "UH"} or words[i].lower in {"then", "now", "yes", ",", "and", "but", "so"}
    ):
        i += 1
    end = _subject(words, tags, i)
    if end == i:
        return False
    while end < len(words) and tags[end] == "RB":
        end += 1
    return end < len(words) and (tags[end] in FINITE or words[end].lower in BE)


def _subject(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
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
        if end == i and tags[i] == "VBG":
            further = noun_phrase(words, tags, i + 1)
            end = max(further, i + 1)
        while end > i and end + 1 < len(words) and words[end].lower in {"of", "in", "for", "about", "from"}:
            further = noun_phrase(words, tags, end + 1)
            if further == end + 1 or further >= len(words) or tags[further] not in FINITE | {"RB"}:
                break
            end = further
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


def _read(
    words: tuple[Token, ...], tags: tuple[str, ...], start: int, end: int, joiner: str, before: Clause | None
) -> Clause | None:
    i = _lead(words, tags, start, end, joiner)
    borrowed: tuple[Token, ...] = ()
    if i < end and words[i].lower in {"lets", "let", "please", "thanks"}:
        return None
    close = min(_subject(words, tags, i), end)
    if close > i and i < end and close < end and not _finite_ahead(words, tags, close, end):
        close = i
    if close <= i:
        close = i
        taken = _borrowed(words, tags, i, end, joiner, before)
        if taken is None:
            return None
        borrowed = taken
    subject = (i, close)
    auxiliaries: list[int] = []
    adverbs: list[int] = []
    negation: int | None = None
    verb: int | None = None
    i = close
    while i < end:
        if words[i].lower in {"n't", "nt", "not", "never"}:
            negation = i
        elif tags[i] == "RB" or (words[i].lower in {"all", "both", "each"} and verb is None):
            if verb is not None and not _verb_soon(words, tags, verb, i, end):
                break
            adverbs.append(i)
        elif tags[i] == "MD" or tags[i] in VERBAL:
            if verb is not None:
                if not _helps(words, tags, verb, i) or (
                    tags[i] == "VBG" and close > subject[0] and words[close - 1].lower in PURSUITS
                ):
                    break
                auxiliaries.append(verb)
            verb = i
        else:
            break
        i += 1
    if (
        verb is None
        or tags[verb] == "MD"
        or words[verb].lower in {"gotta", "gonna", "wanna", "lets", "please"}
    ):
        return None
    if close > subject[0] and not _stands_alone(words, tags, *subject):
        return None
    lemma = base(words[verb].lower)
    if lemma in REPORTING and _clause_follows(
        words[:end], tags[:end], i + (i < end and words[i].lower == "that")
    ):
        if (
            lemma in {"wish"}
            or negation is not None
            or (not borrowed and words[subject[0]].lower not in {"i"})
        ):
            return None
        inner = _read(words, tags, i, end, joiner, before)
        return (
            replace(inner, start=start) if inner and lemma not in {"hope", "wish", "say", "hear"} else inner
        )
    chain = _chain(words, tags, verb, i, end)
    phrases = tuple(_phrases(words, tags, chain[1] if chain[1] > chain[0] else i, end))
    return Clause(
        words,
        tags,
        start,
        end,
        subject,
        tuple(auxiliaries),
        negation,
        tuple(adverbs),
        verb,
        chain,
        phrases,
        joiner,
        borrowed,
    )


def _stands_alone(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> bool:
    """Whether the subject could be one: a single countable thing wants an article."""
    if (
        not any(
            t in NOUNS | {"PRP", "EX", "VBG", "CD", "DT", "PRP$"} or low == "my"
            for t, low in zip(tags[start:end], (x.lower for x in words[start:end]), strict=True)
        )
        and words[start].lower not in w.COLORS
    ):
        return False
    if tags[end - 1] != "NN" or any(
        t in {"PRP$", "DT", "PRP", "CD", "NNP", "CC", "POS"} for t in tags[start:end]
    ):
        return True
    return words[start].lower.endswith("ing") or (
        end - start == 1 and words[start].lower not in {"happy", "good", "thing"}
    )


def _finite_ahead(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    while i < end and tags[i] == "RB":
        i += 1
    return i < end and (tags[i] in FINITE | {"VBN", "VB"} or words[i].lower in BE)


def _lead(words: Sequence[Token], tags: Sequence[str], start: int, end: int, joiner: str) -> int:
    """Where the subject begins, behind greetings, joiners and `in my off time ,`."""
    i = start
    while i < end:
        low = words[i].lower
        if low == "no" and i + 1 < end and tags[i + 1] in NOUNS:
            break
        if low == "man" and i + 1 < end and tags[i + 1] in FINITE:
            break
        if low == "that" and i + 1 < end and tags[i + 1] in {"VBZ", "VBD"} and joiner != "that":
            break
        if low in {"as", "like"} and i + 2 < end and tags[i + 1] in {"DT", "PRP$", "NN"}:
            close = noun_phrase(words, tags, i + 1)
            if close > i + 1 and close < end and (words[close].lower == "," or tags[close] == "PRP"):
                i = close
                continue
        if (
            low in LEAD
            or tags[i] in {"RB", "UH"}
            or (i == start and low == joiner)
            or (not words[i].text[0].isalnum() and tags[i] not in {"VBP", "VBZ", "$"})
        ):
            i += 1
            continue
        if tags[i] == "IN" or low in w.PREPOSITIONS:
            close = noun_phrase(words, tags, i + 1)
            if (
                close > i + 1
                and close < end
                and (words[close].lower == "," or tags[close] == "PRP" or words[close].lower == "my")
            ):
                i = close
                continue
        close = noun_phrase(words, tags, i)
        if (
            close > i
            and close < end
            and words[close - 1].lower in w.TIME_UNITS
            and (tags[close] == "PRP" or words[close].lower == ",")
        ):
            i = close
            continue
        break
    return i


def _borrowed(
    words: Sequence[Token], tags: Sequence[str], i: int, end: int, joiner: str, before: Clause | None
) -> tuple[Token, ...] | None:
    """The subject of a clause without one: the clause before has it, or its speaker is meant."""
    if i >= end or tags[i] not in FINITE | {"VBG", "VBN", "VB"}:
        return None
    if joiner in RELATIVE:
        place = i - 1
        while place > 0 and (words[place].lower in RELATIVE or tags[place] in {"RB", ","}):
            place -= 1
        for first in range(max(0, place - 5), place + 1):
            if tags[first] == "PRP$" and noun_phrase(words, tags, first) == place + 1:
                return tuple(words[first : place + 1])
            if (
                words[first].lower in {"a", "an", "one"}
                and noun_phrase(words, tags, first) == place + 1
                and _speaker_has(before)
            ):
                return (
                    Token("my", "my", words[first].start, words[first].end),
                    *words[first + 1 : place + 1],
                )
        return None
    if joiner in {"and", "but"} and before is not None and tags[i] in FINITE:
        return before.subject_words
    if (
        joiner in {"", ","}
        and (before is None)
        and (tags[i] == "VBD" or (tags[i] in {"VBP", "VB"} and words[i].lower in ALONE))
    ):
        return (Token("i", "i", words[i].start, words[i].start),)
    return None


def _speaker_has(before: Clause | None) -> bool:
    """I have a son who …: he is my son."""
    return (
        before is not None
        and [x.lower for x in before.subject_words] in (["i"], ["we"])
        and before.lemma in {"have", "own"}
    )


def _verb_soon(words: Sequence[Token], tags: Sequence[str], verb: int, i: int, end: int) -> bool:
    """Whether the adverb stands inside the verb group (have always wanted) and not behind it."""
    while i < end and tags[i] == "RB":
        i += 1
    return i < end and (tags[i] in VERBAL) and _helps(words, tags, verb, i)


def _helps(words: Sequence[Token], tags: Sequence[str], first: int, second: int) -> bool:
    low, following = words[first].lower, tags[second]
    if tags[first] == "MD":
        return True
    if low in BE or (low == "'s" and following in {"VBG", "VBN", "VBD"}):
        return following in {"VBG", "VBN", "VBD"}
    if low in HAVE or low == "'d":
        return following in {"VBN", "VBD"}
    if low in {"do", "does", "did"}:
        return following in {"VB", "VBP"}
    return False


def _chain(words: Sequence[Token], tags: Sequence[str], verb: int, i: int, end: int) -> tuple[int, int]:
    """Further verbs: to ride, playing, going to be."""
    first = verb + 1
    last = verb + 1
    if any(tags[k] == "RB" for k in range(verb + 1, i)):
        return (first, first)
    place = i
    while place < end:
        if words[place].lower == "to" and place + 1 < end and tags[place + 1] in {"VB", "VBP"}:
            place += 2
        elif (
            words[place].lower == "to"
            and place + 2 < end
            and tags[place + 1] == "RB"
            and tags[place + 2] == "VB"
        ):
            place += 3
        elif (
            tags[place] == "VBG"
            and base(words[place - 1].lower) in CHAIN_ING
            and not _joined(words, tags, place + 1)
        ):
            place += 1
        elif (
            last > first
            and words[place].lower in {"and", "or"}
            and place + 1 < end
            and tags[place + 1] == "VB"
        ):
            place += 2
        else:
            break
        last = place
    return (first, last)


def _time_begins(words: Sequence[Token], i: int, end: int) -> bool:
    return (
        i + 1 < end
        and words[i].lower in {"next", "last", "this", "every"}
        and words[i + 1].lower in w.TIME_UNITS | w.SEASONS | w.DAYS
    )


def _joined(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """hunting and fishing: a list of activities, not a verb with its object."""
    return (
        i + 1 < len(words)
        and words[i].lower in {"and", "or", ",", "&"}
        and tags[i + 1] in {"VBG", "NN", "NNS"}
    )


def _phrases(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> list[Phrase]:
    result: list[Phrase] = []
    words, tags = words[:end], tags[:end]
    while i < end:
        start = i
        low = words[i].lower
        if low == "," and i + 1 < end and tags[i + 1] in {"IN", "RB"}:
            result.append(Phrase("rest", i, end, i))
            return result
        if low == "to" and i + 1 < end and tags[i + 1] == "VB" and result:
            close = i + 2
            while (
                close < end
                and tags[close] not in {"CC", ",", "WP", "WDT", "WRB"}
                and words[close].lower not in REASONS
            ):
                close += 1
            result.append(Phrase("inf", i, close, i + 1))
            i = close
            continue
        if low in {"named", "called"} and result:
            result.append(Phrase("rest", i, end, i))
            return result
        if tags[i] in {"RP", "UH"}:
            result.append(Phrase("adv", i, i + 1, i))
            i += 1
            continue
        counted = (
            low in {"about", "around", "over", "almost", "nearly"} and i + 1 < end and tags[i + 1] == "CD"
        )
        if not counted and (
            (tags[i] in {"IN", "TO"} and low not in {"that", "if", "because"}) or low in w.PREPOSITIONS
        ):
            close = long_phrase(words, tags, i + 1)
            if close > i + 1:
                result.append(Phrase("pp", i, close, i + 1))
                i = close
                continue
            if i + 1 < end and tags[i + 1] == "PRP":
                result.append(Phrase("pp", i, i + 2, i + 1))
                i += 2
                continue
            if i + 1 < end and tags[i + 1] == "VBG":
                result.append(Phrase("pp", i, end, i + 1))
                return result
            if i + 1 < end and words[i + 1].lower in w.TIMES | {"here", "there"}:
                result.append(Phrase("pp", i, i + 2, i + 1))
                i += 2
                continue
            if i + 1 >= end or tags[i + 1] in {"RB", ","}:
                result.append(Phrase("adv", i, i + 1, i))
                i += 1
                continue
        if (
            low == "a"
            and i + 1 < end
            and words[i + 1].lower in {"lot", "bit", "ton"}
            and (i + 2 >= end or words[i + 2].lower != "of")
        ):
            result.append(Phrase("adv", i, i + 2, i))
            i += 2
            continue
        close = long_phrase(words, tags, i)
        if close > i:
            if (words[close - 1].lower in w.TIME_UNITS and close < end and words[close].lower == "ago") or (
                words[close - 1].lower in {"years", "yrs", "months", "feet", "weeks", "year", "month"}
                and close < end
                and words[close].lower in {"old", "tall", "long"}
            ):
                close += 1
            result.append(Phrase("np", i, close, i))
            i = close
            continue
        if low in {"i", "he", "she", "we", "they"} and result:
            result.append(Phrase("rest", i, end, i))
            return result
        if tags[i] == "PRP":
            result.append(Phrase("np", i, i + 1, i))
            i += 1
            continue
        if tags[i] in ADJECTIVES | {"VBN"} or (tags[i] == "RB" and i + 1 < end and tags[i + 1] in ADJECTIVES):
            i += 1
            while (
                i < end
                and not _time_begins(words, i, end)
                and (
                    tags[i] in ADJECTIVES
                    or (tags[i] in {"CC", ",", "RB"} and i + 1 < end and tags[i + 1] in ADJECTIVES)
                )
            ):
                i += 1
            result.append(Phrase("adj", start, i, start))
            continue
        if tags[i] == "RB":
            result.append(Phrase("adv", i, i + 1, i))
            i += 1
            continue
        if tags[i] == "VBG" and not result:
            close = max(long_phrase(words, tags, i + 1), i + 1)
            while _joined(words, tags, close):
                close = max(long_phrase(words, tags, close + 1), close + 2)
            result.append(Phrase("ing", i, close, i))
            i = close
            continue
        result.append(Phrase("rest", i, end, i))
        return result
    return result
