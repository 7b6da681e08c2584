"""Who asks which tree: said when an interview is made, and changed on its page; each reads it on their own."""

from __future__ import annotations

from uuid import UUID

import pytest

from interviews.enums import InterviewStatus
from interviews.models import PinnedTree, PlannedSeat
from interviews.services.seating import SeatGone, remove_seat, share_trees
from people.models import AuditEntry
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_scene
from tests.support.forms import error_of, form_of, url
from tests.support.pages import as_, words

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast)


def askers(scene: Scene) -> dict[str, str]:
    rows = PlannedSeat.objects.filter(pinned__interview=scene.interview)
    return dict(rows.values_list("pinned__version__tree__key", "seat__person__name"))


def pinned(scene: Scene, key: str) -> int:
    return PinnedTree.objects.get(interview=scene.interview, version__tree__key=key).pk


def test_trees_are_shared_out_on_the_page_and_each_reads_what_they_ask(scene: Scene) -> None:
    manager = as_(scene.cast.mara)
    path = url("interview-askers", scene.interview.code)
    sent = form_of(manager.get(path))
    assert sent == {"data-parallel": str(scene.ana.code), "zero-stages": str(scene.ana.code)}

    manager.post(path, {**sent, "zero-stages": str(scene.bo.code)})

    assert askers(scene) == {"data-parallel": "Ana", "zero-stages": "Bo"}
    assert AuditEntry.objects.get(action="interview.shared_out").actor == scene.cast.mara
    said = words(as_(scene.cast.bo).get(url("preparation", scene.interview.code)))
    assert "Data parallel 15 Ana Zero stages 15 you" in said


def test_only_lead_and_interviewers_can_be_chosen(scene: Scene) -> None:
    path = url("interview-askers", scene.interview.code)
    for seat in (scene.dee, scene.eli, scene.candidate):
        page = as_(scene.cast.mara).post(path, {"data-parallel": str(seat.code), "zero-stages": str(scene.bo.code)})
        assert page.status_code == 422
        assert "valid choice" in error_of(page, "data-parallel")

    assert askers(scene) == {"data-parallel": "Ana", "zero-stages": "Ana"}


def test_a_seat_that_went_meanwhile_is_refused(scene: Scene) -> None:
    code = UUID(str(scene.bo.code))
    remove_seat(seat=scene.bo, by=scene.cast.mara)

    with pytest.raises(SeatGone, match="changed meanwhile"):
        share_trees(interview=scene.interview, by=scene.cast.mara, askers={pinned(scene, "data-parallel"): code})


def test_a_tree_of_another_interview_is_refused(scene: Scene) -> None:
    elsewhere = make_interview(scene.application, lead=scene.cast.ana, versions=scene.versions)
    other = PinnedTree.objects.filter(interview=elsewhere)[0]

    with pytest.raises(SeatGone):
        share_trees(interview=scene.interview, by=scene.cast.mara, askers={other.pk: scene.ana.code})


@pytest.mark.parametrize("status", [InterviewStatus.ENDED, InterviewStatus.CANCELLED])
def test_nothing_is_shared_out_when_it_is_over(cast: Cast, status: InterviewStatus) -> None:
    scene = make_scene(cast, status=status)

    with pytest.raises(SeatGone, match="is over"):
        share_trees(interview=scene.interview, by=cast.mara, askers={pinned(scene, "data-parallel"): scene.bo.code})


def test_the_page_says_when_the_trees_take_longer_than_the_interview(scene: Scene) -> None:
    page = url("interview-detail", scene.interview.code)
    assert "The trees take" not in words(as_(scene.cast.mara).get(page))

    PinnedTree.objects.filter(interview=scene.interview).update(minutes=45)

    assert "The trees take 90 minutes; the interview has 60." in words(as_(scene.cast.mara).get(page))
    assert "The trees take" not in words(as_(scene.cast.bo).get(page))
