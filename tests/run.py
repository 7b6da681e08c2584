"""`python -m tests.run [pytest's options]`: every mark but `slow`, in order, each with its time. `--slow`: only `slow`.

All parts run, also after one failed. A mark that collects nothing fails: it would hide that its tests got lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from time import monotonic

import redis

from scoring.printing.libraries import NoPango
from tests.support import chromium, pango, servers

MARKS = ("unit", "db", "browser", "faults")
# Two processes for two cores. What a browser, a killed process or a room that lost its line does is waiting in part,
# so a third one fits there, and of browsers, which wait most, a fourth.
SPREAD = {"unit": 2, "db": 3, "browser": 4, "faults": 3, "slow": 1}
# How many tests a process takes at once. Left to itself, the first one would take an eighth of them all, and with them
# every long one (tests/support/collecting.py).
TAKES = {"db": 4, "browser": 1, "faults": 1}
MEANINGS = {0: "passed", 1: "FAILED", 5: "FAILED: no test has this mark"}


def main(argv: Sequence[str]) -> int:
    options = [word for word in argv if word != "--slow"]
    parts = ["slow"] if "--slow" in argv else [f"{mark} and not slow" for mark in MARKS]
    try:
        say(f"Chromium: {chromium.ensure()}")
        pango.ensure()
    except chromium.NoChromium as error:
        say(str(error))
        return 1
    except NoPango as error:
        say(f"Pango is missing, and the tests of PDFs need it. Run, as root: {error.command}")
        return 1
    # Some machines forbid it. Then each of our dozens of processes would compile every module for itself.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    servers.start()
    ours = servers.own()
    # The part without a database leaves time to make the one that all others copy.
    ahead = [subprocess.Popen([sys.executable, "-m", "tests.support.template"])] if ours else []
    # Servers of our own hold no database that this run did not make: what one part filled, the next one takes.
    results = [(part, *run(part, [*(["--reuse-db"] if ours else []), *options], fresh_queues=ours)) for part in parts]
    for process in ahead:
        process.wait()
    say("")
    for part, code, seconds in results:
        say(f"{part.split()[0]:<8} {seconds:6.1f} s  {MEANINGS.get(code, f'FAILED ({code})')}")
    say(f"{'all':<8} {sum(seconds for _, _, seconds in results):6.1f} s")
    return int(any(code for _, code, _ in results))


def run(part: str, options: Sequence[str], *, fresh_queues: bool) -> tuple[int, float]:
    say(f"\n== {part}")
    start = monotonic()
    if fresh_queues:  # no worker of this part shall find jobs that another part left
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as bus:
            bus.flushall()
    mark = part.split()[0]
    spread = ["-n", str(SPREAD[mark])] if SPREAD[mark] > 1 else []
    spread += [f"--maxschedchunk={TAKES[mark]}"] if mark in TAKES else []
    code = subprocess.run([sys.executable, "-m", "pytest", "-q", "-m", part, *spread, *options], check=False).returncode
    return code, monotonic() - start


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
