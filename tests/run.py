"""`python -m tests.run [pytest's options]`: every mark but `slow`, in order, each with its time. `--slow`: only `slow`.

All parts run, also after one failed. A mark that collects nothing fails: it would hide that its tests got lost.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from time import monotonic

from tests.support import chromium

MARKS = ("unit", "db", "browser", "faults")
# Two processes halve what only computes. Browsers and killed processes want a calm machine.
SPREAD = {"unit": ["-n", "2"], "db": ["-n", "2"]}
MEANINGS = {0: "passed", 1: "FAILED", 5: "FAILED: no test has this mark"}


def main(argv: Sequence[str]) -> int:
    options = [word for word in argv if word != "--slow"]
    parts = ["slow"] if "--slow" in argv else [f"{mark} and not slow" for mark in MARKS]
    try:
        say(f"Chromium: {chromium.ensure()}")
    except chromium.NoChromium as error:
        say(str(error))
        return 1
    results = [(part, *run(part, options)) for part in parts]
    say("")
    for part, code, seconds in results:
        say(f"{part.split()[0]:<8} {seconds:6.1f} s  {MEANINGS.get(code, f'FAILED ({code})')}")
    say(f"{'all':<8} {sum(seconds for _, _, seconds in results):6.1f} s")
    return int(any(code for _, code, _ in results))


def run(part: str, options: Sequence[str]) -> tuple[int, float]:
    say(f"\n== {part}")
    start = monotonic()
    spread = SPREAD.get(part.split()[0], [])
    code = subprocess.run([sys.executable, "-m", "pytest", "-q", "-m", part, *spread, *options], check=False).returncode
    return code, monotonic() - start


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
