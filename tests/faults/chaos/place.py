"""Where a run takes place: servers, web processes, a worker and the network of its own, each of which can be killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from config.embedded import postgres, valkey
from config.embedded.home import Home, find_home
from config.embedded.process import await_start, moments, open_lock, reap, spawn, try_alone
from config.embedded.serving import PASSWORDS, RUN
from tests.faults.chaos.proxy import Proxy
from tests.support.servers import process_environment
from tests.support.web import Web, free_port
from tests.support.worker import Worker


@dataclass
class Server:
    """PostgreSQL or Valkey of this run's VAR: killed, and started again on the same port with the same words."""

    name: str
    home: Home
    passwords: postgres.Passwords
    pid: int
    port: int
    password: str = ""
    command: list[str] = field(default_factory=list)

    @property
    def processes(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            main = psutil.Process(self.pid)
            return [main, *main.children(recursive=True)]
        return []

    def signal(self, number: signal.Signals) -> None:
        """Signal the main process; stopping and continuing go to its children too."""
        everyone = number in {signal.SIGSTOP, signal.SIGCONT}
        for process in self.processes if everyone else self.processes[:1]:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def start_again(self) -> None:
        """Wait until nothing of it lives, then start it as it was."""
        lock = open_lock(self.home.folder / f"{self.name}.lock")
        reap(self.pid)
        try:
            for _ in moments():
                if try_alone(lock):
                    break
            log = self.home.folder / f"{self.name}.log"
            child = spawn(self.home.account, self.command, cwd=self.home.folder, log=log, lock=lock)
            if self.name == "postgres":
                prove: Any = partial(postgres.prove, self.home.folder / "postgres", self.passwords, self.port)
            else:
                prove = partial(valkey.prove, self.home, self.port, self.password)
            server = await_start(child, prove)
            assert server is not None, f"{self.name} did not come back; see {log}"
            self.pid = server.pid
        finally:
            os.close(lock)


def servers() -> tuple[Server, Server]:
    """PostgreSQL and Valkey that tests.support.servers started for this process."""
    var = Path(os.environ["VAR"])
    home = find_home(var)
    passwords = postgres.Passwords(**json.loads((var / PASSWORDS).read_text(encoding="utf-8")))
    run = json.loads((var / RUN).read_text(encoding="utf-8"))
    pg = Server("postgres", home, passwords, run["postgres"]["pid"], run["postgres"]["port"])
    pg.command = psutil.Process(pg.pid).cmdline()
    bus = Server("valkey", home, passwords, run["valkey"]["pid"], run["valkey"]["port"], run["valkey"]["password"])
    bus.command = [str(home.programs.valkey), str(home.folder / "valkey.conf")]
    return pg, bus


@dataclass
class Place:
    """Everything that a nemesis may hurt."""

    postgres: Server
    valkey: Server
    webs: list[Web]
    worker: Worker
    proxies: list[Proxy]
    logs: list[Path]
    coming: set[asyncio.Task[None]] = field(default_factory=set)
    down: list[Web] = field(default_factory=list)

    @classmethod
    async def open(cls, dice: random.Random, *, webs: int = 2) -> Place:
        pg, bus = servers()
        env = process_environment("sounding")
        folder = Path(os.environ["VAR"])
        ports = [free_port() for _ in range(webs)]
        logs = [folder / f"web-{number}.log" for number in range(webs)]
        processes = [Web(port, {**env, "PORT": str(port)}, log=log) for port, log in zip(ports, logs, strict=True)]
        place = cls(
            pg, bus, processes, Worker(env, log=folder / "worker.log"), [Proxy(port, dice) for port in ports], logs
        )
        place.worker.start()
        await asyncio.gather(
            *(asyncio.to_thread(web.start) for web in processes), *(proxy.start() for proxy in place.proxies)
        )
        return place

    @property
    def sites(self) -> list[str]:
        return [f"http://127.0.0.1:{proxy.port}" for proxy in self.proxies]

    def take_web(self, dice: random.Random) -> Web | None:
        """A web process that is up, to be ended by the caller and then brought back."""
        up = [web for web in self.webs if web not in self.down]
        if not up:
            return None
        self.down.append(chosen := dice.choice(up))
        return chosen

    def bring_back(self, what: Web | Worker) -> None:
        """Start it again beside everything else."""

        async def start() -> None:
            await asyncio.to_thread(what.start)
            if what in self.down:
                self.down.remove(what)

        self.coming.add(asyncio.create_task(start()))

    async def all_back(self) -> None:
        """Wait until whatever was killed is up again."""
        coming, self.coming = self.coming, set()
        await asyncio.gather(*coming)

    async def close(self) -> None:
        with suppress(Exception):  # a run that failed may leave what did not come back
            await self.all_back()
        for proxy in self.proxies:
            await proxy.stop()
        for web in self.webs:
            web.stop()
        self.worker.stop()

    def complaints(self) -> list[str]:
        """Lines of the web processes' logs that tell of a fault of ours; what is away is warned of, not an error."""
        return [
            f"{log.name}: {line}"
            for log in self.logs
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
            if " ERROR " in line or line.startswith(("ERROR:", "CRITICAL:")) or "never retrieved" in line
        ]
