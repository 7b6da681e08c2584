"""Which modules are imported for a part of the suite, and which of its tests begin first."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

# What tests/run.py and a person ask for: `-m browser`, `-m "browser and not slow"`.
PART = re.compile(r"(unit|db|browser|faults|slow)( and not slow)?")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules that don't name the part's mark: each process would spend seconds on importing them."""
    part = PART.fullmatch(config.option.markexpr)
    if part is None or not collection_path.match("test_*.py"):
        return None
    return None if f"pytest.mark.{part[1]}" in _text(collection_path) else True


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.hookimpl(trylast=True)  # after the shuffle, and after pytest-django put those that commit last
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the long ones begin first, or a process would work on one alone at the end while the others are done.

    Each with a short one behind it: a process that takes tests by twos shall not take two long ones. The rest module
    by module, drawn by lot: those that commit are those that start processes and wait for them, and if all of them ran
    at the end, as pytest-django has it, the processors would wait too. They leave empty tables (database.py).
    """
    seed = config.getoption("randomly_seed", None)
    if seed is not None:
        items.sort(key=lambda item: Random(f"{seed} {item.path}").random())  # noqa: S311 - it hides nothing
    long = [item for item in items if item.get_closest_marker("long")]
    rest = [item for item in items if not item.get_closest_marker("long")]
    pairs = [one for pair in zip(long, rest, strict=False) for one in pair]
    taken = len(pairs) // 2
    items[:] = [*pairs, *long[taken:], *rest[taken:]]
