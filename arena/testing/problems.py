"""Collects the problems that a conformance check finds, so that one run reports all of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

# Texts as bots, people and files produce them; none of them may stop a run.
HOSTILE = (
    "",
    " \n\t ",
    "?",
    "🙂🙃 ¿qué? 你好",
    "<script>alert(1)</script> =1+1 \x1b[31mred",
    "\u202etfel ot thgir",
    "I " + "really " * 3_000 + "like dogs.",
)


class Problems:
    """The problems found so far. `stop_if_any` raises an AssertionError when a check cannot go on."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._sentences: list[str] = []

    def expect(self, holds: object, sentence: str) -> bool:
        """Record the sentence as a problem unless the condition holds."""
        if not holds:
            self._sentences.append(sentence)
        return bool(holds)

    @contextmanager
    def during(self, what: str, allowed: tuple[type[Exception], ...] = ()) -> Iterator[None]:
        """Record an exception as a problem. Exceptions in `allowed` count as a refusal, which is no problem."""
        try:
            yield
        except allowed:
            pass
        except Exception as error:  # a plug-in may raise anything
            self._sentences.append(f"{what} raises {type(error).__name__}: {error}")

    def stop_if_any(self) -> None:
        if self._sentences:
            lines = "".join(f"\n- {sentence}" for sentence in dict.fromkeys(self._sentences))
            raise AssertionError(f"{self._subject} breaks the rules of plug-ins:{lines}")


async def results(
    problems: Problems, what: str, call: Callable[[], Awaitable[object]], kind: type[T], number: int
) -> list[T] | None:
    """Return the result of a batch method, if it is a list with one result per item; otherwise record a problem
    and return None.
    """
    with problems.during(what):
        given = await call()
        if not isinstance(given, list) or not all(isinstance(one, kind) for one in given):
            problems.expect(False, f"{what} must return a list of {kind.__name__}")
        elif problems.expect(len(given) == number, f"{what} returns {len(given)} results for {number} items"):
            return given
    return None


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result. This also works inside a running event loop, for example in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    outcome: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(asyncio.run(coroutine))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return outcome[0]


def declares(problems: Problems, thing: object, protocol: type[Any]) -> None:
    """Check that the object has every attribute that the protocol names."""
    names = {*vars(protocol), *getattr(protocol, "__annotations__", {})}
    for name in sorted(names):
        if not name.startswith("_"):
            problems.expect(
                hasattr(thing, name), f"it has no attribute '{name}' ({protocol.__name__} names it)"
            )


def check_shell(problems: Problems, thing: Any, settings: Mapping[str, Any]) -> None:
    """Run the checks that adapters and judge factories share: settings, `available` and `describe`."""
    with problems.during("available()"):
        for state in (thing.available(), thing.available(settings)):
            good = isinstance(state, tuple) and len(state) == 2 and isinstance(state[0], bool)
            problems.expect(good and isinstance(state[1], str), "available() must return (bool, sentence)")
    with problems.during("describe(settings)"):
        problems.expect(isinstance(thing.describe(settings), Mapping), "describe() must return a mapping")
    with problems.during("Settings"):
        thing.Settings.model_validate(dict(settings))
    refuses_unknown(
        problems, lambda: thing.Settings.model_validate({**settings, "no_such_key": 1}), "Settings"
    )


def refuses_unknown(problems: Problems, attempt: Callable[[], object], what: str) -> None:
    """Check that a misspelt key is an error. If it were ignored, users would believe that their setting has an
    effect.
    """
    try:
        attempt()
    except Exception:
        return
    problems.expect(False, f"{what} accepts the unknown key 'no_such_key'; forbid what it does not know")
