"""How an interviewer marks: from closed applications, five at a time, beside others who are never named."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus, Outcome, Role
from interviews.models import Interview, PlannedSeat, Seat
from people.models import Person
from questionbank.models import Probe
from scoring.enums import MarkingCause
from scoring.models import BlindMarking, InterviewerFigures
from scoring.rules.interviewer import added_up, figures_of_seats, pooled_agreement, spread_of
from scoring.services.interviewer_figures import write_interviewer_figures
from tests.cast import Cast
from tests.support.factories import make_application, make_interview, make_position, make_tree
from tests.support.judging import ask, end, judge, submit
from tests.support.pages import as_, words

pytestmark = pytest.mark.db

TODAY = date(2026, 12, 1)


class Shop:
    """Ana leads and rates 2 always; Bo rates 0 and 4 in turn, and hands in two days late."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.versions = [make_tree("data-parallel"), make_tree("zero-stages")]
        self.position = make_position(cast.mara)

    def interview(self, *others: Person, close: bool = True) -> Interview:
        interview = make_interview(
            make_application(self.position),
            lead=self.cast.ana,
            interviewers=[self.cast.bo, *others],
            shadows=[self.cast.dee],
            versions=self.versions,
            status=InterviewStatus.LIVE,
            starts_at=timezone.now() - timedelta(days=3),
        )
        asked = [ask(interview.seats.get(role=Role.LEAD), self.probe(key)) for key in ("root", "l2")]
        for place, one in enumerate(asked):
            for seat in interview.seats.filter(role__in=[Role.LEAD, Role.INTERVIEWER, Role.SHADOW]):
                even = seat.person != self.cast.bo
                judge(seat, one, Outcome.PARTIAL, depth=2 if even else place * 4)
        end(interview)
        if close:
            self.close(interview)
        return interview

    def probe(self, key: str) -> Probe:
        return Probe.objects.get(version=self.versions[0], key=key)

    def close(self, interview: Interview) -> None:
        for seat in Seat.objects.filter(interview=interview, card_owed=True):
            submit(seat)
        Interview.objects.filter(pk=interview.pk).update(ended_at=timezone.now() - timedelta(days=2))
        Seat.objects.filter(interview=interview, card_owed=True).exclude(person=self.cast.bo).update(
            card_submitted_at=timezone.now() - timedelta(days=2)
        )


@pytest.fixture
def shop(cast: Cast) -> Shop:
    return Shop(cast)


def page_of(person: Person) -> str:
    return reverse("scoring:interviewer", kwargs={"code": person.code})


# --- the snapshot -----------------------------------------------------------------------------------------------------


def test_nobody_has_figures_before_five_applications_are_closed(shop: Shop) -> None:
    for _ in range(4):
        shop.interview()
    last = shop.interview(close=False)

    assert write_interviewer_figures(TODAY) == 0
    shop.close(last)
    assert (write_interviewer_figures(TODAY), write_interviewer_figures(TODAY)) == (2, 0)

    bo = InterviewerFigures.objects.get(person=shop.cast.bo)
    assert (bo.applications, bo.counted_on) == (5, TODAY)
    assert bo.content == {
        "interviews": 5,
        "ratings": {"0": 5, "1": 0, "2": 0, "3": 0, "4": 5},
        "heard": 10,
        "marked": 10,
        "planned": 0,
        "asked": 0,
        "cards": 5,
        "late": 5,
        "agreement": None,
    }
    ana = InterviewerFigures.objects.get(person=shop.cast.ana).content
    # Both trees are Ana's to ask; one was asked.
    assert PlannedSeat.objects.filter(seat__person=shop.cast.ana).count() == 10
    assert (ana["planned"], ana["asked"], ana["late"]) == (10, 5, 0)
    assert not InterviewerFigures.objects.filter(person=shop.cast.dee).exists(), "shadows learn"


def test_figures_move_by_five_of_a_person_and_never_by_one(shop: Shop) -> None:
    for _ in range(5):
        shop.interview()
    write_interviewer_figures(TODAY)
    for _ in range(4):
        shop.interview(shop.cast.chen)

    assert write_interviewer_figures(TODAY) == 0
    shop.interview()
    assert write_interviewer_figures(TODAY) == 2
    assert InterviewerFigures.objects.get(person=shop.cast.ana).applications == 10
    assert not InterviewerFigures.objects.filter(person=shop.cast.chen).exists(), "four are too few"


def test_agreement_without_names_moves_by_five_too(shop: Shop) -> None:
    dimension = {"pairs": 2, "own": 3.0, "panel": 2.0, "difference": 1.0, "distance": 1.0}
    agreed = {"dimensions": dict.fromkeys(("depth", "why", "hands_on"), dimension), "outcomes": {"same": 1, "of": 2}}
    interviews = [shop.interview(close=False) for _ in range(5)]
    for interview in interviews[:4]:
        handed_in(shop, interview, agreed)

    assert write_interviewer_figures(TODAY) == 0
    handed_in(shop, interviews[4], agreed)
    assert (write_interviewer_figures(TODAY), write_interviewer_figures(TODAY)) == (1, 0)

    row = InterviewerFigures.objects.get(person=shop.cast.sam)
    assert row.content["agreement"]["markings"] == 5
    assert row.content["agreement"]["dimensions"]["depth"] == {"pairs": 10, "difference": 1.0, "distance": 1.0}
    text = words(as_(shop.cast.sam).get(page_of(shop.cast.sam)))
    assert "Without names, 5 markings. Depth: 1.0 apart on average" in text
    assert "Nothing yet: five closed applications are needed" in text


def handed_in(shop: Shop, interview: Interview, agreed: dict[str, object]) -> None:
    BlindMarking.objects.create(
        interview=interview,
        marker=shop.cast.sam,
        cause=MarkingCause.NORMING,
        submitted_at=timezone.now(),
        agreement=agreed,
    )


# --- the page ---------------------------------------------------------------------------------------------------------


def test_a_page_without_figures_says_what_is_needed(shop: Shop) -> None:
    text = words(as_(shop.cast.ana).get(page_of(shop.cast.ana)))

    assert "Nothing yet: five closed applications are needed, and a night to count them." in text
    for place in ("Severity", "Agreement", "Halo", "Lead effect", "Drift"):
        assert place in text
    assert "No calibration says anything of it yet." in text


def test_a_page_compares_with_the_others_and_names_none(shop: Shop) -> None:
    lou, mo = (
        Person.objects.create(email=f"{name}@sounding.example", name=name.capitalize(), roles=["interviewer"])
        for name in ("louise", "moritz")
    )
    for _ in range(5):
        shop.interview(lou, mo)
    write_interviewer_figures(TODAY)

    ana = words(as_(shop.cast.ana).get(page_of(shop.cast.ana)))

    assert "How you mark From 5 closed applications." in ana
    assert "Spread of ratings These ratings keep closer together than the others’." in ana

    assert "0.0 around 2.0 1.2 around 2.0" in ana
    assert "Ratings of 2, the middle 100 % 67 %" in ana
    assert "Trees asked, of those planned to be asked 50 % (5 of 10)" in ana
    assert "Cards more than a day late 0 % (0 of 5) 33 %" in ana
    for name in ("Bo", "Louise", "Moritz", "Chen"):
        assert name not in ana.split(), name
    mara = words(as_(shop.cast.mara).get(page_of(shop.cast.bo)))
    assert "How Bo marks" in mara
    assert "Cards more than a day late 100 % (5 of 5)" in mara


def test_a_group_of_two_is_no_group(shop: Shop) -> None:
    for _ in range(5):
        shop.interview(shop.cast.chen)
    write_interviewer_figures(TODAY)

    text = words(as_(shop.cast.ana).get(page_of(shop.cast.ana)))

    assert "With fewer than three others there is no group to compare with" in text
    assert "Ratings of 2, the middle 100 % –" in text


@pytest.mark.parametrize(
    ("who", "status"), [("bo", 200), ("mara", 200), ("ada", 200), ("ana", 403), ("nils", 404), ("cora", 404)]
)
def test_who_may_look(shop: Shop, who: str, status: int) -> None:
    shop.interview(close=False)
    browser = as_(getattr(shop.cast, who))

    assert browser.get(page_of(shop.cast.bo)).status_code == status
    listed = "Bo" in words(browser.get("/interviewers/")).split() if who != "cora" else False
    assert listed is (status == 200)


# --- the rules --------------------------------------------------------------------------------------------------------


def test_rules_add_up_and_say_nothing_of_too_few() -> None:
    nothing = figures_of_seats([])

    assert added_up([nothing, nothing]) is None
    assert added_up([nothing] * 3) == nothing
    assert spread_of({"2": 1}) is None
    spread = spread_of({"0": 2, "4": 2})
    assert spread is not None
    assert (spread.mean, round(spread.deviation, 4), spread.middle) == (2.0, 2.3094, 0.0)
    assert pooled_agreement([{}] * 4) is None
