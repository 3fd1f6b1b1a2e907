"""Findings of a dialogue as links between the messages that contradict each other.

A message may also contradict the bot's persona or knowledge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import Check, MessageVerdict
from db.records import Record
from db.rows import finding
from ui.markup import Element, element, short
from ui.words import number

SOURCES = {Check.PERSONA: "its persona", Check.KNOWLEDGE: "its knowledge"}


@dataclass(frozen=True, slots=True)
class Link:
    """A finding with the verdict that is shown for it; `where` is the index of the earlier message, if there is one."""

    subject: str
    check: Check
    message: int
    where: int | None
    earlier: str
    later: str
    judge: str
    contradiction: float
    contradicts: bool

    @property
    def ends(self) -> tuple[int, ...]:
        return (self.message,) if self.where is None else (self.where, self.message)

    @property
    def against(self) -> str:
        if self.where is not None:
            return f"message {self.where}"
        return SOURCES.get(self.check, "an earlier message")


def links_of(record: Record, focus: str | None = None) -> list[Link]:
    """Return the findings that a judge calls contradictions, and the finding in focus, in the dialogue's order."""
    verdicts: dict[str, list[MessageVerdict]] = defaultdict(list)
    for verdict in record.message_verdicts:
        if verdict.judgement.contradiction is not None:
            verdicts[finding(record.key, verdict)].append(verdict)
    links = [_link(subject, judged) for subject, judged in verdicts.items()]
    shown = [link for link in links if link.contradicts or link.subject == focus]
    return sorted(shown, key=lambda link: (link.message, link.check.value))


def _link(subject: str, verdicts: Sequence[MessageVerdict]) -> Link:
    """Make a link from the newest verdicts on a finding.

    A verdict above its judge's τ takes precedence; among equals, the highest score decides.
    """
    method = max(verdict.method for verdict in verdicts)
    newest = [verdict for verdict in verdicts if verdict.method == method]
    top = max(newest, key=lambda verdict: (_score(verdict) > verdict.tau, _score(verdict), verdict.judge))
    evidence: Mapping[str, Any] = top.judgement.evidence
    where = evidence.get("message")
    inside = isinstance(where, int) and 0 <= where < top.message and top.check is Check.HISTORY
    return Link(
        subject,
        top.check,
        top.message,
        where if inside else None,
        str(evidence.get("earlier") or ""),
        str(evidence.get("later") or ""),
        top.judge,
        _score(top),
        _score(top) > top.tau,
    )


def _score(verdict: MessageVerdict) -> float:
    return verdict.judgement.contradiction or 0.0


def chips(links: Sequence[Link], message: int) -> list[Element]:
    """Return a chip below a message for each of its findings; it leads to the other message by click or Enter."""
    return [_chip(link, message) for link in links if message in link.ends]


def _chip(link: Link, message: int) -> Element:
    later = message == link.message
    other = link.where if later else link.message
    text = f"contradicts {link.against}" if later else f"contradicted by message {link.message}"
    if not link.contradicts:
        text = f"compared with {link.against if later else f'message {link.message}'}"
    detail = f" · {link.check.value} · {short(link.judge, 30)} {number(link.contradiction)}"
    quoted = None
    if later and link.check is Check.PERSONA:
        quoted = element("q", short(link.earlier, 240))
    return element(
        "span",
        element("b", text),
        detail,
        " ",
        quoted,
        class_=f"chip {'bad' if link.contradicts else 'good'}",
        role="button",
        tabindex="0",
        data_jump=str(link.message if other is None else other),
        data_finding=link.subject,
    )


def row_class(link: Link | None, index: int) -> str:
    """Return the CSS class of a row: an end of the link, between its ends, or none."""
    if link is None:
        return ""
    first, last = link.ends[0], link.message
    if index in link.ends:
        end = "" if first == last else " first" if index == first else " last"
        return f" linked{end}"
    return " between" if first < index < last else ""


def statement(link: Link | None, index: int) -> str | None:
    """Return the words of a message that the link is about."""
    if link is None or link.check is Check.KNOWLEDGE:
        return None
    return link.later if index == link.message else link.earlier if index == link.where else None
