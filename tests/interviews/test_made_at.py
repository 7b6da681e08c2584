"""What was done without a line and arrives later counts for when it was done, and as it could be done then."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from interviews.enums import InterviewStatus
from interviews.live.dispatch import carry_out
from interviews.models import Asked, Event, Interview
from interviews.queries.pauses import pauses_of
from interviews.queries.room import room_view
from interviews.queries.standing import standings
from interviews.queries.timeline import timeline
from interviews.rendering.timeline import course
from interviews.rules import Pause
from interviews.services.refusal import Refusal
from tests.cast import Cast
from tests.support.factories import make_scene
from tests.support.played import START

pytestmark = pytest.mark.db

L2 = "data-parallel/l2"


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


class Played:
    """A room whose commands are made at one minute and arrive at another. The lead's root is asked at 1:00."""

    def __init__(self, cast: Cast) -> None:
        with time_machine.travel(START - timedelta(hours=1), tick=False):
            self.scene = make_scene(cast)
        self.do("interview.start", 0)
        self.root = self.do("probe.ask", 1, probe="data-parallel/root")

    def do(self, name: str, made: float, *, arrives: float | None = None, who: str = "ana", **data: Any) -> str:
        """Carry out a command; return its id. Minutes."""
        command = uuid.uuid4()
        now = made if arrives is None else arrives
        with time_machine.travel(at(now), tick=False):
            carry_out(getattr(self.scene, who).pk, command, name, data, timedelta(minutes=now - made))
        return str(command)

    def refused(self, name: str, made: float, **data: Any) -> str:
        with pytest.raises(Refusal) as found:
            self.do(name, made, **data)
        return found.value.code.value

    @property
    def interview(self) -> Interview:
        return Interview.objects.get(pk=self.scene.interview.pk)

    @property
    def pauses(self) -> list[Pause]:
        return pauses_of([self.scene.interview.room_id])[self.scene.interview.room_id]

    def seconds(self, minutes: float) -> list[int | None]:
        with time_machine.travel(at(minutes), tick=False):
            return [question.took for question in course(timeline(self.scene.cast.ana, self.interview)).asked]


@pytest.fixture
def played(cast: Cast) -> Played:
    return Played(cast)


# --- ending and going on ----------------------------------------------------------------------------------------------


def test_an_end_pressed_without_a_line_counts_from_then(played: Played) -> None:
    played.do("interview.end", 10, arrives=45)

    assert played.interview.ended_at == at(10)
    assert played.seconds(46) == [9 * 60]


@pytest.mark.parametrize(("name", "data"), [("probe.ask", {"probe": L2}), ("interview.pause", {})])
def test_an_end_comes_after_what_it_ends(played: Played, name: str, data: dict[str, Any]) -> None:
    played.do(name, 20, **data)  # on another device

    played.do("interview.end", 10, arrives=45)

    assert played.interview.ended_at == at(20)
    assert Event.objects.get(stream="panel", name="interview.end").made_at == at(20)


def test_the_time_between_an_end_and_a_reopening_without_a_line_is_taken_out(played: Played) -> None:
    played.do("interview.end", 10, arrives=45)
    played.do("interview.reopen", 20, arrives=45, reason="The line had broken")
    played.do("probe.ask", 21, arrives=45, probe=L2)
    played.do("interview.end", 50)

    (pause,) = played.pauses
    assert (pause.since, pause.until) == (at(10), at(20))
    assert played.seconds(51) == [10 * 60, 29 * 60]
    assert not Asked.objects.get(probe__key="l2").late


def test_each_end_is_another_moment_so_that_pages_compare_again(played: Played) -> None:
    seat = played.scene.ana.pk
    played.do("interview.end", 10, arrives=45)
    first = standings([seat])[seat].over
    played.do("interview.reopen", 8, arrives=45, reason="A clock that is wrong")
    played.do("interview.end", 9, arrives=45)

    assert first == at(10)
    second = standings([seat])[seat].over
    assert second is not None
    assert second > first


# --- asking -----------------------------------------------------------------------------------------------------------


def current(played: Played) -> str:
    return str(played.interview.current_id)


def test_an_asking_made_while_another_led_is_refused_whoever_leads_now(played: Played) -> None:
    played.do("lead.hand_over", 3, seat=str(played.scene.bo.code))
    theirs = played.do("probe.ask", 8, who="bo", probe="zero-stages/root")
    played.do("lead.hand_over", 9, who="bo", seat=str(played.scene.ana.code))

    assert played.refused("probe.ask", 5, arrives=10, probe=L2) == "not_lead"
    own = {"text": "And then?", "parent": "data-parallel/root", "kind": "probe", "aims": ["depth"]}
    assert played.refused("probe.adhoc", 5, arrives=10, **own) == "not_lead"
    assert current(played) == theirs


def test_an_asking_made_in_a_pause_is_refused_when_it_runs_again(played: Played) -> None:
    played.do("interview.pause", 2)
    played.do("interview.resume", 5)

    assert played.refused("probe.ask", 3, arrives=6, probe=L2) == "not_live"
    assert current(played) == played.root


def test_an_asking_older_than_the_current_one_comes_late(played: Played) -> None:
    newer = played.do("probe.ask", 8, probe="zero-stages/root")

    older = played.do("probe.ask", 5, arrives=10, probe=L2)

    assert current(played) == newer
    assert Asked.objects.get(pk=older).late
    assert Event.objects.get(name="probe.ask", cause=older).data["late"] is True
    assert played.seconds(12) == [4 * 60, 4 * 60, 3 * 60]


def test_what_was_made_without_a_line_in_its_order_is_current_in_its_order(played: Played) -> None:
    played.do("interview.pause", 2, arrives=30)
    played.do("interview.resume", 5, arrives=30)
    asked = played.do("probe.ask", 6, arrives=30, probe=L2)

    assert current(played) == asked
    assert not Asked.objects.get(pk=asked).late


# --- taking back and sharing ------------------------------------------------------------------------------------------


def test_an_asking_is_not_taken_back_before_it_was_made(played: Played) -> None:
    asked = played.do("probe.ask", 3, probe=L2)

    played.do("probe.retract", 2, arrives=4, asked=asked)

    assert timeline(played.scene.cast.ana, played.interview).gone == {asked: at(3)}


def test_what_is_taken_back_leaves_the_candidates_page(played: Played) -> None:
    played.do("prompt.share", 2, asked=played.root)

    command = played.do("probe.retract", 3, asked=played.root)

    assert room_view(played.scene.interview.room_id).interview.shared_id is None
    told = Event.objects.filter(cause=command).order_by("stream").values_list("stream", "name")
    assert list(told) == [("all", "prompt.unshare"), ("panel", "probe.retract")]
    assert played.refused("prompt.share", 4, asked=played.root) == "not_asked"


def test_taking_back_leaves_what_else_is_shared(played: Played) -> None:
    played.do("prompt.share", 2, text="Draw it")

    played.do("probe.retract", 3, asked=played.root)

    assert played.interview.shared_text_id is not None
    assert not Event.objects.filter(name="prompt.unshare").exists()
    assert played.interview.status == InterviewStatus.LIVE
