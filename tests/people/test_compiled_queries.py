"""Queries composed once read what the ORM reads, whoever asks and with whatever values."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet
from django.test.utils import CaptureQueriesContext

from interviews.models import Asked, Evidence, Interview, PinnedTree, Seat
from interviews.queries import room as reading
from interviews.services import acting
from people.compiled import Compiled
from tests.cast import Cast
from tests.house.test_command_matrix import Prepared
from tests.support.factories import make_scene

pytestmark = pytest.mark.db


def columns(rows: QuerySet[Any] | list[Any]) -> list[dict[str, Any]]:
    """What each row holds, rows joined to it and annotations too."""
    return [_held(row) for row in rows]


def _held(row: Model, seen: tuple[Model, ...] = ()) -> dict[str, Any]:
    held = {name: value for name, value in vars(row).items() if name != "_state"}
    joined = {name: other for name, other in row._state.fields_cache.items() if other not in seen}  # some lead back
    return held | {name: _held(other, (*seen, row)) if other else None for name, other in joined.items()}


def test_a_room_is_read_as_the_orm_reads_it(cast: Cast) -> None:
    room = Prepared(make_scene(cast))
    interview = room.scene.interview
    bo, asked = room.scene.bo, uuid.UUID(room.asked)

    for compiled, values in (
        (reading._interview, (interview.room_id,)),
        (reading._asked, (interview.pk,)),
        (reading._pinned, (interview.pk,)),
        (reading._seats, (interview.pk,)),
        (reading._statements_on[Evidence], (bo.pk, asked)),
        (acting._seat, (bo.pk,)),
        (acting._asking, (asked,)),
    ):
        told = compiled(*values)  # type: ignore[operator]
        assert told
        assert columns(told) == columns(compiled._build(*values))  # type: ignore[attr-defined]


def test_each_call_is_asked_with_its_own_values(cast: Cast) -> None:
    scene = make_scene(cast)
    seats = Compiled(lambda interview, role: Seat.objects.filter(interview=interview, role=role), int, str)

    with CaptureQueriesContext(connection) as captured:
        assert [seat.pk for seat in seats(scene.interview.pk, "lead")] == [scene.ana.pk]
        assert scene.bo.pk in {seat.pk for seat in seats(scene.interview.pk, "interviewer")}
        assert seats(0, "lead") == []
    assert len(captured) == 3


def test_one_row_that_is_not_there_is_said_as_the_orm_says_it(cast: Cast) -> None:
    scene = make_scene(cast)
    interviews = Compiled(lambda pk: Interview.objects.filter(pk=pk), int)
    pinned = Compiled(lambda interview: PinnedTree.objects.filter(interview=interview), int)

    assert interviews.one(scene.interview.pk) == scene.interview
    with pytest.raises(Interview.DoesNotExist):
        interviews.one(0)
    with pytest.raises(Asked.DoesNotExist):
        Compiled(lambda pk: Asked.objects.filter(pk=pk), uuid.UUID).one(uuid.uuid4())
    assert pinned(0) == []
