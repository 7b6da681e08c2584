"""What can be done next with the version that a tree's page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from people.models import Person
from questionbank.enums import VersionState
from questionbank.models import ReviewStep, TreeVersion
from questionbank.rules import may_write
from questionbank.versions import last_return, open_number


@dataclass(frozen=True, slots=True)
class TreeActions:
    """`writer` False: only reading. `open`: the number of the version that isn't published yet. `previous`: the next
    lower number that this person may read. `reviewer`: who has it in review; `mine`: that is this person."""

    writer: bool
    state: VersionState
    open: int | None
    previous: int | None
    reviewer: Person | None = None
    mine: bool = False
    returned: ReviewStep | None = None


def tree_actions(person: Person, version: TreeVersion, versions: Sequence[TreeVersion]) -> TreeActions:
    """`versions`: all of the tree that the person may read, newest first."""
    state = VersionState(version.status.state)
    previous = next((one.number for one in versions if one.number < version.number), None)
    if not may_write(person.roles):
        return TreeActions(False, state, None, previous)
    reviewer = version.status.reviewer if state is VersionState.IN_REVIEW else None
    return TreeActions(
        writer=True,
        state=state,
        open=open_number(versions),
        previous=previous,
        reviewer=reviewer,
        mine=reviewer is not None and reviewer.pk == person.pk,
        returned=last_return(version) if state is VersionState.DRAFT else None,
    )
