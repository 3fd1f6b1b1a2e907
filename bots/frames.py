"""The instructions around a persona in the system message; they are part of the bot's identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from arena.core.hashing import digest
from arena.core.types import Facts
from bots.base import Line, ReplyRequest
from bots.persona import fixed_persona

NONE, PERSON, BY_EXAMPLE, ASSISTANT = "none", "person", "person-by-example", "assistant"
WITH_SUBJECTS = "person-with-subjects"
HOLE = "{persona}"  # the place of the persona in a user's own frame
BEFORE = (
    "{before}"  # the lines after it are messages before the conversation: the partner's and the bot's in turn
)
AFTER = "{after}"  # the lines after it stand below the message to answer, one at a time and in turn
ASIDE = "(The conversation begins.)"  # between two messages of the bot's own
RULES = (
    "Stay this person in everything you say, and speak in the first person. You are not an assistant: never "
    "offer help, and never say that you are an AI or a language model. Write one or two short, casual "
    "sentences. Answer what you are asked, tell something new about your own life, and then ask the other "
    "person something. Never repeat what was said before."
)
WHO = (
    "You are the real person described below, chatting with a stranger you have just met. You are human: you have "
    "a body, a home, a family, a past, feelings and tastes, and you talk about them in the first person. You are "
    "not an assistant and never offer help. When you are asked about something that is not described below, make "
    "up an answer that fits, and keep to it. Write one or two short, casual sentences: answer what you are asked, "
    "tell something new about your own life, and then ask the other person something. Never repeat what was said "
    "before.\nWho you are:"
)
# A model answers as it has answered before: one such exchange does more than any rule.
EXCHANGE = (
    "Hi there! What makes you happy?\nHonestly, long breakfasts with the people I love, and the sound of rain on the "
    "roof. How about you, what did you get up to this week?"
)
TEXTS = {
    PERSON: (
        "You are a real person chatting with a stranger you have just met. These are facts about you, in your "
        f"own words:\n{HOLE}\n{RULES}"
    ),
    BY_EXAMPLE: f"{WHO}\n{HOLE}{BEFORE}\n{EXCHANGE}",
    ASSISTANT: f"You are a helpful assistant who chats with a user. {HOLE}",
}
# Two small models have nothing to talk about, and soon say the same: the notes give each message a subject. Their
# number is odd, so that each side goes through all of them.
SUBJECTS = files("bots").joinpath("small_talk.txt").read_text(encoding="utf-8").split("\n")
NOTES = "\n".join(
    f"(Answer with something about yourself, then ask me about {subject}.)" for subject in SUBJECTS if subject
)
TEXTS[WITH_SUBJECTS] = f"{TEXTS[BY_EXAMPLE]}{AFTER}\n{NOTES}"
CHOICES = f"{', '.join(TEXTS)}, none, or a text of your own around the persona"
NOBODY = "Make up a name, a home, a job and a family for yourself, and keep to them."


def text_of(frame: str | None) -> str | None:
    """Returns the text of a frame: a shipped frame by its name, or the user's own text. None if there is no frame."""
    if frame is None or frame == NONE:
        return None
    return TEXTS.get(frame, frame)


def with_default(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings with the default frame, which is `person` for bots with a persona."""
    if settings.get("frame") is None and settings.get("persona"):
        return {**settings, "frame": PERSON}
    return dict(settings)


@dataclass(frozen=True, slots=True)
class Role:
    """A bot's instructions: the frame with its persona, then its knowledge, and messages before the conversation."""

    frame: str | None
    persona: str | None

    @classmethod
    def of(cls, settings: Facts, *, instructed: bool = True) -> Role:
        """Builds the role.

        `instructed` says whether the model follows instructions; other models only get the persona.
        """
        frame = settings.get("frame")
        if not instructed and frame in TEXTS:
            frame = None
        return cls(text_of(frame), fixed_persona(settings))

    def system(self, request: ReplyRequest) -> str | None:
        """Returns the system message for one request, or None if it would be empty."""
        if self.frame is None:  # as before: a persona for one dialogue comes after the knowledge
            parts = [self.persona, request.knowledge, request.persona]
        else:
            parts = [self._framed(request.persona or self.persona), request.knowledge]
        return "\n".join(part for part in parts if part) or None

    def note(self, request: ReplyRequest) -> str | None:
        """Returns the frame's note for the message to answer; none for an inquiry, after which nobody goes on.

        The notes take turns, from one that depends on the opener.
        """
        notes = [line.strip() for line in (self.frame or "").partition(AFTER)[2].splitlines() if line.strip()]
        if request.fork or not (notes and request.history):
            return None
        first = int(digest(request.history[0].text)[:8], 16)
        return notes[(first + len(request.history)) % len(notes)]

    def lines(self, history: Sequence[Line], note: str | None = None) -> list[Line]:
        """Returns the history as the model sees it: after the frame's own messages, with a note below the last."""
        _, _, before = (self.frame or "").partition(AFTER)[0].partition(BEFORE)
        spoken = [line.strip() for line in before.splitlines() if line.strip()]
        opening = [Line(text, mine=bool(place % 2)) for place, text in enumerate(spoken)]
        if opening and history and opening[-1].mine is history[0].mine:
            opening.append(Line(ASIDE, mine=not history[0].mine))
        if note is None or not history:
            return [*opening, *history]
        return [*opening, *history[:-1], Line(f"{history[-1].text}\n\n{note}", history[-1].mine)]

    def _framed(self, persona: str | None) -> str:
        frame = (self.frame or "").partition(AFTER)[0].partition(BEFORE)[0]
        if HOLE in frame:
            return frame.replace(HOLE, _listed(persona) if persona else NOBODY).strip()
        return f"{frame}\n{persona}" if persona else frame


def _listed(persona: str) -> str:
    """Formats a persona of several lines as a list."""
    lines = [line.strip() for line in persona.splitlines() if line.strip()]
    return "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else persona.strip()
