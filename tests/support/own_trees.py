"""A running interview whose root was asked, and what its first tree offers: for questions and trees of its own."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from interviews.models import Interview
from interviews.queries.own_trees import tree_here
from interviews.queries.room import room_view
from interviews.services.refusal import Code, Refusal
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.support.factories import make_scene


def running(cast: Cast) -> Room:
    """A running interview whose root was asked."""
    room = Room(make_scene(cast))
    room.do("ana", "interview.start")
    room.marked = {"root": uuid.UUID(room.ask())}
    return room


def refused(room: Room, name: str, **data: Any) -> tuple[Code, str]:
    with pytest.raises(Refusal) as found:
        room.do("ana", name, **data)
    return found.value.code, found.value.message


def names(room: Room, parent: str = "root") -> list[str]:
    """The follow-ups of a probe of the first tree as this interview offers them."""
    says = tree_here(fresh(room), "data-parallel")
    assert says is not None
    return [probe.id.partition("/")[2] for probe in says.probes if probe.parent == f"data-parallel/{parent}"]


def fresh(room: Room) -> Interview:
    return Interview.objects.get(pk=room.scene.interview.pk)


def view(room: Room) -> Any:
    return room_view(room.scene.interview.room_id)
