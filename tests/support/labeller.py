"""Labels every inquiry of a tournament, one by one, and says after each that it is stored.

python -m tests.support.labeller URL TOURNAMENT PERSON
"""

from __future__ import annotations

import sys
from zlib import crc32

from arena.core.types import Label
from arena.labelling.work import AIH, desk
from db import Repository, connect


def main(url: str, tournament: str, person: str) -> None:
    repository = Repository(connect(url))
    at = desk(repository)
    inquiries = [one.id for record in repository.records(tournament) for one in record.inquiries]
    for number, inquiry in enumerate(inquiries):
        if at.mine(inquiry, person) is None:
            values = {"appropriate": True, "relevant": True, "contradicts": bool(crc32(inquiry.encode()) % 2)}
            at.answer(Label(inquiry, "inquiry", "aih", person, values, "", 1.0), AIH.complete, float(number))
        print(inquiry, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
