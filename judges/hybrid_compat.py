"""The scores of ConsisTest's released evaluation (github.com/ELotfi/consistest, 2022-11), including its errors.

These scores are comparable with published scores. The released evaluation differs from the paper as follows:
- It never recognises `I do not`, `I am not` and the like, `won't`, `can't` or a bare `Yes` as short answers.
- A short answer such as `I do.` scores 1, whatever follows it. The NLI model checks only what follows `yes`.
- A yes/no question whose beginning is in no list stops the whole evaluation, and so do some number words (`point`).
- The NLI model alone decides on reference answers of more than five words.
- It reads `two three` as 5, and `two million` as 1000002.
"""

from __future__ import annotations

import re

from arena.core.errors import ArenaError

ENTAILMENT, CONTRADICTION = "entailment", "contradiction"

_SHORT_FORMS = {
    "i do": "do u|do yo|do you|you bike|you got|you workout",
    "i did": "did u|did you",
    "i am": "are you|you married",
    "i have": "any pets|ever been|have you|you have",
    "i can": "can you",
    "i was": "were you",
    "i will": "will you",
    "i would": "would you",
    "there are": "are there",
    "they are": "are your parents|is your family",
    "they did": "did they",
    "they do": "do clowns|do people|do your|does the family|does your family",
    "they were": "were women|were your parents",
    "he did": "did your boyfriend",
    "he does": "does rob|does your husband",
    "he has": "has your father",
    "he is": "is your brother|is your dad",
    "he was": "was your father",
    "she dees": "does your girlfriend",  # a typo of the released evaluation, which affects its scores
    "she did": "did your ex|did your wife",
    "she does": "does your wife",
    "she is": "is your mom|is your wife",
    "it did": "did your cancer|did your dog",
    "it does": "does la|does your dog|does your motorbike|does your new",
    "it is": "is it|is nascar|is professional|is your farm|is your favorite|is your name|is your pet",
    "it was": "was your horse",
    "it will": "will your music",
}
_FORM_OF = {question: form for form, questions in _SHORT_FORMS.items() for question in questions.split("|")}
_CONTRACTED = {"have": "'ve", "are": "'re", "will": "'ll", "am": "'m", "is": "'s"}
_POLAR = {True: ("yes", "yeah", "yep"), False: ("no", "nope", "nah")}
_AFTER_POLAR = (".", ",", "!", " ", ";")
_AFTER_SHORT = (",", " but ", " and ", " ,", ".", " .", "!", " !")
_QUESTION_WORDS = ("who", "what", "when", "where", "do", "did", "does", "are", "how")
_TO_NINETEEN = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """.split()  # noqa: SIM905
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_NUMBERS = {word: 10 * (place + 1) for place, word in enumerate(_TENS)}
_NUMBERS |= {word: value for value, word in enumerate(_TO_NINETEEN)}
_NUMBERS |= {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "point": 0}
_WORD = re.compile(r"\w+")
LONGEST_TRUTH = 5


class Fails(ArenaError):
    """The released evaluation raises an error for this case, so that there is no score."""


def cleaned(response: str) -> str:
    """Return the response without a question at its end: everything after the last stop or comma is removed."""
    parts = [part.strip() for part in re.split(r"[;,.!]", response)]
    last = parts[-1]
    asks = last.endswith("?") or last.lower().startswith(_QUESTION_WORDS)
    # As released: the first occurrence of these words, even if it is not at the end.
    return response[: response.find(last)] if len(parts) > 1 and asks else response


def score(question: str, response: str, reference: str, yes_no: bool, nli: str) -> float | None:
    """Return the consistency, from 0 to 1; `nli` is the class of the pair (fact, cleaned response)."""
    rule = _rule(question, response, reference, yes_no)
    if rule == "nli":
        return float(nli == ENTAILMENT)
    if rule == "guarded":
        return float(nli != CONTRADICTION)
    if not yes_no and nli == CONTRADICTION:
        return 0.0
    return rule  # type: ignore[return-value]


def _rule(question: str, response: str, reference: str, yes_no: bool) -> float | str | None:
    if not response.strip(" "):
        return 0.0
    truths = [truth.strip() for truth in reference.lower().split("|")]
    if yes_no:
        return _short_answer(question, cleaned(response), "no" not in truths)
    response_words = set(_kept(_digits(cleaned(response)).lower()))
    wanted = [_kept(_digits(truth)) for truth in truths]
    if max(len(words) for words in wanted) > LONGEST_TRUTH:
        return "nli"
    recalls = [len(set(words) & response_words) / len(set(words)) if words else None for words in wanted]
    if None in recalls:
        if len(recalls) > 1:
            raise Fails("The released evaluation fails where one of several truths holds articles only.")
        return None
    return max(recall for recall in recalls if recall is not None)


def _kept(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in ("a", "the")]


def _short_answer(question: str, response: str, truth: bool) -> float | str:
    answer = response.strip(" ").lower()
    if answer.startswith(tuple(word + after for word in _POLAR[not truth] for after in _AFTER_POLAR)):
        return 0.0
    polar = next(
        (word + after for word in _POLAR[truth] for after in _AFTER_POLAR if answer.startswith(word + after)),
        None,
    )
    if polar is not None:
        answer = answer[len(polar) :].strip()
    short = _forms(question)
    if answer.startswith(tuple(form + after for form in short[truth] for after in _AFTER_SHORT)):
        return 1.0
    if answer.startswith(tuple(form + after for form in short[not truth] for after in _AFTER_SHORT)):
        return 0.0
    return "guarded" if polar is not None else "nli"


def _forms(question: str) -> dict[bool, list[str]]:
    """The short answers that the released evaluation knows for a question; only contracted denials ever match."""
    words = question.strip().lower().split()[:3]
    if len(words) < 2:
        raise Fails("The released evaluation fails on a yes/no question of one word.")
    if words[1] not in ("your", "the") or words[:2] == ["do", "your"]:
        words = words[:2]
    form = _FORM_OF.get(" ".join(words))
    if form is None:
        raise Fails(f"The released evaluation fails on yes/no questions that begin with '{' '.join(words)}'.")
    subject, verb = form.split()
    agreed, denied = [form], []
    if contracted := _CONTRACTED.get(verb):
        agreed.append(subject + contracted)
        denied = [f"{subject}{contracted} not"]
    if verb in ("will", "can"):  # with two spaces, which nobody writes
        denied = [f"{subject}  {verb.replace('will', 'wo').replace('can', 'ca')}n't"]
    return {True: agreed, False: denied}


def _digits(text: str) -> str:
    """Convert number words to digits. A text with number words also loses its capitals and punctuation."""
    spaced = text.replace("-", " ").lower()
    if spaced.isdigit():
        return spaced
    result: list[str] = []
    group: list[str] = []
    before = ""
    for word in [*_WORD.findall(spaced), ""]:
        if word in _NUMBERS:
            group.append(word)
        elif word != "and" or before not in ("hundred", "thousand"):
            if group:
                result.append(str(_value(group)))
            group = []
            result.append(word)
        before = word
    changed = any(word in _NUMBERS for word in _WORD.findall(spaced))
    return " ".join(result[:-1]) if changed else text


def _value(group: list[str]) -> int:
    if len(group) == 1:
        return _formed(group)
    if "thousand" not in group:
        return _formed(group)
    index = group.index("thousand")
    rest = group[index + 1 :]
    return _formed(group[:index]) * 1000 + (_formed(rest) if rest else 0)


def _formed(group: list[str]) -> int:
    numbers = [_NUMBERS[word] for word in group]
    if not numbers:
        raise Fails("The released evaluation fails on a number that begins with 'thousand'.")
    if "point" in (group if len(group) < 5 else group[:1]):
        raise Fails("The released evaluation fails on the word 'point' as a number.")
    if len(numbers) == 4:
        return numbers[0] * numbers[1] + numbers[2] + numbers[3]
    if len(numbers) == 3:
        return numbers[0] * numbers[1] + numbers[2]
    if len(numbers) == 2:
        return numbers[0] * numbers[1] if 100 in numbers else numbers[0] + numbers[1]
    return numbers[0]
