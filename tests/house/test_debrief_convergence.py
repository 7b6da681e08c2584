"""A debrief's page that was open meanwhile and one loaded now are the same page, for every event and every seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.urls import reverse

from interviews import log
from interviews.models import Event
from scoring.live.debrief_room import draw_all
from scoring.queries.debriefs import load_parts
from scoring.reports.debrief_page import REPAINTS
from tests.cast import Cast
from tests.house.people import client_of
from tests.support.debriefs import Talk, all_in

pytestmark = pytest.mark.db

VOTE = {"recommendation": "no", "reason": "Bo is <right>.", "version": 0}
STORY: list[Callable[[Talk], object]] = [
    lambda talk: talk.sit("dee"),
    lambda talk: talk.do("mara", "debrief.start"),
    lambda talk: talk.do("mara", "phase.next"),
    lambda talk: talk.do("ana", "vote.set", **VOTE),
    lambda talk: talk.do("ana", "vote.set", recommendation="yes", version=1),
    lambda talk: talk.do("bo", "vote.set", recommendation="no_decision", reason="Heard little.", version=0),
    lambda talk: talk.do("mara", "phase.next"),
    lambda talk: talk.do("ana", "note.post", text="Depth & breadth"),
    lambda talk: talk.do("bo", "note.post", text="Two\nlines"),
    lambda talk: talk.do("mara", "decision.record", decision="offer", rationale="Grows."),
    lambda talk: talk.do("mara", "decision.record", decision="no_offer", rationale="References.", version=1),
]


class Page:
    """A page as somebody opened it, its regions repainted by the frames it heard since."""

    def __init__(self, talk: Talk, who: str, language: str) -> None:
        self.talk, self.who, self.language = talk, who, language
        client = client_of(who, talk.scene)
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        answer = client.get(reverse("scoring:debrief", kwargs={"code": talk.scene.application.code}))
        page = BeautifulSoup(answer.content.decode(), "html.parser")
        room = page.find(id="debrief")
        self.cursors = {"panel": int(room["data-head-panel"]), "mine": int(room["data-head-mine"])}
        ids = [f"debrief-{name}" for name in {name for names in REPAINTS.values() for name in names}]
        self.regions = {name: str(tag) for name in ids if (tag := page.find(id=name))}

    def hear(self) -> None:
        part = load_parts(pk=self.talk.seats[self.who].pk)[self.talk.seats[self.who].pk]
        for wire, stream in (("panel", "panel"), ("mine", part.mine)):
            events = log.since(self.talk.debrief.room_id, {stream: self.cursors[wire]})
            for frame in draw_all(events, self.language) if events else []:
                self.cursors[wire] = frame["seq"]
                html = BeautifulSoup(frame["html"], "html.parser")
                assert html.find(["button", "input", "select", "textarea", "form"]) is None
                for tag in html.find_all(id=lambda name: name in self.regions):
                    self.regions[tag["id"]] = str(tag)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_an_open_debrief_becomes_the_fresh_one(cast: Cast, language: str) -> None:
    talk = Talk(all_in(cast))
    pages = [Page(talk, who, language) for who in ("mara", "ana", "bo")]

    for step in STORY:
        step(talk)
        for page in pages:
            page.hear()
            fresh = Page(talk, page.who, language)
            assert page.cursors == fresh.cursors, page.who
            assert page.regions == fresh.regions, page.who

    told = set(Event.objects.filter(room=talk.debrief.room).values_list("name", flat=True))
    assert told == set(REPAINTS)
