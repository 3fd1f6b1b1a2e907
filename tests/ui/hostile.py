"""A stored tournament whose every text is an attack: names, release, messages, questions, answers, evidence."""

from __future__ import annotations

from arena.core.hashing import digest, message_hash
from arena.core.types import Dialogue, Inquiry, Judgement, Kind, Message
from arena.play.schedule import plans
from db import Repository
from tests.support import tournaments as play

IMAGE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
LINK = "[click](javascript:document.title='owned') ![p](http://192.0.2.1/p.png) https://192.0.2.1/x # Heading"
LATEX = "$\\LaTeX$ $$\\frac{1}{2}$$ :material/rocket: :red[red] `code`"
ANSI = "\x1b[31mred\x1b[0m \x1b]0;owned\x07 bell\x07"
RIGHT_TO_LEFT = "\u202egnirts desrever\u202c \u2067abc\u2069 שלום \u200f"
LONG = "word " * 10_000 + "W" * 300
TEXTS = (IMAGE, LINK, LATEX, ANSI, RIGHT_TO_LEFT, LONG)
NAMES = ("<b onmouseover=alert(1)>bot</b>", "**bold** [x](http://192.0.2.1)", "=cmd()|'/c calc'!A1")


def make(store: Repository) -> str:
    """The tournament's id."""
    from arena.config.resolve import parse
    from arena.core.types import JudgeSpec

    bots = [f"  - {{name: {_quoted(name)}, adapter: echo}}" for name in NAMES]
    tournament = parse(play.text(*bots, release=_quoted(IMAGE), turns=3, dialogues=2))
    info = tournament.info
    store.add_tournament(info, 1.0)
    scheduled = list(plans(tournament))
    store.schedule(info.id, scheduled)
    pending = store.pending(info.id)
    store.claim([p.id for p in pending], "test", 0.0, 1e12)
    store.finish([(p.id, _dialogue(p.key, n)) for n, p in enumerate(pending)], "test")
    spec = JudgeSpec(LINK, "truth", {}, 0.5)
    judge = store.judge_id(spec.name[:200], IMAGE[:200], 0.5)
    work = store.unjudged(info.id, judge, 0, 10_000)
    evidence = {IMAGE: [{LINK: LATEX}, [ANSI, RIGHT_TO_LEFT]], "long": LONG}
    sentence = [
        (item.inquiry, Judgement((n % 10) / 10, {IMAGE: 0.5, LINK: 0.5}, evidence))
        for n, item in enumerate(work)
    ]
    store.add_verdicts(judge, sentence)
    return info.id


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _dialogue(key: str, n: int) -> Dialogue:
    messages: list[Message] = []
    parent = None
    for index in range(6):
        text = TEXTS[(index + n) % len(TEXTS)]
        hash = message_hash(parent, index % 2, text)
        messages.append(Message(index, index % 2, text, hash, parent))
        parent = hash
    inquiries = tuple(
        Inquiry(
            id=digest(key, number)[:24],
            after=1 + 2 * number,
            source=1 + 2 * number,
            entity=TEXTS[number],
            entity_type=IMAGE[:60],
            question=TEXTS[(number + n) % len(TEXTS)],
            kind=Kind.WH,
            distance=0,
            answer=TEXTS[(number + n + 1) % len(TEXTS)],
        )
        for number in range(3)
    )
    return Dialogue(key, tuple(messages), inquiries, {IMAGE: 2})
