"""One application in every state of its seal. Ana, Bo and Chen judge, Dee shadows; Bo's words are canaries.

Everything is done as in life: by the room's commands, the services of set-up and of scorecards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from interviews.enums import SealingPolicy, TextKind
from interviews.models import Attendance, PreparationNote, Seat, Text
from scoring.enums import Recommendation
from scoring.queries.cards import working_card
from scoring.services.amendments import begin_amendment, save_amendment
from scoring.services.judging import take_ratings
from scoring.services.openings import open_early
from scoring.services.panels import compile_application
from scoring.services.scorecards import save_draft, submit_card
from tests.cast import Cast
from tests.house.people import furnish
from tests.house.room_cases import Room
from tests.support.factories import make_application, make_interview, make_position, make_scene
from tests.support.judges import judged

CANARIES = {
    kind: f"canary {number}: {kind} of the sealed shaft"
    for number, kind in enumerate(
        ("note", "general note", "evidence", "reason", "override", "summary", "recommendation")
    )
}


JUDGED = "canary of an automatic judge"
PREPARED = "canary of what Bo noted before it began"


@dataclass
class How:
    """What Bo makes of it: outcomes and ratings by probe, and the words."""

    marks: Mapping[str, Mapping[str, object]]
    words: Mapping[str, str]
    recommendation: Recommendation
    floor: int


A = How(
    marks={
        "root": {"outcome": "sustained", "aid": "unaided", "ratings": {"depth": 4}, "confidence": "high"},
        "l2": {"outcome": "partial", "aid": "hinted", "ratings": {"depth": 1, "why": 4}},
        "l3": {"outcome": "not_sustained", "aid": "told", "ratings": {"depth": 0, "hands_on": 4}},
    },
    words=CANARIES,
    recommendation=Recommendation.STRONG_NO,
    floor=7,
)
B = How(
    marks={
        "root": {"outcome": "recited", "aid": "told", "ratings": {"depth": 1}},
        "l2": {"outcome": "not_sustained", "ratings": {"depth": 3, "why": 0}, "confidence": "low"},
        "l3": {"outcome": "sustained", "aid": "clarified", "ratings": {"depth": 4}},
    },
    words={kind: f"quite other words {kind}" for kind in CANARIES},
    recommendation=Recommendation.STRONG_YES,
    floor=0,
)


class World(Room):
    """An interview of four probes that everybody heard and that Ana, Chen and Dee have judged; Bo hasn't yet."""

    def __init__(self, cast: Cast, sealing: SealingPolicy = SealingPolicy.AFTER_OWN) -> None:
        super().__init__(furnish(make_scene(cast, sealing=sealing)))
        note = Text(application=self.scene.application, author=self.scene.bo, kind=TextKind.PREPARATION)
        note.write(PREPARED)
        note.save()
        PreparationNote.objects.unsealed_for_compiling().create(seat=self.scene.bo, text=note)
        self.do("ana", "interview.start")
        self.moment = timezone.now() + timedelta(minutes=10)
        """A moment of its own, for walks that must not differ by the clock."""
        for seat in (self.scene.ana, self.scene.bo, self.scene.chen, self.scene.dee):
            Attendance.objects.create(seat=seat)
        self.asked = {key: self.ask(f"data-parallel/{key}") for key in ("root", "l2", "l3")}
        for who in ("ana", "chen", "dee"):
            for asked in self.asked.values():
                self.do(who, "mark.set", asked=asked, outcome="sustained", ratings={"depth": 2}, version=0)
            self.do(who, "note.set", asked=self.asked["root"], text=f"Of {who}", version=0)

    def bo_judges(self, how: How) -> None:
        for key, mark in how.marks.items():
            self.do("bo", "mark.set", asked=self.asked[key], version=0, **mark)
        root = {"asked": self.asked["root"]}
        self.do("bo", "note.set", **root, text=how.words["note"], version=0)
        self.do("bo", "note.set", text=how.words["general note"], version=0)
        said = {**root, "aid": "prompted"}
        self.do("bo", "evidence.add", **said, type="debugged", detail=how.words["evidence"])
        self.do("bo", "reason.add", **said, type="regret", detail=how.words["reason"])
        override = {"floor": how.floor, "ceiling": 9, "reason": how.words["override"]}
        self.do("bo", "boundary.set", tree="data-parallel", ended="time", override=override, version=0)

    def bo_drafts(self, how: How) -> None:
        seat = self._seat("bo")
        save_draft(
            seat=seat,
            version=working_card(seat).version,
            summary=how.words["summary"],
            recommendation=how.recommendation,
            reason=how.words["recommendation"],
        )

    def bo_amends(self) -> None:
        begin_amendment(seat=self._seat("bo"))

    def bo_rethinks(self, how: How) -> None:
        """Of a card that is being amended: other marks, another note and other words."""
        for key, mark in how.marks.items():
            self.do("bo", "mark.set", asked=self.asked[key], version=1, **mark)
        self.do("bo", "note.set", asked=self.asked["root"], text=how.words["note"], version=1)
        save_amendment(
            seat=self._seat("bo"),
            version=working_card(self._seat("bo")).version,
            summary=how.words["summary"],
            recommendation=how.recommendation,
            reason=how.words["recommendation"],
            amendment="Thought again",
        )

    def submit(self, *names: str, how: How = A) -> None:
        for name in names:
            seat = self._seat(name)
            mine = name == "bo"
            submit_card(
                seat=seat,
                version=working_card(seat).version,
                summary=how.words["summary"] if mine else "Counts.",
                recommendation=how.recommendation if mine else Recommendation.YES,
                reason=how.words["recommendation"] if mine else "",
            )
        compile_application(self.scene.application.pk)

    def end(self) -> None:
        self.do("ana", "interview.end")
        rated = judged(self.scene, note=JUDGED)
        take_ratings(judge=rated.judge, key="one", said=rated.said)

    def opened_early(self) -> None:
        open_early(application=self.scene.application, by=self.scene.cast.mara, reason="An offer elsewhere")

    def chen_meets_them_again(self) -> None:
        """Kim applies for another position too, and Chen is to interview there."""
        candidate = self.scene.application.candidate
        other = make_application(make_position(self.scene.cast.nils, title="Another"), candidate=candidate)
        make_interview(other, lead=self.scene.cast.chen, versions=self.scene.versions)

    def _seat(self, name: str) -> Seat:
        seat: Seat = getattr(self.scene, name)
        return Seat.objects.select_related("interview__application__position", "person").get(pk=seat.pk)


@dataclass(frozen=True)
class State:
    """A state of the seal: who may read what Bo wrote by then, and who the figures over the panel."""

    name: str
    reach: Callable[[World], None]
    readers: str
    sealing: SealingPolicy = SealingPolicy.AFTER_OWN
    figures: str = ""


def _running(world: World) -> None:
    world.bo_judges(A)


def _ended(world: World) -> None:
    world.bo_judges(A)
    world.end()
    world.bo_drafts(A)


def _in(*names: str) -> Callable[[World], None]:
    def reach(world: World) -> None:
        _ended(world)
        world.submit(*names)

    return reach


def _opened(*names: str) -> Callable[[World], None]:
    def reach(world: World) -> None:
        _in(*names)(world)
        world.opened_early()

    return reach


def _all_in_but_chen_meets_them_again(world: World) -> None:
    _in("ana", "bo", "chen")(world)
    world.chen_meets_them_again()


AFTER_ALL = SealingPolicy.AFTER_ALL
ALL = "ana bo chen dee mara ada"
OFF = "mara ada"
OTHERS = "ana bo dee mara ada"
STATES = [
    State("while it runs", _running, "bo"),
    State("ended, a draft", _ended, "bo"),
    State("Ana's in, Bo's a draft", _in("ana"), "bo"),
    State("Bo's card in", _in("bo"), "bo"),
    # With "after own" a mean that moves by one card is that card: the figures wait for all.
    State("Bo's and Ana's in", _in("bo", "ana"), "bo ana"),
    State("Bo's and Ana's in, after all", _in("bo", "ana"), "bo", AFTER_ALL),
    # The shadow is nobody whom others wait for, and reads by the same rule: their own first.
    State("Bo's and the shadow's in", _in("bo", "dee"), "bo dee"),
    State("all in", _in("ana", "bo", "chen"), ALL, figures=ALL),
    State("all in, after all", _in("ana", "bo", "chen"), ALL, AFTER_ALL, figures=ALL),
    # Opening is for who is in charge and off the panel: the raters still wait for their own. A draft is nobody's.
    State("opened early", _opened("bo"), f"bo {OFF}", figures=OFF),
    State("opened early, after all", _opened("bo"), f"bo {OFF}", AFTER_ALL, figures=OFF),
    State("opened early, Bo's a draft", _opened("ana"), "bo", figures=OFF),
    # A duty on the person seals everything about the person.
    State("all in, Chen meets them again", _all_in_but_chen_meets_them_again, OTHERS, figures=OTHERS),
]
