"""Says in words what happened to the versions of a tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from people.models import Person
from questionbank.enums import ReviewStepKind, VersionState
from questionbank.models import ReviewStep, TreeVersion
from questionbank.versions import VersionLine
from questionbank.wording import STATES

PUBLISHING = {ReviewStepKind.PUBLISHED, ReviewStepKind.PUBLISHED_UNREVIEWED}


@dataclass(frozen=True, slots=True)
class Happened:
    at: datetime
    words: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DrawnVersion:
    """A version with everything that happened to it, in order. `state` is in words, `before` the next lower number."""

    version: TreeVersion
    state: object
    authors: list[str]
    happened: list[Happened]
    before: int | None


def draw_history(lines: list[VersionLine]) -> list[DrawnVersion]:
    """Take versions newest first, as `versions.history` gives them."""
    lower = [line.version.number for line in lines[1:]] + [None]
    return [_version(line, before) for line, before in zip(lines, lower, strict=True)]


def _version(line: VersionLine, before: int | None) -> DrawnVersion:
    version, status = line.version, line.version.status
    happened = [Happened(version.created_at, _("begun by %(who)s") % {"who": _who(version.created_by)})]
    happened += [_step(step) for step in line.steps]
    if status.published_at and PUBLISHING.isdisjoint(step.kind for step in line.steps):
        happened.append(Happened(status.published_at, _("published")))
    return DrawnVersion(
        version=version,
        state=STATES[VersionState(status.state)],
        authors=list(_names(line.authors)),
        happened=sorted(happened, key=lambda one: one.at),
        before=before,
    )


def _step(step: ReviewStep) -> Happened:
    names = {"who": _who(step.by), "reviewer": _who(step.reviewer)}
    words = {
        ReviewStepKind.SENT: _("sent by %(who)s to %(reviewer)s for review"),
        ReviewStepKind.TAKEN_BACK: _("taken back by %(who)s"),
        ReviewStepKind.RETURNED: _("returned by %(who)s"),
        ReviewStepKind.PUBLISHED: _("published by %(who)s"),
        ReviewStepKind.PUBLISHED_UNREVIEWED: _("published without a review, by import (%(who)s)"),
        ReviewStepKind.RETIRED: _("retired by %(who)s"),
    }[ReviewStepKind(step.kind)]
    return Happened(step.at, words % names, step.reason)


def _who(person: Person | None) -> str:
    """Whoever runs the server imports without a name."""
    return person.name if person else _("the command line")


def _names(people: Iterable[Person]) -> Iterable[str]:
    return (person.name for person in people)
