"""What the room's page reads from tables and log: levels of trees with trial probes, pauses, endings."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from interviews.enums import Ended, InterviewStatus, Role
from interviews.models import Boundary, Interview
from interviews.queries.pauses import pauses_of
from interviews.queries.room import mine_view, room_view
from interviews.rendering.context import page_context, shared_context
from questionbank.enums import Scoring, VersionState
from questionbank.models import Probe, TreeVersion, VersionStatus
from scoring.queries.trees import load_trees
from tests.cast import Cast
from tests.house.acting import do
from tests.house.room_cases import Room
from tests.support.factories import make_application, make_interview, make_position, make_scene, make_tree

pytestmark = pytest.mark.db


def with_trials(key: str, *probes: str, depth: int = 2) -> TreeVersion:
    version = make_tree(key, depth=depth, state=VersionState.DRAFT)
    Probe.objects.filter(version=version, key__in=probes).update(scoring=Scoring.TRIAL)
    VersionStatus.objects.filter(version=version).update(state=VersionState.PUBLISHED, published_at=timezone.now())
    return version


def interview_on(cast: Cast, version: TreeVersion) -> Interview:
    application = make_application(make_position(cast.mara))
    panel = {"lead": cast.ana, "interviewers": [cast.bo], "versions": [version]}
    return make_interview(application, status=InterviewStatus.LIVE, **panel)


@pytest.mark.parametrize(("trials", "top"), [(["l3"], 2), (["root", "root-rescue", "l2", "l2-again", "l3"], 1)])
def test_top_of_a_tree_is_its_deepest_scored_probe_for_room_and_card(cast: Cast, trials: list[str], top: int) -> None:
    interview = interview_on(cast, with_trials("tried", *trials, depth=3))

    view = room_view(interview.room_id)

    assert view.pinned[0].says.top_level == top
    assert [tree.top_level for tree in load_trees(interview.application, [interview.pk])] == [top]
    lead = interview.seats.get(role=Role.LEAD)
    assert {probe["deepest"] for probe in page_context(view, lead, mine_view(lead))["probes"]} == {3}


def test_not_expected_may_be_said_where_only_a_trial_was_judged(cast: Cast) -> None:
    version = with_trials("tried", "root")
    interview = interview_on(cast, version)
    interview.application.position.optional_trees.set([version.tree])
    lead, bo = interview.seats.get(role=Role.LEAD), interview.seats.get(role=Role.INTERVIEWER)
    asked = do(lead, "probe.ask", {"probe": "tried/root"})
    do(bo, "mark.set", {"asked": str(asked), "outcome": "sustained", "version": 0})

    do(bo, "boundary.set", {"tree": "tried", "ended": "not_expected", "version": 0})

    assert Boundary.objects.written_by(bo).get().ended == Ended.NOT_EXPECTED


def test_pauses_are_as_long_as_when_they_were_made(cast: Cast) -> None:
    room = Room(make_scene(cast, status=InterviewStatus.LIVE))
    room.do("ana", "interview.pause", age=300)
    room.do("ana", "interview.resume", age=60)
    room.do("ana", "interview.pause", age=30)

    view = room_view(room.scene.interview.room_id)

    first, second = pauses_of([room.scene.interview.room_id])[room.scene.interview.room_id]
    assert first.until is not None
    assert timedelta(seconds=235) < first.until - first.since < timedelta(seconds=245)
    assert (second.until, view.paused_at) == (None, second.since)
    status = shared_context(view)["status"]
    assert 235 < status["paused_seconds"] < 245
    assert status["pauses"] == [{"since": first.since, "until": first.until}]
