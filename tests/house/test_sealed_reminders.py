"""Reminders of cards say nothing of anybody's judgement: the sealing matrix for what is sent by mail."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.db import transaction

from scoring.models import Reminder
from scoring.services.reminders import find_due, send_reminder
from tests.cast import Cast
from tests.house.worlds import CANARIES, A, B, How, World

pytestmark = pytest.mark.db


@pytest.fixture
def world(cast: Cast) -> World:
    return World(cast)


def nothing(world: World) -> None:
    pass


def judges(world: World) -> None:
    world.bo_judges(A)
    world.bo_drafts(A)


def hands_in(how: How) -> Callable[[World], None]:
    def act(world: World) -> None:
        world.bo_judges(how)
        world.submit("bo", how=how)

    return act


def test_reminders_say_nothing_of_anybodys_judgement(world: World) -> None:
    """Whatever Bo did, the others get the same letters, to the byte."""
    world.end()
    acts = (nothing, judges, hands_in(A), hands_in(B))

    letters = [_letters(world, act) for act in acts]

    assert [set(told) for told in letters] == [{"ana", "chen"}, {"ana", "bo", "chen"}, *[{"ana", "chen"}] * 2]
    for told in letters[1:]:
        assert {who: told[who] for who in ("ana", "chen")} == {who: letters[0][who] for who in ("ana", "chen")}
        assert not any(words in letter for letter in told.values() for words in CANARIES.values())


def _letters(world: World, act: Callable[[World], None]) -> dict[str, str]:
    """Who is written to of what waits for them, two hours after the end, and all that is in it."""
    with transaction.atomic(), time_machine.travel(world.moment + timedelta(hours=2), tick=False):
        act(world)
        find_due()
        for row in Reminder.objects.order_by("pk"):
            send_reminder(row.pk)
        # Drawn here, since a letter is dated when it is drawn.
        letters = {letter.to[0].partition("@")[0]: letter.message().as_string() for letter in mail.outbox}
        transaction.set_rollback(True)
    mail.outbox.clear()
    return letters
