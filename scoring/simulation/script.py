"""A script as read: who takes part, what they do and when, what must hold afterwards. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from interviews.enums import Aim, Ended, SealingPolicy
from scoring.enums import NoValue, Recommendation

CANDIDATE = "candidate"
"""The name by which steps speak of the candidate, who has a link and no account."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that somebody does. `name` is one of `reading.ACTS`, `fields` what it says there; absent = unsaid."""

    name: str
    fields: Mapping[str, Any]
    line: int


@dataclass(frozen=True, slots=True)
class Step:
    """What people do at the same moment, by name; `at` counts seconds from the first step, None = as soon as may be."""

    at: float | None
    acts: Mapping[str, tuple[Act, ...]]
    line: int


@dataclass(frozen=True, slots=True)
class Making:
    """The interview to make through the managers' pages. Seats and `askers` hold names of the script's people."""

    position: str
    plan: str | None
    sealing: SealingPolicy
    candidate: str
    language: str
    claims: tuple[str, ...]
    minutes: int
    zone: str
    lead: str
    interviewers: tuple[str, ...]
    shadows: tuple[str, ...]
    observers: tuple[str, ...]
    trees: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Card:
    """What is written on an interviewer's scorecard beside the marks."""

    recommendation: Recommendation
    summary: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedDimension:
    """Of one dimension of the panel card; None and {} = not looked at."""

    value: Decimal | None = None
    missing: NoValue | None = None
    lowest: Decimal | None = None
    highest: Decimal | None = None
    raters: int | None = None
    provisional: bool | None = None
    of: Mapping[str, Decimal | NoValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExpectedBoundary:
    """One person's boundary on one tree. `ceiling` 0 = none. None = not looked at."""

    floor: int | None = None
    ceiling: int | None = None
    ended: Ended | None = None
    at_least: bool | None = None
    ratable: bool | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """What must hold in the end. None = not looked at; refusals that are not foreseen here always count as failures."""

    accepted: Mapping[str, int] = field(default_factory=dict)
    refused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shared: tuple[str, ...] | None = None
    raters: int | None = None
    dimensions: Mapping[Aim, ExpectedDimension] = field(default_factory=dict)
    trees: Mapping[str, Mapping[str, ExpectedBoundary]] = field(default_factory=dict)
    disagreements: tuple[str, ...] | None = None
    breadth: int | None = None

    @property
    def of_panel(self) -> bool:
        """Whether anything is expected of the panel card."""
        said = (self.raters, self.disagreements, self.breadth)
        return bool(self.dimensions or self.trees) or any(part is not None for part in said)


@dataclass(frozen=True, slots=True)
class Script:
    """`people`: name -> e-mail, as written. `pace`: how many times faster than life `at` runs; 0 = without waiting."""

    file: str
    key: str
    people: Mapping[str, str]
    manager: str | None
    making: Making | None
    steps: tuple[Step, ...]
    cards: Mapping[str, Card]
    expect: Expect
    pace: float
