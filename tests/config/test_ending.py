"""Asking a process to end, at the worst moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from time import monotonic

import pytest

from config.ending import Ending

pytestmark = pytest.mark.unit

# In a process of its own: it sends itself alarms, and when it fails it hangs.
MANY_SIGNALS = """
import random, signal
from config.ending import Ending

chance = random.Random(7)
for _ in range(20_000):
    ending = Ending()
    signal.signal(signal.SIGALRM, lambda _number, _frame: ending.ask())
    signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-6, 6e-5))
    while not ending.wait(0.000_01):
        pass
    ending.close()
"""


def test_signal_that_comes_inside_the_wait_ends_it() -> None:
    subprocess.run([sys.executable, "-c", MANY_SIGNALS], check=True, timeout=60)


def test_wait_ends_by_itself_when_nobody_asks() -> None:
    ending = Ending()

    assert not ending.wait(0.01)
    assert not ending.is_asked()


def test_wait_ends_as_soon_as_somebody_asks() -> None:
    ending = Ending()
    start = monotonic()
    threading.Timer(0.05, ending.ask).start()

    assert ending.wait(60)
    assert monotonic() - start < 50
    assert ending.is_asked()


def test_every_signal_that_ends_a_process_asks() -> None:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        for number in kept:
            ending = Ending().on_signals()
            signal.raise_signal(number)
            assert ending.is_asked()
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
