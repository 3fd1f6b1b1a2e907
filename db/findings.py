"""One judge's scores of messages under one check, as arrays for statistics."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Engine, select

from arena.core.types import Check
from db.arrays import UNKNOWN, Codes, Dialogues, Scores, flags_of, joined, rows_of
from db.session import reading
from db.tables import DIALOGUES, MESSAGE_VERDICTS

UNNAMED = "not_judged"


def scores(
    engine: Engine, judge: int, check: Check, method: int, played: Dialogues, keys: bool = False
) -> Scores:
    """The judged messages of the dialogues that are done; `kind` is the check, `rows` are filled with `keys` alone.

    A message without a number has a reason: `no_statement` and `nothing_before` say that there was nothing to check.
    """
    reasons = Codes()
    known = {int(id): at for at, (id, done) in enumerate(zip(played.id, played.done, strict=True)) if done}
    named: list[str] = []
    parts = []
    columns = (
        MESSAGE_VERDICTS.c.dialogue,
        MESSAGE_VERDICTS.c.contradiction,
        MESSAGE_VERDICTS.c.reason,
        MESSAGE_VERDICTS.c.message,
        *((DIALOGUES.c.key,) if keys else ()),
    )
    statement = (
        select(*columns)
        .where(
            MESSAGE_VERDICTS.c.judge == judge,
            MESSAGE_VERDICTS.c.check_name == check.value,
            MESSAGE_VERDICTS.c.method == method,
        )
        .order_by(MESSAGE_VERDICTS.c.dialogue, MESSAGE_VERDICTS.c.message)
    )
    if keys:
        statement = statement.join(DIALOGUES, DIALOGUES.c.id == MESSAGE_VERDICTS.c.dialogue)
    with reading(engine) as connection:
        for block in rows_of(connection, statement):
            rows = [row for row in block if row[0] in known]
            if keys:
                named += [f"{row[4]}:{row[3]}:{check.value}" for row in rows]
            parts.append(
                (
                    np.array([known[row[0]] for row in rows], np.int32),
                    np.array([np.nan if row[1] is None else row[1] for row in rows], float),
                    np.array(
                        [-1 if row[1] is not None else reasons[row[2] or UNNAMED] for row in rows], np.int16
                    ),
                )
            )
    dialogue, score, reason = joined(parts, (np.int32, float, np.int16))
    size = len(dialogue)
    return Scores(
        dialogue,
        score,
        np.zeros(size, np.int16),
        (check.value,),
        np.zeros(size, np.int16),
        np.full(size, -1, np.int8),
        (),
        reason,
        reasons.names,
        flags_of(np.full(size, UNKNOWN, np.uint8)),
        {key: row for row, key in enumerate(named)},
    )
