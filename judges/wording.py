"""How a question and its answer become one text that the judge reads."""

from __future__ import annotations


def hypothesis(question: str, answer: str) -> str:
    """The answer in the light of its question; without a question the answer alone."""
    question, answer = " ".join(question.split()), " ".join(answer.split())
    if not question:
        return answer
    if question[-1] not in "?.!":
        question += "?"
    return f"{question} {answer}".strip()
