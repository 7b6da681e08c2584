"""What a benchmark says: figures, each with what was promised of it, if anything was."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter


@dataclass(frozen=True)
class Figure:
    """`limit`: the most that was promised, None where nothing was."""

    subject: str
    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def kept(self) -> bool:
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        promised = "" if self.limit is None else f"  at most {self.limit:g}: {'ok' if self.kept else 'MISSED'}"
        return f"  {self.name:<58} {self.value:10.2f} {self.unit:<8}{promised}"


@dataclass
class Report:
    """Figures of one run, printed as they come. `scale` makes everything smaller: 1 is what is promised for."""

    scale: float = 1.0
    subject: str = ""
    figures: list[Figure] = field(default_factory=list)

    def scaled(self, full: int, least: int = 1) -> int:
        return max(least, round(full * self.scale))

    def says(self, line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    def figure(self, name: str, value: float, unit: str = "", *, limit: float | None = None) -> None:
        found = Figure(self.subject, name, float(value), unit, limit)
        self.figures.append(found)
        self.says(str(found))

    def percentiles(self, name: str, seconds: Sequence[float], *, p95: float | None = None) -> None:
        """Write down the 50th, 95th and 99th percentile in milliseconds; `p95` is what is promised of the second."""
        for rank, limit in ((50, None), (95, p95), (99, None)):
            self.figure(f"{name}, p{rank} of {len(seconds)}", percentile(seconds, rank) * 1000, "ms", limit=limit)

    def ratio(self, name: str, slow: Sequence[float], quick: Sequence[float]) -> None:
        """How many times longer the one takes than the other, by their medians: machines differ, ratios hardly."""
        self.figure(name, percentile(slow, 50) / max(percentile(quick, 50), 1e-9), "times")

    def as_data(self) -> list[dict[str, object]]:
        return [{**asdict(figure), "kept": figure.kept} for figure in self.figures]


def percentile(values: Sequence[float], rank: float) -> float:
    """The nearest-rank percentile: a value that was measured, not one between two."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(rank / 100 * len(ordered)) - 1)]


def timed(do: Callable[[], object], times: int = 1) -> list[float]:
    """Do it `times` times and return the seconds each took."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        do()
        taken.append(perf_counter() - start)
    return taken
