"""Bots, inquirer and judges as Ray actors; placement, restarts and retries are Ray's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any

from arena.engine import Inquiring
from arena.errors import MissingPart
from arena.types import BotSpec, Case, Inquest, Judgement, JudgeSpec, Kind
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.batching import Batcher, Company
from judges.base import Judge

WIRE = 64  # requests that travel together
FOREVER = -1  # Ray's word for as often as needed


def start(address: str | None) -> Any:
    """Ray, connected to a cluster or to one of this machine's own; tells nobody about it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise MissingPart("The Ray engine needs Ray: pip install 'consistency-arena[ray]'.") from error
    if not ray.is_initialized():
        try:
            ray.init(address=address, namespace="arena", include_dashboard=False, log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise MissingPart(
                f"The Ray cluster {address or 'on this machine'} cannot be reached ({first}); "
                "start one with 'ray start --head' or leave out --address."
            ) from error
    return ray


class BotHost:
    """The actor that holds a bot: its own batches form over all dialogues that talk to it."""

    def __init__(self, spec: BotSpec, run: RunOptions) -> None:
        from bots import registry

        self._bot = registry.create(spec, run)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        """Each request for itself, so that one that hangs holds up no other."""
        return list(await asyncio.gather(*(self._one(request) for request in requests)))

    async def _one(self, request: ReplyRequest) -> Reply:
        try:
            return (await self._bot.reply([request]))[0]
        except Exception as error:  # travels as a value: the guard decides about it
            return Reply("", error=error)

    async def close(self) -> None:
        await self._bot.close()


class InquirerHost:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        from inquirer.build import build

        self._inquirer = build(settings)

    async def inquire(self, utterances: Sequence[str], kinds: Sequence[Kind]) -> list[Inquest]:
        return await self._inquirer.inquire(utterances, kinds)


class JudgeHost:
    def __init__(self, spec: JudgeSpec) -> None:
        from judges import registry

        self._judge = registry.from_spec(spec)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return await self._judge.judge(cases)


class RemoteBot:
    """Speaks to the replicas of one bot; a dialogue stays with its replica and that one's caches."""

    def __init__(self, hosts: Sequence[Any], company: Company) -> None:
        self._hosts = list(hosts)
        self._wires = [self._wire(host, company) for host in hosts]

    @staticmethod
    def _wire(host: Any, company: Company) -> Batcher[ReplyRequest, Reply]:
        async def travel(requests: list[ReplyRequest]) -> Sequence[Reply]:
            replies: list[Reply] = await host.reply.remote(requests)
            return replies

        return Batcher(travel, WIRE, 0.002, company=company, parallel=1000)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return list(await asyncio.gather(*(self._to(request).submit(request) for request in requests)))

    def _to(self, request: ReplyRequest) -> Batcher[ReplyRequest, Reply]:
        return self._wires[int(request.dialogue[:8], 16) % len(self._wires)]

    async def close(self) -> None:
        """The actors belong to whoever made them."""


class RemoteInquirer:
    def __init__(self, host: Any) -> None:
        self._host = host

    async def inquire(self, utterances: Sequence[str], kinds: Sequence[Kind]) -> list[Inquest]:
        found: list[Inquest] = await self._host.inquire.remote(list(utterances), list(kinds))
        return found


class RemoteJudge:
    """Cases travel to an actor; name, revision and keys are worked out here, without a model."""

    def __init__(self, host: Any, here: Judge) -> None:
        self._host = host
        self._here = here
        self.name = here.name
        self.revision = here.revision
        self.tau = here.tau
        self.cacheable = here.cacheable

    def key(self, case: Case) -> Sequence[Any]:
        return self._here.key(case)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        parts = [cases[i : i + 512] for i in range(0, len(cases), 512)]
        said = await asyncio.gather(*(self._host.judge.remote(list(part)) for part in parts))
        return [judgement for part in said for judgement in part]


class Handles:
    """What a player is given: actors that somebody else made."""

    def __init__(self, bots: Mapping[str, Sequence[Any]], inquirer: Any) -> None:
        self._bots = bots
        self._inquirer = inquirer

    async def bot(self, spec: BotSpec, run: RunOptions, company: Company) -> Bot:  # noqa: ARG002
        return RemoteBot(self._bots[spec.identity], company)

    async def inquirer(self, settings: Mapping[str, Any]) -> Inquiring:  # noqa: ARG002
        return RemoteInquirer(self._inquirer)

    async def judge(self, spec: JudgeSpec) -> Judge:
        raise NotImplementedError(f"players do not judge ({spec.name})")

    async def close(self) -> None:
        """Owns nothing."""


class Ray:
    """Makes the actors of a tournament and ends them."""

    def __init__(self, address: str | None) -> None:
        self.ray = start(address)
        self.hosts: dict[str, list[Any]] = {}
        self.inquirer_host: Any = None
        self._others: list[Any] = []

    def _actor(self, host: type, *args: Any, resources: Mapping[str, Any], concurrency: int = 1000) -> Any:
        wanted = {key: resources[key] for key in ("num_cpus", "num_gpus", "memory") if key in resources}
        own = {k: v for k, v in resources.items() if k not in ("num_cpus", "num_gpus", "memory", "replicas")}
        options = self.ray.remote(host).options(
            max_restarts=FOREVER,
            max_task_retries=FOREVER,
            max_concurrency=concurrency,
            num_cpus=wanted.pop("num_cpus", 0),
            scheduling_strategy="SPREAD",
            resources=own or None,
            **wanted,
        )
        return options.remote(*args)

    def place(self, spec: BotSpec, run: RunOptions) -> None:
        """Starts a bot's replicas, once."""
        if spec.identity not in self.hosts:
            resources = spec.settings.get("resources") or {}
            number = max(1, int(resources.get("replicas", 1)))
            made = [self._actor(BotHost, spec, run, resources=resources) for _ in range(number)]
            self.hosts[spec.identity] = made

    def place_inquirer(self, settings: Mapping[str, Any]) -> None:
        if self.inquirer_host is None:
            self.inquirer_host = self._actor(InquirerHost, settings, resources={})

    async def bot(self, spec: BotSpec, run: RunOptions, company: Company) -> Bot:
        self.place(spec, run)
        return RemoteBot(self.hosts[spec.identity], company)

    async def inquirer(self, settings: Mapping[str, Any]) -> Inquiring:
        self.place_inquirer(settings)
        return RemoteInquirer(self.inquirer_host)

    async def judge(self, spec: JudgeSpec) -> Judge:
        from judges import registry

        host = self._actor(JudgeHost, spec, resources={})
        self._others.append(host)
        return RemoteJudge(host, registry.from_spec(spec))

    async def close(self) -> None:
        hosts = [host for made in self.hosts.values() for host in made] + self._others
        if self.inquirer_host is not None:
            hosts.append(self.inquirer_host)
        for host in hosts:
            self.ray.kill(host)
        self.hosts.clear()
