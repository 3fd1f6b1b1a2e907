"""Speeds up the first visit: imports modules and reads data that pages need, in advance."""

from __future__ import annotations

import contextlib
import threading

from arena.core.errors import ArenaError

NEWEST = 3  # the newest tournaments, which visitors most likely want to see


def start() -> None:
    threading.Thread(target=_work, daemon=True, name="warm").start()


def _work() -> None:
    import altair
    import pandas
    import scipy.stats  # noqa: F401

    from arena.core import plugins
    from arena.labelling import work as labelling
    from db.desks import Inquiries
    from ui import charts, data, drafts, forms, picks, queues, results, thread  # noqa: F401

    altair.Chart(pandas.DataFrame({"x": [0]})).mark_point().to_dict()  # makes Altair read its schema
    with contextlib.suppress(ArenaError):
        for adapter in plugins.names("arena.bots"):
            with contextlib.suppress(ArenaError):
                forms.fields(adapter)
        newest = data.tournaments()[:NEWEST]
        for one in newest:
            if data.judges(one.id):
                seen = results.view(one, results.usual(one))
                results.board(seen, round(seen.judge.tau, 2))  # with the page's first arguments
        for one in newest:
            queues.length(one.id, Inquiries(data.store()).task(one.id))  # starts to make the queue
            desk = labelling.desk(data.store(), labelling.FINDING)
            if desk.any(one.id):
                queues.length(one.id, desk.task(one.id), labelling.FINDING.name)
