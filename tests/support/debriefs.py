"""Debriefs in tests: all cards in, the room open, its commands by the one door that sockets use."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from interviews.enums import InterviewStatus
from interviews.log import Ack
from interviews.models import Application
from people.models import Person
from scoring.enums import Recommendation
from scoring.live.debrief_commands import carry_out
from scoring.models import Debrief, DebriefSeat
from scoring.services.debriefs import open_debrief, take_seat
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import judged_scene, submit

NO_AGE = timedelta(0)
CARDS = {"ana": Recommendation.YES, "bo": Recommendation.NO, "chen": Recommendation.STRONG_YES}


class Talk:
    """A debrief of the scene's application, with seats by first name."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.cast = scene.cast
        self.debrief = open_debrief(application=scene.application, by=scene.cast.mara)
        self.seats = {name: self.sit(name) for name in ("mara", "ana", "bo", "chen")}

    def sit(self, name: str) -> DebriefSeat:
        person: Person = getattr(self.cast, name)
        return take_seat(debrief=self.debrief, viewer=person)

    def do(self, who: str, name: str, *, command: uuid.UUID | None = None, **data: Any) -> Ack:
        return carry_out(self.seats[who].pk, command or uuid.uuid4(), name, data, NO_AGE)

    def to(self, phase: str) -> Talk:
        """Bring it to a phase by its own commands."""
        steps = {"reading": "debrief.start", "voting": "phase.next", "discussing": "phase.next"}
        for step, name in steps.items():
            self.do("mara", name)
            if step == phase:
                break
        self.debrief.refresh_from_db()
        return self

    def again(self) -> Debrief:
        return Debrief.objects.select_related("application", "room").get(pk=self.debrief.pk)


def all_in(cast: Cast) -> Scene:
    """A judged interview with every card in, as CARDS says."""
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    for name, recommendation in CARDS.items():
        submit(getattr(scene, name), recommendation)
    compile_application(scene.application.pk)
    scene.application = Application.objects.get(pk=scene.application.pk)
    return scene
