"""Runs bots, inquirer and judges as Ray actors. Ray does placement, restarts and retries."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from zlib import crc32

from arena.core import extras, resources
from arena.core.errors import ArenaError, BotError, MissingPart
from arena.core.types import BotSpec, Case, Check, InquiryReport, Judgement, JudgeSpec, Kind
from arena.engines.base import Inquiring
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.batching import Batcher, DialogueCounter
from judges.base import Judge, Scale

WIRE = 64  # requests per call
CASES = 512  # a judge's cases per call
LONG = 15.0  # seconds of loading after which the user is told
FOREVER = -1  # Ray's value for an unlimited number of retries
GOODBYE = 5.0  # seconds that an ending run gives its actors to record their final cost

T = TypeVar("T")


def start(address: str | None) -> Any:
    """Connect Ray to a cluster, or start a local cluster; Ray's telemetry is off."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    ray = extras.need("ray", "The Ray engine needs")
    if not ray.is_initialized():
        try:
            _knock(address)
            ray.init(address=address, namespace="arena", include_dashboard=False, log_to_driver=False)
        except (OSError, ValueError, RuntimeError) as error:
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise MissingPart(
                f"The Ray cluster {address or 'on this machine'} cannot be reached ({first}); "
                "start one with 'ray start --head' or leave out --address."
            ) from error
    return ray


def _knock(address: str | None) -> None:
    """Fail at once if the address does not answer; Ray itself would retry for minutes."""
    host, _, port = (address or "").rpartition("//")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


async def outcome(call: Awaitable[T]) -> T:
    """Return an actor's result, or raise the original error of a failed call."""
    try:
        return await call
    except Exception as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, Exception):
            raise cause from None
        raise


class Host:
    """An actor that holds a model.

    If the model cannot be loaded, every call raises the reason, and the actor is not restarted.
    """

    def __init__(self, *arguments: Any) -> None:
        self._failure: Exception | None = None
        try:
            self._load(*arguments)
        except Exception as error:
            self._failure = error

    def _load(self, *arguments: Any) -> None:
        raise NotImplementedError

    async def ready(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def close(self) -> None:
        """Free models and connections, and record the final cost of paid calls."""
        if self._failure is None:
            await self._held().close()

    def _held(self) -> Bot | Inquiring | Judge:
        raise NotImplementedError


class BotHost(Host):
    """An actor that holds a bot. The bot forms batches over all dialogues that use it."""

    def _load(self, spec: BotSpec, run: RunOptions) -> None:
        from bots import registry

        self._name = spec.name
        self._bot = registry.create(spec, run)

    def _held(self) -> Bot:
        return self._bot

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        """Answer each request separately, so that a request that hangs does not block the others."""
        return list(await asyncio.gather(*(self._one(request) for request in requests)))

    async def _one(self, request: ReplyRequest) -> Reply:
        try:
            return (await self._bot.reply([request]))[0]
        except ArenaError as error:  # sent as a value: the guard decides what to do
            return Reply("", error=error)
        except Exception as error:  # its class may not be picklable
            raised = f"The bot '{self._name}' raised {type(error).__name__}: {error}"
            return Reply("", error=BotError(raised, "raised"))


class InquirerHost(Host):
    def _load(self, settings: Mapping[str, Any], run: RunOptions | None) -> None:
        from inquirer.build import build

        self._inquirer = build(settings)
        if run is not None:
            self._inquirer.use(run)

    def _held(self) -> Inquiring:
        return self._inquirer

    async def inquire(self, utterances: Sequence[str], kinds: Sequence[Kind]) -> list[InquiryReport]:
        return await self._inquirer.inquire(utterances, kinds)


class JudgeHost(Host):
    def _load(self, spec: JudgeSpec, run: RunOptions) -> None:
        from judges import registry

        self._judge = registry.from_spec(spec, run)

    def _held(self) -> Judge:
        return self._judge

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return await self._judge.judge(cases)


class RemoteBot:
    """Calls the replicas of a bot. All calls of a dialogue go to the same replica, which has its caches."""

    def __init__(self, hosts: Sequence[Any], company: DialogueCounter) -> None:
        self._wires = [self._wire(host, company) for host in hosts]

    @staticmethod
    def _wire(host: Any, company: DialogueCounter) -> Batcher[ReplyRequest, Reply]:
        async def travel(requests: list[ReplyRequest]) -> Sequence[Reply]:
            replies: list[Reply] = await host.reply.remote(requests)
            return replies

        return Batcher(travel, WIRE, 0.002, company=company, parallel=1000)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return list(await asyncio.gather(*(self._to(request).submit(request) for request in requests)))

    def _to(self, request: ReplyRequest) -> Batcher[ReplyRequest, Reply]:
        return self._wires[crc32(request.dialogue.encode()) % len(self._wires)]

    async def close(self) -> None:
        """Do nothing, because the actors belong to the process that created them."""


class RemoteInquirer:
    def __init__(self, hosts: Sequence[Any]) -> None:
        self._hosts = hosts
        self._turn = 0

    async def inquire(self, utterances: Sequence[str], kinds: Sequence[Kind]) -> list[InquiryReport]:
        each = -(-len(utterances) // len(self._hosts)) or 1
        parts = [list(utterances[i : i + each]) for i in range(0, len(utterances), each)]
        self._turn += 1
        hosts = (self._hosts[(self._turn + i) % len(self._hosts)] for i in range(len(parts)))
        calls = (outcome(h.inquire.remote(p, list(kinds))) for h, p in zip(hosts, parts, strict=True))
        reports: list[list[InquiryReport]] = await asyncio.gather(*calls)
        return [inquest for part in reports for inquest in part]

    async def close(self) -> None:
        """Do nothing, because the actors belong to the process that created them."""


class RemoteJudge:
    """Sends cases to actors. Name, revision and keys are computed in this process, without a model."""

    def __init__(self, hosts: Sequence[Any], here: Judge) -> None:
        self._hosts = hosts
        self._here = here
        self.implementation = here.implementation
        self.name = here.name
        self.revision = here.revision
        self.tau = here.tau
        self.cacheable = here.cacheable

    def key(self, case: Case) -> Sequence[Any]:
        return self._here.key(case)

    def scale(self, check: Check) -> Scale:
        return self._here.scale(check)

    def use(self, run: RunOptions) -> None:
        """Do nothing, because the actors received the run's options when they were created."""

    async def close(self) -> None:
        """Do nothing, because the actors belong to the process that created them."""

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        each = min(CASES, -(-len(cases) // len(self._hosts))) or 1
        parts = [list(cases[i : i + each]) for i in range(0, len(cases), each)]
        hosts = (self._hosts[i % len(self._hosts)] for i in range(len(parts)))
        calls = (outcome(host.judge.remote(part)) for host, part in zip(hosts, parts, strict=True))
        judgements: list[list[Judgement]] = await asyncio.gather(*calls)
        return [judgement for part in judgements for judgement in part]


class Handles:
    """The engine of a player process, which uses actors that another process created."""

    def __init__(self, bots: Mapping[str, Sequence[Any]], inquirers: Sequence[Any]) -> None:
        self._bots = bots
        self._inquirers = inquirers

    async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:  # noqa: ARG002
        return RemoteBot(self._bots[spec.identity], company)

    async def inquirer(self, settings: Mapping[str, Any], run: RunOptions | None = None) -> Inquiring:  # noqa: ARG002
        return RemoteInquirer(self._inquirers)

    async def judge(self, spec: JudgeSpec, run: RunOptions) -> Judge:
        raise NotImplementedError(f"players do not judge ({spec.name})")

    async def close(self) -> None:
        """Do nothing, because this engine owns no actors."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The replicas of one model."""

    whose: str
    needs: resources.Resources
    hosts: list[Any]


class Ray:
    """The engine that creates the actors of bots, inquirer and judges, and ends them."""

    def __init__(self, address: str | None, tell: Callable[[str], None]) -> None:
        self.ray = start(address)
        self._tell = tell
        self._bots: dict[str, Placed] = {}
        self._inquirer: Placed | None = None
        self._judges: list[Placed] = []

    @property
    def bot_hosts(self) -> dict[str, list[Any]]:
        return {identity: placed.hosts for identity, placed in self._bots.items()}

    @property
    def inquirer_hosts(self) -> list[Any]:
        return self._inquirer.hosts if self._inquirer else []

    def _place(self, whose: str, given: Any, host: type, *args: Any) -> Placed:
        needs = resources.read(given, whose)
        options = self.ray.remote(host).options(
            max_restarts=FOREVER,
            max_task_retries=FOREVER,
            max_concurrency=1000,
            num_cpus=needs.num_cpus,
            num_gpus=needs.num_gpus,
            memory=needs.memory or None,
            scheduling_strategy="SPREAD",
            resources=dict(needs.others) or None,
        )
        return Placed(whose, needs, [options.remote(*args) for _ in range(needs.replicas)])

    def place(self, spec: BotSpec, run: RunOptions) -> None:
        """Start the replicas of a bot, unless they exist."""
        if spec.identity not in self._bots:
            given = spec.settings.get("resources")
            self._bots[spec.identity] = self._place(f"the bot '{spec.name}'", given, BotHost, spec, run)

    def place_inquirer(self, settings: Mapping[str, Any], run: RunOptions | None = None) -> None:
        if self._inquirer is None:
            given = settings.get("resources")
            self._inquirer = self._place("the inquirer", given, InquirerHost, dict(settings), run)

    async def ready(self) -> None:
        """Wait until all placed actors have loaded their models."""
        await asyncio.gather(*(self._loaded(placed) for placed in self._everything()))

    def _everything(self) -> list[Placed]:
        return [*self._bots.values(), *self._judges, *([self._inquirer] if self._inquirer else [])]

    async def _loaded(self, placed: Placed) -> None:
        loading = asyncio.gather(*(outcome(host.ready.remote()) for host in placed.hosts))
        done, _ = await asyncio.wait({loading}, timeout=LONG)
        if not done:
            self._tell(
                f"Waiting for {placed.whose}: its model is loading, or no node is free that has what it needs "
                f"({placed.needs}); 'ray status' tells."
            )
        await loading

    async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:
        self.place(spec, run)
        placed = self._bots[spec.identity]
        await self._loaded(placed)
        return RemoteBot(placed.hosts, company)

    async def inquirer(self, settings: Mapping[str, Any], run: RunOptions | None = None) -> Inquiring:
        self.place_inquirer(settings, run)
        assert self._inquirer is not None
        await self._loaded(self._inquirer)
        return RemoteInquirer(self._inquirer.hosts)

    async def judge(self, spec: JudgeSpec, run: RunOptions) -> Judge:
        from judges import registry

        here = registry.from_spec(spec)
        placed = self._place(f"the judge '{spec.name}'", spec.resources, JudgeHost, spec, run)
        self._judges.append(placed)
        await self._loaded(placed)
        return RemoteJudge(placed.hosts, here)

    async def close(self) -> None:
        """End all actors. They get a limited time to record the final cost of paid calls."""
        hosts = [host for placed in self._everything() for host in placed.hosts]
        leaving = [asyncio.ensure_future(outcome(host.close.remote())) for host in hosts]
        if leaving:
            await asyncio.wait(leaving, timeout=GOODBYE)
        for host, left in zip(hosts, leaving, strict=True):
            left.cancel()
            self.ray.kill(host)
        await asyncio.gather(*leaving, return_exceptions=True)
        self._bots.clear()
        self._judges.clear()
        self._inquirer = None
