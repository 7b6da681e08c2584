"""A mark in one round trip writes what the long way writes, and leaves to it whatever something speaks against."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest

from interviews.live import commands, dispatch
from interviews.live.dispatch import carry_out
from interviews.log import Ack
from interviews.models import Event, Mark
from interviews.services.refusal import Code, Refusal
from tests.cast import Cast
from tests.house.test_command_matrix import Prepared
from tests.support.factories import make_scene

pytestmark = pytest.mark.db

STORY: tuple[dict[str, Any], ...] = (
    {"outcome": "partial", "ratings": {"depth": 2}, "version": 0},
    {"aid": "hinted", "confidence": "low", "version": 1},
    {"outcome": None, "ratings": {"depth": None}, "version": 2},
    {"confidence": None, "ratings": {"depth": 0}, "version": 3},
)


@pytest.fixture
def room(cast: Cast) -> Prepared:
    return Prepared(make_scene(cast))


@pytest.fixture
def ways(room: Prepared, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each mark from now on, whether it was written at once."""
    taken: list[bool] = []
    at_once = dispatch.AT_ONCE["mark.set"]

    def watched(*args: Any, **fields: Any) -> Ack | None:
        ack = at_once(*args, **fields)
        taken.append(ack is not None)
        return ack

    monkeypatch.setitem(dispatch.AT_ONCE, "mark.set", watched)
    return taken


def test_at_once_writes_what_the_long_way_writes(
    room: Prepared, ways: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = room.ask(), room.ask()
    for said in STORY:
        room.do("bo", "mark.set", asked=first, **said)
    assert ways == [True] * len(STORY)
    monkeypatch.delitem(dispatch.AT_ONCE, "mark.set")
    for said in STORY:
        room.do("bo", "mark.set", asked=second, **said)

    assert _row(first) == _row(second)
    assert _events(first) == _events(second)


def test_a_repeat_gets_its_first_answer_and_other_words_are_refused(room: Prepared, ways: list[bool]) -> None:
    asked, command = room.ask(), uuid.uuid4()

    def mark(outcome: str) -> Ack:
        said = {"asked": asked, "outcome": outcome, "version": 0}
        return carry_out(room.scene.bo.pk, command, "mark.set", said, timedelta(0))

    first = mark("partial")
    assert mark("partial") == first
    with pytest.raises(Refusal) as refused:
        mark("sustained")

    assert refused.value.code == Code.ID_REUSED
    assert ways == [True, False, False]
    assert Mark.objects.written_by(room.scene.bo).get(asked=asked).outcome == "partial"


@pytest.mark.parametrize("said", [{"version": 7}, {"version": 0, "ratings": {"hands_on": 1}}], ids=["stale", "foreign"])
def test_what_is_refused_writes_nothing(room: Prepared, ways: list[bool], said: dict[str, Any]) -> None:
    asked = room.ask()
    before = Event.objects.count()

    with pytest.raises(Refusal):
        room.do("bo", "mark.set", asked=asked, outcome="partial", **said)

    assert ways == [False]
    assert (Event.objects.count(), Mark.objects.written_by(room.scene.bo).filter(asked=asked).count()) == (before, 0)


def test_every_field_of_a_mark_is_one_that_the_statement_knows() -> None:
    known = {"asked", "version", "outcome", "aid", "ratings", "confidence"}
    assert set(commands.COMMANDS["mark.set"].__dataclass_fields__) == known


def _row(asked: str) -> dict[str, Any]:
    (row,) = Mark.objects.unsealed_for_compiling().filter(asked=asked).values()
    assert row["made_at"] > row["judged_at"]  # other things were said since an outcome was
    own = {"id", "asked_id", "made_at", "judged_at", "written_at"}
    return {name: value for name, value in row.items() if name not in own}


def _events(asked: str) -> list[tuple[str, dict[str, Any]]]:
    found = Event.objects.filter(name="mark.set", data__asked=asked).order_by("seq")
    return [(event.name, {**event.data, "asked": ""}) for event in found]
