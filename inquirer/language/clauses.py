"""Simple clauses: subject, auxiliaries, verb and the phrases that complete it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquirer.language import words as w
from inquirer.language.mending import BE, FINITE, HAVE, VERBAL, mended
from inquirer.language.phrases import ADJECTIVES, NOUNS, long_phrase, noun_phrase
from inquirer.language.tagger import tag
from inquirer.language.tokens import Token
from inquirer.language.verbs import base

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
LEADING = {"when", "whenever", "while", "after", "before"}
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
CHAIN_ING = {
    "like", "love", "enjoy", "hate", "start", "stop", "keep", "go", "prefer", "dislike", "quit", "begin",
    "finish",
    "try", "adore", "miss", "consider", "practice", "spend", "mind", "avoid", "recommend", "remember",
}  # fmt: skip
OBJECTIVE = {
    "adopt", "get", "buy", "find", "have", "make", "love", "like", "see", "own", "bring", "take", "want", "know",
    "need", "use", "meet", "raise", "build", "teach", "write", "wear", "put", "keep", "inherit", "rescue", "enjoy",
}  # fmt: skip
SAYING = {"say", "think", "believe", "claim", "insist", "know", "hope"}
WITHIN = {"of", "in", "for", "about", "from", "on", "with", "at"}
CAUSING = {"make", "let", "help"}
MASS = {"food", "music", "water", "hair", "meat", "weather", "art", "work", "money", "reading", "fashion"}
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
    tokens_ = _spoken(tuple(words))
    tags = tuple(mended(tokens_, tag(tokens_)))
    result: list[Clause] = []
    for joiner, start, end in _pieces(tokens_, tags):
        clause = _read(tokens_, tags, start, end, joiner, result[-1] if result else None)
        if clause is None:
            continue
        if clause.joiner in TIMED and result and not _names_new_fact(clause):
            main = result[-1]
            sub = Phrase("sub", clause.start, clause.end, clause.start + 1)
            result[-1] = replace(main, phrases=(*main.phrases, sub))
        opener = result[0] if len(result) == 1 else None
        if opener is not None and clause.joiner in {"", ","} and _opens(tokens_, opener):
            end = opener.end - (tokens_[opener.end - 1].lower == ",")
            sub = Phrase("sub", opener.start, end, opener.start + 1)
            clause = replace(clause, phrases=(*clause.phrases, sub))
        result.append(clause)
    return result


def _implied(words: Sequence[Token], tags: Sequence[str]) -> str:
    """The verb that a short answer leaves out: two kids, a nurse, guitar and drums, mostly country."""
    low = [x.lower for x in words]
    start = 1 if low[0] in {"just", "only", "mostly", "mainly", "yes"} else 0
    rest = low[start:]
    if rest[:2] in (["here", "in"], ["here", "at"]) and len(rest) < 10:
        return "am"
    if len(low) == 2 and low[0] in w.NAMES and low[1] == "here":
        return "am"
    if not rest or len(rest) > 6 or not set(tags[start:]) <= NOUNS | {"CD", "CC", "JJ", "DT", ","}:
        return ""
    last = rest[-1]
    if tags[start] == "CD" and len(rest) > 1 and rest[0] not in {"one", "1"}:
        offspring = w.PETS | {
            "kids",
            "children",
            "boys",
            "girls",
            "sons",
            "daughters",
            "brothers",
            "sisters",
            "siblings",
        }
        return "have" if rest[1] in offspring or (last in offspring and len(rest) == 3) else ""
    if rest[0] in {"a", "an"} and len(rest) < 5 and not start:
        return "am" if last in w.JOBS else "have" if last in w.PETS | w.BREEDS else ""
    names = [x for x in rest if x not in {"and", ",", "the"}]
    if names and all(x in w.INSTRUMENTS for x in names):
        return "play"
    return "like" if names and all(x in w.GENRES | {"music"} for x in names) else ""


def _opens(words: Sequence[Token], clause: Clause) -> bool:
    """`when i was ten ,` before what it is about."""
    brief = clause.end - clause.start <= 8
    return brief and clause.joiner in LEADING and words[clause.start].lower == clause.joiner


def _spoken(words: tuple[Token, ...]) -> tuple[Token, ...]:
    """`just cooking dinner` leaves out `i am`: without width, so that all places stay."""
    tags = mended(words, tag(words))
    i = 0
    while i < len(words) and (tags[i] == "UH" or words[i].lower in {"just", "currently", "still", ","}):
        i += 1
    if any(t in FINITE for t in tags) or words[-1].text == ",":
        return words
    implied = _implied(words, tags)
    if implied:
        place = words[0].start
        return (Token("i", "i", place, place), Token(implied, implied, place, place), *words)
    if (
        i + 1 >= len(words)
        or tags[i] != "VBG"
        or words[i].lower in {"including", "regarding", "speaking", "loving"}
    ):
        return words
    place = words[i].start
    return (*words[:i], Token("i", "i", place, place), Token("am", "am", place, place), *words[i:])


def _names_new_fact(clause: Clause) -> bool:
    return clause.end - clause.start > 9


def _pieces(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """(joiner, start, end) of the stretches between conjunctions and commas that a new clause follows."""
    cuts = [(0, words[0].lower if words and words[0].lower in JOINERS else "")]
    for i in range(1, len(words) - 1):
        low = words[i].lower
        if low in JOINERS and _clause_follows(words, tags, i + 1) and not _held(words, tags, cuts[-1][0], i):
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
            and _clause_follows(words, tags, i + 1)
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
    return _lead(words, tags, cut[0], len(words), cut[1], adjuncts) >= i and bool(adjuncts)


def _runs_on(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Chat without commas: `i love my job i am a nurse`."""
    before = words[i - 1].lower
    led = words[0].lower in LEADING and not any(x.text == "," for x in words[:i])
    if led and tags[i - 1] in {"RP", "VBN", *NOUNS} and _clause_follows(words, tags, i):
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
    if tags[i - 1] not in NOUNS | ADJECTIVES | {"PRP", "CD"} or not _clause_follows(words, tags, i):
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
    if low == "and" and tags[i + 1] in nominal and words[start].lower != low:
        return all(t in nominal for t in tags[start:i])
    k = i - 1
    while k > start and tags[k] == "RB":
        k -= 1
    return low == "where" and words[k].lower in BE


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
    return _with_relative(words, tags, start, i) > i


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
        if end == i and tags[i] == "VBG" and low not in {"doing", "feeling", "going", "being"}:
            further = noun_phrase(words, tags, i + 1)
            end = max(further, i + 1)
            end = _deed_with_place(words, tags, end)
        end = _with_places(words, tags, i, end)
    end = _with_relative(words, tags, i, end)
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


def _with_relative(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> int:
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


def inner(clause: Clause, start: int) -> Clause | None:
    """The clause that begins at `start` within another."""
    return _read(clause.words, clause.tags, start, clause.end, "", None)


def _read(
    words: tuple[Token, ...], tags: tuple[str, ...], start: int, end: int, joiner: str, before: Clause | None
) -> Clause | None:
    adjuncts: list[Phrase] = []
    i = _lead(words, tags, start, end, joiner, adjuncts)
    borrowed: tuple[Token, ...] = ()
    if any(words[k].lower in {"not", "never"} for k in range(start, min(i, end))):
        return None  # not sure i am
    if i < end and words[i].lower in {"lets", "let", "please", "thanks", "gotta", "gonna", "wanna", "happy"}:
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
                    tags[i] == "VBG"
                    and close > subject[0]
                    and (words[close - 1].lower in PURSUITS or _relative_inside(words, *subject))
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
    wished = lemma == "wish" and negation is None and _could(words, tags, i, end)
    if lemma in REPORTING - ({"wish"} if wished else set()) and _clause_follows(
        words[:end], tags[:end], i + (i < end and words[i].lower == "that")
    ):
        reported = not borrowed and words[subject[0]].lower not in {"i", "you"}
        if reported and lemma in SAYING and negation is None and not auxiliaries:
            said = i + (words[i].lower == "that")
            told = Phrase("told", said, end - (words[end - 1].text == ","), said)
            return Clause(
                words,
                tags,
                start,
                end,
                subject,
                (),
                None,
                tuple(adverbs),
                verb,
                (i, i),
                (told,),
                joiner,
                borrowed,
            )
        if lemma in {"wish"} or negation is not None or reported:
            return None
        inner = _read(words, tags, i, end, joiner, before)
        return (
            replace(inner, start=start) if inner and lemma not in {"hope", "wish", "say", "hear"} else inner
        )
    chain = _chain(words, tags, verb, i, end)
    if wished:
        chain = (i, i + 3 - (tags[i + 1] == "VBD"))  # what do you wish you could have?
    behind = chain[1] if chain[1] > chain[0] else i
    joined = behind + 1 < end and words[behind].lower == "and" and tags[behind + 1] == "VBN"
    if joined and tags[verb] == "VBN" and auxiliaries:
        behind += 2  # born and raised in ohio
    found = _phrases(words, tags, behind, end)
    deepest = base(words[chain[1] - 1].lower) if chain[1] > chain[0] else lemma
    phrases = (*_caused(tags, deepest, found), *adjuncts)
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


def _could(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    low = [x.lower for x in words[i : i + 2]]
    if i + 1 >= end or low[0] != "i":
        return False
    past = tags[i + 1] == "VBD" and low[1] not in BE
    return past or (low[1] == "could" and i + 2 < end and tags[i + 2] in {"VB", "VBP"})


def _relative_inside(words: Sequence[Token], start: int, end: int) -> bool:
    return any(x.lower == "i" for x in words[start + 1 : end - 1])


def _caused(tags: Sequence[str], lemma: str, found: list[Phrase]) -> list[Phrase]:
    """made me go to school: the bare infinitive is a phrase of its own, `bare`."""
    if lemma not in CAUSING or len(found) < 2 or found[0].kind != "np" or found[1].kind != "rest":
        return found
    rest = found[1]
    close = rest.start + 1
    while close < rest.end and tags[close] not in {"CC", ",", "WP", "WDT", "WRB"} | FINITE:
        close += 1
    if tags[rest.start] not in {"VB", "VBP"} or close != rest.end:
        return found
    return [found[0], Phrase("bare", rest.start, rest.end, rest.start)]


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
    if end - start == 2 and tags[start] in {"NN", "VBN", "JJ"} and words[end - 1].lower in MASS:
        return True
    if tags[end - 1] != "NN" or any(
        t in {"PRP$", "DT", "PRP", "CD", "NNP", "CC", "POS"} for t in tags[start:end]
    ):
        return True
    return words[start].lower.endswith("ing") or (
        end - start == 1 and words[start].lower not in {"happy", "good", "thing"}
    )


def _finite_ahead(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    while i < end and (tags[i] == "RB" or words[i].lower in {"both", "all", "each"}):
        i += 1
    return i < end and (tags[i] in FINITE | {"VBN", "VB"} or words[i].lower in BE)


def _lead(
    words: Sequence[Token], tags: Sequence[str], start: int, end: int, joiner: str, adjuncts: list[Phrase]
) -> int:
    """Where the subject begins, behind greetings, joiners and times, which become `adjuncts`."""
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
                if _timely(words, i + 1, close):
                    adjuncts.append(Phrase("pp", i, close, i + 1))
                i = close
                continue
        close = noun_phrase(words, tags, i)
        if (
            close > i
            and close < end
            and words[close - 1].lower in w.TIME_UNITS | w.DAYS
            and (tags[close] == "PRP" or words[close].lower == ",")
        ):
            if words[i].lower in {"every", "last", "next", "each"}:
                adjuncts.append(Phrase("np", i, close, i))
            i = close
            continue
        break
    return i


def _timely(words: Sequence[Token], start: int, end: int) -> bool:
    """in the spring, on weekends, for fun: what may as well stand behind the verb."""
    last = words[end - 1].lower
    return last in w.SEASONS | w.MONTHS | w.DAYS | {"fun", "weekends", "mornings", "evenings", "summers"} or (
        last in {"time", "weekend"} and end - start > 1 and words[start].lower != "this"
    )


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
    if joiner in {"and", "but"} and before is not None and tags[i] in FINITE | {"VB"}:
        return before.subject_words
    if (
        joiner in {"", ","}
        and (before is None)
        and (
            tags[i] == "VBD"
            or (tags[i] in {"VBP", "VB"} and words[i].lower in ALONE and not _urged(words, i))
        )
    ):
        return (Token("i", "i", words[i].start, words[i].start),)
    return None


def _urged(words: Sequence[Token], i: int) -> bool:
    """enjoy the breeze, enjoy your day: said to the other."""
    following = words[i + 1].lower if i + 1 < len(words) else ""
    return words[i].lower == "enjoy" and following in {"the", "your", "it", "this", "every"}


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
    taught = base(words[verb].lower) in {"know", "learn"} and [x.lower for x in words[i : i + 2]] == [
        "how",
        "to",
    ]
    if taught and i + 2 < end and tags[i + 2] in {"VB", "VBP", "NNP", "NN"}:
        return (i, i + 3)
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


def _gerund(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """The end of `playing games with my friends`."""
    first = i + 1 + (i + 1 < len(words) and words[i + 1].lower in {"out", "up", "off", "away", "around"})
    close = max(long_phrase(words, tags, first), first)
    while close + 1 < len(words) and tags[close] in {"IN", "TO"}:
        further = long_phrase(words, tags, close + 1)
        if further == close + 1:
            break
        close = further
    return close


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
        if low == "because" and i + 2 < end and words[i + 1].lower == "of":
            close = long_phrase(words, tags, i + 2)
            if close > i + 2:
                result.append(Phrase("pp", i, close, i + 2))
                i = close
                continue
        if tags[i] in {"RP", "UH"}:
            result.append(Phrase("adv", i, i + 1, i))
            i += 1
            continue
        counted = (
            low in {"about", "around", "over", "almost", "nearly", "under"}
            and i + 1 < end
            and tags[i + 1] == "CD"
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
            denied = i + 2 < end and words[i + 1].lower == "not" and tags[i + 2] == "VBG"
            if (i + 1 < end and tags[i + 1] == "VBG") or denied:
                result.append(Phrase("pp", i, end, i + 1))
                return result
            if i + 1 < end and words[i + 1].lower in w.TIMES | {"here", "there"}:
                result.append(Phrase("pp", i, i + 2, i + 1))
                i += 2
                continue
            if i + 1 >= end or tags[i + 1] in {"RB", ","} or words[i + 1].lower == "because":
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
        if tags[i] == "VBG" and result and result[-1].kind in {"np", "adv"} and words[i - 1].lower != ",":
            close = _gerund(words, tags, i)
            result.append(Phrase("ger", i, close, i))
            i = close
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
            last = result[-1]
            brief = (
                end - i <= 3
                and last.kind in {"np", "pp"}
                and last.end == i
                and tags[last.body] in {"DT", "PRP$"}
            )
            if brief and tags[end - 1] in {"VBP", "VBD", "VB"} and words[end - 1].lower not in BE | HAVE:
                result[-1] = replace(last, end=end)  # the band i formed
                return result
            result.append(Phrase("rest", i, end, i))
            return result
        pointed = low in {"those", "these"} and (i + 1 == end or tags[i + 1] in {"IN", "RB", "TO", ","})
        if tags[i] == "PRP" or pointed:
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
