"""Arrays of a judge's scores of messages under one check, for statistics."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sqlalchemy import null, select, tuple_

from db.arrays import NOT_JUDGED, UNKNOWN, Codes, Dialogues, Scores, flags_of, joined, relevance_of, rows_of
from db.records import CheckRow
from db.session import Database, reading
from db.tables import DIALOGUES, MESSAGE_VERDICTS, SCHEDULE, chunks


def scores(
    store: Database,
    judged: CheckRow,
    played: Dialogues,
    *,
    keys: bool = False,
    tested: tuple[str, str] | None = None,
) -> Scores:
    """Returns the scores of the judged messages in finished dialogues. `kind` is the check.

    With `keys`, `rows` contains the keys of the findings. `tested` is a tournament and the name of a bot in it:
    only that bot's messages are read. A message without a score has a reason; `no_statement` and `nothing_before`
    mean that there was nothing to check.
    """
    reasons = Codes()
    known = {int(id): at for at, (id, done) in enumerate(zip(played.id, played.done, strict=True)) if done}
    named: list[str] = []
    parts = []
    statement = (
        select(
            MESSAGE_VERDICTS.c.dialogue,
            MESSAGE_VERDICTS.c.contradiction,
            MESSAGE_VERDICTS.c.reason,
            MESSAGE_VERDICTS.c.message,
            DIALOGUES.c.key if keys else null().label("key"),
        )
        .where(
            MESSAGE_VERDICTS.c.judge == judged.row,
            MESSAGE_VERDICTS.c.check_name == judged.check.value,
            MESSAGE_VERDICTS.c.method == judged.method,
        )
        .order_by(MESSAGE_VERDICTS.c.dialogue, MESSAGE_VERDICTS.c.message)
    )
    if keys:
        statement = statement.join(DIALOGUES, DIALOGUES.c.id == MESSAGE_VERDICTS.c.dialogue)
    if tested is not None:
        tournament, name = tested
        mine = select(SCHEDULE.c.dialogue).where(
            SCHEDULE.c.tournament == tournament, SCHEDULE.c.tested == name
        )
        statement = statement.where(MESSAGE_VERDICTS.c.dialogue.in_(mine))
    with reading(store.engine) as connection:
        for rows in rows_of(connection, statement):
            own = [row for row in rows if row[0] in known]
            done = [(known[dialogue], score, reason) for dialogue, score, reason, *_ in own]
            if keys:
                named += [f"{key}:{message}:{judged.check.value}" for *_, message, key in own]
            parts.append(
                (
                    np.array([at for at, _, _ in done], np.int32),
                    np.array([np.nan if score is None else score for _, score, _ in done], float),
                    np.array(
                        [
                            -1 if score is not None else reasons[reason or NOT_JUDGED]
                            for _, score, reason in done
                        ],
                        np.int16,
                    ),
                )
            )
    dialogue, score, reason = joined(parts, (np.int32, float, np.int16))
    size = len(dialogue)
    return Scores(
        dialogue,
        score,
        np.zeros(size, np.int16),
        (judged.check.value,),
        np.zeros(size, np.int16),
        np.full(size, -1, np.int8),
        (),
        reason,
        reasons.names,
        flags_of(np.full(size, UNKNOWN, np.uint8)),
        relevance_of(np.full(size, UNKNOWN, np.uint8)),
        {key: row for row, key in enumerate(named)},
    )


def compared(store: Database, judged: CheckRow, subjects: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Returns the two statements that determined the judge's score, for each of these findings that has them."""
    wanted = {
        (dialogue, int(message)): subject
        for subject in subjects
        for dialogue, message, check in [subject.rsplit(":", 2)]
        if check == judged.check.value
    }
    statement = (
        select(DIALOGUES.c.key, MESSAGE_VERDICTS.c.message, MESSAGE_VERDICTS.c.evidence)
        .join(DIALOGUES, DIALOGUES.c.id == MESSAGE_VERDICTS.c.dialogue)
        .where(
            MESSAGE_VERDICTS.c.judge == judged.row,
            MESSAGE_VERDICTS.c.check_name == judged.check.value,
            MESSAGE_VERDICTS.c.method == judged.method,
        )
    )
    pairs = {}
    with reading(store.engine) as connection:
        for some in chunks(list(wanted)):
            places = tuple_(DIALOGUES.c.key, MESSAGE_VERDICTS.c.message).in_(some)
            for key, message, evidence in connection.execute(statement.where(places)):
                if evidence and "earlier" in evidence:
                    pairs[wanted[key, message]] = (evidence["earlier"], evidence["later"])
    return pairs
