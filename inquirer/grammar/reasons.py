"""Rules for reasons: why somebody does something, or is so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Clause

LONGEST = 12  # words of a reason


@rule("why", single=False, denied=True, pointed=True)
def why(r: Reading) -> Iterator[Asked | None]:
    """A clause with `because` or `so` and what it explains or follows from, or something done to reach something."""
    clause, before = r.clause, r.before
    for phrase in r.phrases:
        if r.low(phrase)[0] == "because" and phrase.kind == "pp" and not r.pointing(r.phrases):
            yield r.ask("Why", (phrase.body, phrase.end), [phrase])
        elif phrase.kind == "inf":
            yield from _purpose(r)
    if before is None or _words(clause) & w.ADDRESS or clause.end - clause.start > LONGEST:
        return
    yield from _joined(r, replace(r, clause=before))


def _joined(r: Reading, earlier: Reading) -> Iterator[Asked | None]:
    """Asks for the reason that `because` or `so` joins to what it explains."""
    clause, before = r.clause, earlier.clause
    place = (clause.start + 1, clause.end)
    if clause.joiner in w.REASONS and clause.low(clause.start - 1) != "ever":
        lasting = set(before.helpers) & {"have", "has", "'ve", "had"}
        if not (clause.joiner == "since" and lasting):
            yield _reason(earlier, place)
    elif clause.joiner == "so" and r.own and (earlier.own or earlier.mine):
        if "can" in r.helpers and not r.denied:  # i save money so i can travel
            yield _reason(earlier, place)
        elif set(r.helpers[:1]) <= {"do", "did", "am", "'m", "have", "'ve"} and (r.phrases or r.chained):
            start = before.subject[0] if before.subject[1] > before.subject[0] else before.verb
            yield _reason(r, (start, before.end - (before.words[before.end - 1].text == ",")))


def _words(clause: Clause) -> set[str]:
    return set(clause.lows(clause.start, clause.end))


def _reason(r: Reading, place: tuple[int, int]) -> Asked | None:
    """Asks for the reason of the clause. The answer is in the clause beside it."""
    clause = r.clause
    if not r.subject or r.subject[0] in w.UNASKABLE_SUBJECTS or _words(clause) & w.ADDRESS:
        return None
    bare = clause.lemma in {"do", "have"} and not clause.phrases
    subs = [p for p in clause.phrases if p.kind == "sub"]
    others = [p for p in clause.phrases if p not in subs]
    if clause.lemma in w.SAYING or bare or any(p.kind == "rest" for p in others) or r.pointing(others):
        return None
    return r.ask("Why", place, subs)


def _purpose(r: Reading) -> Iterator[Asked | None]:
    """Asks for the purpose in "i walk dogs to pay for school"."""
    phrase = next(p for p in r.phrases if p.kind == "inf")
    earlier = [p for p in r.phrases if p.start < phrase.start]
    taken = r.verb in w.PURPOSE_TAKEN or (r.chained and r.clause.lemma in w.PURPOSE_TAKEN)
    if r.denied or taken or not (r.own or r.person) or not earlier or phrase.end - phrase.start > LONGEST:
        return
    held = r.low(earlier[-1])[-1] in w.PURPOSE_HOLDING | w.EMPTY_HEADS
    plain = all(p.kind in {"np", "pp"} for p in earlier) and not held
    if plain and not r.pointing([*earlier, phrase]) and r.low(phrase)[1:2] != ["be"]:
        word, kept = ("What", (phrase, "for")) if r.verb == "use" else ("Why", None)
        yield r.ask(word, (phrase.body, phrase.end), [phrase], kept=kept)
