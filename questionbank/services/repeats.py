"""What files would bring into the bank a second time."""

from __future__ import annotations

from collections.abc import Sequence

from questionbank.exchange.problems import Problem
from questionbank.exchange.readings import Reading, said_of
from questionbank.queries.repeats import repeats_in_bank


def repeats_of(readings: Sequence[Reading]) -> list[Problem]:
    """Return where trees of these files nearly repeat probes of other trees of the bank, with their places."""
    return said_of(readings, repeats_in_bank([tree for reading in readings for tree in reading.trees]))
