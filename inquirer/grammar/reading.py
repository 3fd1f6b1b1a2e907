"""A clause as the rules see it: who does what to whom or what, where and when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from inquirer.grammar.frame import Asked, finite, have_got, helper, lowered, sentence, tail
from inquirer.grammar.time_words import is_place, time_word
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.person import Voice

CLASHING = re.compile(r"\b(of|with|at|about) (for|with|of|by)\b")
OPEN = {"any", "anymore", "either", "much", "him", "her", "anything", "everything"} | w.EMPTY_HEADS


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase as the possible answer.

    `low` holds its words in lower case without articles. `core` is its head noun, which the other words describe.
    """

    phrase: Phrase
    start: int
    low: tuple[str, ...]
    tags: tuple[str, ...]
    core: str
    gerund: bool
    following: tuple[Phrase, ...]

    @property
    def place(self) -> tuple[int, int]:
        return self.start, self.phrase.end

    @property
    def last(self) -> str:
        return self.low[-1]

    @property
    def heads(self) -> set[str]:
        return {self.core, self.last}


@dataclass(frozen=True)
class Reading:
    """A clause with the facts that rules ask for. `before` is the previous clause of the sentence."""

    clause: Clause
    voice: Voice
    before: Clause | None = None

    # ── who ───────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def subject(self) -> list[str]:
        return [x.lower for x in self.clause.subject_words]

    @cached_property
    def own(self) -> bool:
        """Whether the subject is the speaker, `i` or `we`."""
        return self.subject in (["i"], ["we"])

    @cached_property
    def mine(self) -> bool:
        """Whether the subject belongs to the speaker, for example "my dog", "our house", "my wife and i"."""
        return self.subject[0] in {"my", "our"}

    @cached_property
    def person(self) -> bool:
        """Whether the subject is a named person other than the speaker, for example "my dad" or "she"."""
        if len(self.subject) == 1:
            return self.subject[0] in {"he", "she", "they"} or self.subject[0] in w.FAMILY
        owned = self.subject[2:3] if self.subject[0] in {"both", "all", "one"} else self.subject[:1]
        known = bool({"my", "our", "his", "her", "their"} & set(owned))
        return known and (self.core in w.PEOPLE or self.subject[-2:] == ["and", "i"])

    @cached_property
    def core(self) -> str:
        """The head noun of the subject."""
        start, end = self.clause.subject
        return head(self.clause.words, start, end) if end > start else self.subject[-1]

    @cached_property
    def favorite(self) -> bool:
        return bool(w.FAVORITE & set(self.subject))

    # ── does ──────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def verb(self) -> str:
        return "have" if have_got(self.clause) else self.clause.deepest

    @property
    def verb_word(self) -> str:
        """The finite verb as it was written, in lower case."""
        return self.clause.low(self.clause.verb)

    @property
    def denied(self) -> bool:
        return self.clause.negation is not None

    @cached_property
    def loosely_denied(self) -> bool:
        """Whether the clause does not say exactly what it denies, for example "not much", "not any of it"."""
        return self.pointing(self.clause.phrases) or any(set(self.low(p)) & OPEN for p in self.clause.phrases)

    @cached_property
    def chained(self) -> bool:
        return self.clause.chained

    @cached_property
    def is_be(self) -> bool:
        """Whether the verb is a form of `be`, for example in "i am …", "my dog was …"."""
        return self.clause.copular and not self.chained and not self.clause.auxiliaries

    @cached_property
    def past(self) -> bool:
        """Whether the clause is about the past, for example "i was", "i went", "i used to go"."""
        if self.clause.copular:
            return self.verb_word in {"was", "were"}
        simple = self.clause.tags[self.clause.verb] == "VBD" and not self.clause.auxiliaries
        return simple or self.clause.lemma == "use"

    @cached_property
    def helpers(self) -> list[str]:
        return self.clause.helpers

    # ── to what ───────────────────────────────────────────────────────────────────────────────

    @cached_property
    def phrases(self) -> list[Phrase]:
        """The phrases that complete the verb, without adverbs."""
        return [p for p in self.clause.phrases if p.kind != "adv"]

    @cached_property
    def first(self) -> Phrase | None:
        return self.phrases[0] if self.phrases else None

    @cached_property
    def stated(self) -> Phrase | None:
        """The phrase after `be` that says what somebody or something is."""
        kinds = {"np", "adj", "ing"}
        return self.first if self.is_be and self.first and self.first.kind in kinds else None

    @cached_property
    def had(self) -> Phrase | None:
        """What the speaker or a named person has, for example "two dogs" in "i have two dogs"."""
        has = self.verb == "have" and (self.own or self.person)
        return self.first if has and self.first and self.first.kind == "np" else None

    @cached_property
    def alone(self) -> bool:
        """Whether only adverbs, times and other clauses follow the first phrase."""
        return all(p.kind in {"rest", "sub"} or self.time(p) for p in self.phrases[1:])

    def low(self, phrase: Phrase) -> list[str]:
        return self.clause.lows(phrase.start, phrase.end)

    def noun(self, phrase: Phrase) -> Noun:
        words, tags = self.clause.words, self.clause.tags
        start = trimmed(words, phrase.body, phrase.end)
        return Noun(
            phrase,
            start,
            tuple(x.lower for x in words[start : phrase.end]),
            tags[start : phrase.end],
            head(words, start, phrase.end),
            tags[phrase.body] == "VBG",
            tuple(p for p in self.clause.phrases if p.start >= phrase.end),
        )

    @cached_property
    def _times(self) -> dict[Phrase, str]:
        return {}

    def time(self, phrase: Phrase) -> str:
        if phrase not in self._times:
            self._times[phrase] = time_word(self.clause, phrase)
        return self._times[phrase]

    def is_place(self, phrase: Phrase) -> bool:
        opener = self.clause.low(phrase.start)
        return is_place(self.clause, trimmed(self.clause.words, phrase.body, phrase.end), phrase.end, opener)

    def pointing(self, phrases: Iterable[Phrase]) -> bool:
        """Whether a question with these phrases would refer to something that the question does not name."""
        words = {x for p in phrases for x in self.low(p) if not self.time(p)}
        return bool(words & (w.VAGUE | {"them", "you", "your", "u"}))

    @property
    def points(self) -> bool:
        return self.pointing(p for p in self.clause.phrases if p.kind != "rest")

    # ── questions ─────────────────────────────────────────────────────────────────────────────

    @property
    def subject_text(self) -> str:
        return self.voice.subject(self.clause)

    def place(self, phrase: Phrase) -> tuple[int, int]:
        """Returns the position of the phrase as an answer, without preposition and article."""
        return trimmed(self.clause.words, phrase.body, phrase.end), phrase.end

    def say(self, start: int, end: int) -> str:
        return self.voice.say(self.clause.words[start:end])

    def be(self, word: str, answer: tuple[int, int], rest: str = "", single: bool | None = None) -> Asked:
        """Returns a question with the verb `be`, for example "What is your name?" or "How old are you?"."""
        be, _ = helper(self.clause, self.voice)
        direct = sentence(word, be, self.subject_text, rest)
        return self.write(answer, direct, sentence(lowered(word), self.subject_text, be, rest), single)

    def asked_of(
        self, answer: tuple[int, int], word: str, be: str, what: str, single: bool | None = None
    ) -> Asked:
        """Returns a question such as "What is your dog's name?" for something that is not the clause's subject."""
        return self.write(answer, f"{word} {be} {what}?", f"{word} {what} {be}", single)

    def ask(
        self,
        word: str,
        answer: Phrase | tuple[int, int],
        left_out: Sequence[Phrase],
        *,
        kept: tuple[Phrase, str] | None = None,
        ending: str = "",
        single: bool | None = None,
    ) -> Asked | None:
        """Returns the clause as a question, or None if no natural question is possible.

        `kept` leaves a phrase's preposition, or `doing`, in its place; `ending` ends the question.
        """
        clause, voice = self.clause, self.voice
        behind = tail(clause, left_out, voice, kept, word)
        if behind is None or (kept and self._clashes(behind, *kept)):
            return None
        if word == "Where" and not self.chained:  # where are you living, and not: where are you still living
            fleeting = tuple(i for i in clause.adverbs if clause.low(i) not in w.LASTING_ADVERBS)
            clause = replace(clause, adverbs=fleeting)
        (first, verb), stated = helper(clause, voice), finite(clause, voice)
        if self.denied:
            first = {"can": "can't", "will": "won't", "am": "aren't"}.get(first, f"{first}n't")
            stated = f"{first} {verb}"
        direct = sentence(word, first, self.subject_text, verb, behind, ending)
        indirect = sentence("Could you tell me", lowered(word), self.subject_text, stated, behind, ending)
        place = answer if isinstance(answer, tuple) else self.place(answer)
        return Asked(*place, direct, indirect, single=single)

    def _clashes(self, behind: str, phrase: Phrase, kept: str) -> bool:
        """Whether the kept word stands badly in the question: "what are you afraid of for people?"."""
        gerund = any(p.kind == "ger" for p in self.clause.phrases)
        if gerund and kept not in {"doing", "do"} and phrase.kind == "pp":
            return True
        return f"{kept} {kept} " in f"{behind} " or CLASHING.search(behind) is not None

    def write(self, answer: tuple[int, int], direct: str, indirect: str, single: bool | None = None) -> Asked:
        """Returns a question with other words than the clause's. `indirect` is the text after "Could you tell me"."""
        text = lowered(indirect).rstrip("?")
        return Asked(*answer, direct, f"Could you tell me {text}?", single=single)
