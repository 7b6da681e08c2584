"""Home leads to a debrief under way whoever may be in it, and nobody else."""

from __future__ import annotations

import pytest
from django.utils import timezone

from people.models import Person
from scoring.enums import DebriefPhase
from scoring.models import Debrief
from tests.cast import Cast
from tests.support.debriefs import Talk, all_in
from tests.support.factories import make_interview
from tests.support.pages import as_

pytestmark = pytest.mark.db


@pytest.fixture
def talk(cast: Cast) -> Talk:
    return Talk(all_in(cast))


def led(talk: Talk, person: Person) -> bool:
    address = f'href="/applications/{talk.scene.application.code}/debrief/"'
    return address in as_(person).get("/").content.decode()


def test_who_judged_and_who_is_in_charge_are_led_to_it_until_it_is_decided(talk: Talk, cast: Cast) -> None:
    everybody = ("mara", "ana", "bo", "chen", "eli", "nils", "cora", "sam")

    assert {name for name in everybody if led(talk, getattr(cast, name))} == {"mara", "ana", "bo", "chen"}

    Debrief.objects.update(phase=DebriefPhase.DECIDED, decided_at=timezone.now())
    assert {name for name in everybody if led(talk, getattr(cast, name))} == set()


def test_nobody_is_led_to_it_who_has_still_to_judge(talk: Talk, cast: Cast) -> None:
    assert led(talk, cast.bo)

    make_interview(talk.scene.application, lead=cast.bo, interviewers=[cast.sam])

    assert not led(talk, cast.bo)
    assert not led(talk, cast.sam)
