"""What goes wrong. A fault strikes, holds for a while, and is over; what was killed comes back beside the load."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from tests.faults.chaos.client import HOUR, Client
from tests.faults.chaos.place import Place, Server

Fault = Callable[["Nemesis"], Awaitable[None]]


class Nemesis:
    """Strikes at the place and its clients. The seed chooses what, whom and for how long."""

    def __init__(self, place: Place, clients: Sequence[Client], dice: random.Random) -> None:
        self.place, self.clients, self.dice = place, clients, dice
        self.struck: list[str] = []
        self.one_at_a_time = {server.name: asyncio.Lock() for server in (place.postgres, place.valkey)}

    async def strike(self, name: str) -> None:
        self.struck.append(name)
        await FAULTS[name](self)

    async def hold(self, least: float = 0.2, most: float = 1.0) -> None:
        """How long the fault lasts: not a wait for anything."""
        await asyncio.sleep(self.dice.uniform(least, most))

    def choose(self, rounds: int) -> list[tuple[str, ...]]:
        """What each of the rounds does: every fault comes before one comes again; every third round has two at once.

        Half-open lines come early, since nobody can notice them before 18 seconds have passed.
        """
        names: list[str] = []
        while len(names) < rounds * 2:
            names += self.dice.sample(list(FAULTS), len(FAULTS))
        plan = [tuple(names.pop(0) for _ in range(1 + (number % 3 == 2))) for number in range(rounds)]
        early = [one for one in plan if "half-open" in one]
        return [*early, *(one for one in plan if "half-open" not in one)]


async def kill_web(nemesis: Nemesis) -> None:
    if web := nemesis.place.take_web(nemesis.dice):
        web.kill()
        nemesis.place.bring_back(web)


async def restart_web(nemesis: Nemesis) -> None:
    """A deploy: SIGTERM, and the sockets are told 1012."""
    if web := nemesis.place.take_web(nemesis.dice):
        try:
            await asyncio.to_thread(web.stop)
        except subprocess.TimeoutExpired:  # a machine this busy would wait no longer either
            web.kill()
        nemesis.place.bring_back(web)


async def kill_both_webs(nemesis: Nemesis) -> None:
    await kill_web(nemesis)
    await kill_web(nemesis)


async def kill_worker(nemesis: Nemesis) -> None:
    if nemesis.place.worker.process is not None:
        nemesis.place.worker.kill()
        nemesis.place.bring_back(nemesis.place.worker)


async def _kill(nemesis: Nemesis, server: Server, *how: signal.Signals) -> None:
    async with nemesis.one_at_a_time[server.name]:
        server.signal(nemesis.dice.choice(how))
        await nemesis.hold(0.0, 0.7)
        await asyncio.to_thread(server.start_again)


async def kill_valkey(nemesis: Nemesis) -> None:
    await _kill(nemesis, nemesis.place.valkey, signal.SIGKILL)


async def kill_postgres(nemesis: Nemesis) -> None:
    """Its main process dies, or is told to drop everything at once."""
    await _kill(nemesis, nemesis.place.postgres, signal.SIGKILL, signal.SIGQUIT)


async def restart_postgres(nemesis: Nemesis) -> None:
    await _kill(nemesis, nemesis.place.postgres, signal.SIGINT)


async def _stop_for_a_while(nemesis: Nemesis, server: Server) -> None:
    async with nemesis.one_at_a_time[server.name]:
        server.signal(signal.SIGSTOP)
        try:
            await nemesis.hold(0.4, 1.4)
        finally:
            server.signal(signal.SIGCONT)


async def stop_valkey(nemesis: Nemesis) -> None:
    await _stop_for_a_while(nemesis, nemesis.place.valkey)


async def stop_postgres(nemesis: Nemesis) -> None:
    await _stop_for_a_while(nemesis, nemesis.place.postgres)


async def stop_web(nemesis: Nemesis) -> None:
    process = nemesis.dice.choice(nemesis.place.webs).process
    if process is not None:
        process.send_signal(signal.SIGSTOP)
        try:
            await nemesis.hold(0.4, 1.4)
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)


async def cut(nemesis: Nemesis) -> None:
    for proxy in nemesis.place.proxies:
        proxy.cut(nemesis.dice.choice((0.3, 0.6, 1.0)))


async def no_network(nemesis: Nemesis) -> None:
    for proxy in nemesis.place.proxies:
        proxy.refuses = True
        proxy.cut(1.0)
    await nemesis.hold(0.5, 1.5)
    for proxy in nemesis.place.proxies:
        proxy.refuses = False


async def slow_network(nemesis: Nemesis) -> None:
    for proxy in nemesis.place.proxies:
        proxy.delay = nemesis.dice.uniform(0.05, 0.3)
    await nemesis.hold(0.5, 1.5)
    for proxy in nemesis.place.proxies:
        proxy.delay = 0.0


async def half_open(nemesis: Nemesis) -> None:
    for proxy in nemesis.place.proxies:
        proxy.half_open(0.3)


async def say_twice(nemesis: Nemesis) -> None:
    """Frames arrive twice, and clients send again what they were told long ago."""
    for proxy in nemesis.place.proxies:
        proxy.doubles = 0.5
    for client in nemesis.clients:
        await client.say_again()
    await nemesis.hold(0.5, 1.2)
    for proxy in nemesis.place.proxies:
        proxy.doubles = 0.0


async def wrong_clock(nemesis: Nemesis) -> None:
    """A few browsers' clocks are an hour fast, an hour slow, or right again."""
    for client in nemesis.dice.sample(list(nemesis.clients), max(1, len(nemesis.clients) // 6)):
        client.turn_clock(nemesis.dice.choice((HOUR, -HOUR, 0)))


FAULTS: dict[str, Fault] = {
    "kill-web": kill_web,
    "kill-both-webs": kill_both_webs,
    "restart-web": restart_web,
    "kill-worker": kill_worker,
    "kill-valkey": kill_valkey,
    "kill-postgres": kill_postgres,
    "restart-postgres": restart_postgres,
    "stop-web": stop_web,
    "stop-valkey": stop_valkey,
    "stop-postgres": stop_postgres,
    "cut": cut,
    "no-network": no_network,
    "slow-network": slow_network,
    "half-open": half_open,
    "say-twice": say_twice,
    "wrong-clock": wrong_clock,
}
