"""What all questions about `to be` share."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.questions.frame import Asked

IDENTIFYING = {
    "addiction", "address", "age", "ambition", "band", "birthday", "brand", "breed", "career", "color",
    "degree", "dream", "dreams", "drink", "enjoyment", "escape", "fear", "field", "flaw", "food", "goal",
    "goals", "guilty", "height", "hero", "hobbies", "hobby", "hometown", "idol", "inspiration", "interest",
    "interests", "job", "joy", "language", "major", "motto", "name", "names", "nationality", "nickname",
    "obsession", "occupation", "passion", "pastime", "plan", "pleasure", "power", "profession", "religion",
    "size", "skill", "song", "specialty", "sport", "stage", "strength", "subject", "superpower", "talent",
    "team", "thing", "title", "type", "weakness", "weight", "wish", "zodiac",
}  # fmt: skip
STATES = w.FEELINGS | {"good", "great", "fine", "ok", "okay", "well", "alright"}


def phrased(clause: Clause, phrase: tuple[int, int], direct: str, indirect: str, score: float) -> Asked:
    return Asked(phrase[0], phrase[1], direct, f"Could you tell me {indirect}?", score, clause)


def is_single(clause: Clause) -> bool:
    """Whether nothing but adverbs and another clause follows the first phrase."""
    return len([p for p in clause.phrases if p.kind not in {"adv", "rest"}]) == 1


def is_past(clause: Clause) -> bool:
    return clause.words[clause.verb].lower in {"was", "were"} or bool(clause.auxiliaries)
