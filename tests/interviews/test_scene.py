"""The scene that other tests stand on is itself sound."""

from __future__ import annotations

import pytest

from interviews.enums import InterviewStatus, Role
from tests.cast import PASSWORD, Cast
from tests.support.factories import make_scene

pytestmark = pytest.mark.db


def test_scene_seats_everyone_once(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)

    assert [seat.role for seat in scene.seats] == [
        Role.LEAD,
        Role.INTERVIEWER,
        Role.INTERVIEWER,
        Role.SHADOW,
        Role.OBSERVER,
        Role.CANDIDATE,
    ]
    assert scene.interview.room.code == scene.interview.code
    assert [pinned.planned.seat for pinned in scene.interview.pinned.all()] == [scene.ana, scene.ana]


def test_scene_trees_have_levels_and_a_rescue(cast: Cast) -> None:
    scene = make_scene(cast)

    levels = {probe.key: probe.level for probe in scene.versions[0].probes.all()}

    assert levels == {"root": 1, "root-rescue": 1, "l2": 2, "l2-again": 2, "l3": 3, "l4": 4}


def test_cast_has_one_password(cast: Cast) -> None:
    assert cast.mara.check_password(PASSWORD)
