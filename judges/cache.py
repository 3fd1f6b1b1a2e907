"""A cache in front of a judge, so that equal texts are judged only once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from arena.core.hashing import canonical
from arena.core.types import NOTHING, Case, Check, Judgement
from bots.base import RunOptions
from judges.base import Judge, Scale
from judges.sound import judged, sound


class Store(Protocol):
    """A store that keeps each judgement under an address (a hash); for example, the database's repository."""

    def cached(self, keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return the stored judgements for these addresses; unknown addresses are left out."""
        ...

    def remember(self, judgements: Mapping[str, Mapping[str, Any]]) -> None:
        """Store the judgements under new addresses; existing judgements are kept."""
        ...


class Memory:
    """A store in memory for at most `most` judgements; the oldest judgements are dropped first."""

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._rows: dict[str, str] = {}

    def cached(self, keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        return {key: json.loads(self._rows[key]) for key in keys if key in self._rows}

    def remember(self, judgements: Mapping[str, Mapping[str, Any]]) -> None:
        for key, value in judgements.items():
            self._rows.setdefault(key, canonical(dict(value)))
        while self._most is not None and len(self._rows) > self._most:
            del self._rows[next(iter(self._rows))]


class Cached:
    """A judge with a cache. A judge that is not cacheable is called every time."""

    def __init__(self, judge: Judge, store: Store) -> None:
        self.inner = judge
        self.store = store
        self.name = judge.name
        self.revision = judge.revision
        self.tau = judge.tau
        self.cacheable = judge.cacheable
        self.hits = self.misses = 0

    def scale(self, check: Check) -> Scale:
        return self.inner.scale(check)

    def use(self, run: RunOptions) -> None:
        self.inner.use(run)

    async def close(self) -> None:
        await self.inner.close()

    def key(self, case: Case) -> Sequence[Any]:
        """The key of a case: what the judge reads, and `single_answer` if it is known.

        `single_answer` says whether the question has exactly one right answer; old inquiries do not have it.
        """
        known = () if case.single_answer is None else (case.single_answer,)
        return (*self.inner.key(case), *known)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        if not self.cacheable:
            return await judged(self.inner, cases)
        salt = f"{self.inner.implementation}\0{self.inner.revision}"
        keys = [_address(salt, self.key(case)) for case in cases]
        first = {key: index for index, key in reversed(list(enumerate(keys)))}
        read = ((key, _read(value)) for key, value in self.store.cached(sorted(first)).items())
        known = {key: judgement for key, judgement in read if judgement is not None}
        new = [key for key in first if key not in known]
        new.sort(key=first.__getitem__)
        self.hits += len(cases) - len(new)
        self.misses += len(new)
        if new:
            judgements = await judged(self.inner, [cases[first[key]] for key in new])
            known.update(zip(new, judgements, strict=True))
            self.store.remember(dict(_lasting(zip(new, judgements, strict=True))))
        return [known[key] for key in keys]


def _address(salt: str, parts: Sequence[Any]) -> str:
    text = canonical([salt, *parts]).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _lasting(rows: Iterable[tuple[str, Judgement]]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The judgements to store, by address. Failed cases are left out, because they may succeed another time."""
    return ((key, _plain(judgement)) for key, judgement in rows if judgement.reason is None)


def _plain(judgement: Judgement) -> Mapping[str, Any]:
    return {
        "contradiction": judgement.contradiction,
        "classes": dict(judgement.classes),
        "evidence": dict(judgement.evidence),
    }


def _read(value: Mapping[str, Any]) -> Judgement | None:
    """Parse a cached row; a damaged row gives None, as if it were missing."""
    try:
        judgement = Judgement(
            value["contradiction"], value["classes"] or NOTHING, value["evidence"] or NOTHING
        )
        return judgement if sound(judgement) == judgement else None
    except (KeyError, TypeError, AttributeError):
        return None
