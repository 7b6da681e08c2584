"""The calibration's page: for who is in charge, in words, named by the rights of interviewers' own pages."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext

from interviews.enums import InterviewStatus
from people.enums import PersonRole
from people.models import Person
from scoring.models import CalibrationRun, InterviewerFigures
from scoring.rules.interviewer import figures_of_seats
from scoring.services.interviewer_figures import write_calibrated
from tests.cast import Cast
from tests.support.calibrations import Ratings, make_run
from tests.support.factories import make_application, make_interview, make_position, make_tree
from tests.support.pages import as_, words

pytestmark = pytest.mark.db

PAGE = "/calibration/"


def some(count: int, *, email: str = "some") -> list[Person]:
    return Person.objects.bulk_create(
        Person(email=f"{email}{number}@sounding.example", name=f"Some{number:02}", roles=[PersonRole.INTERVIEWER])
        for number in range(count)
    )


def sits(manager: Person, *people: Person) -> None:
    """Let these have sat on a panel of the manager's."""
    lead, *others = people
    application = make_application(make_position(manager))
    make_interview(application, lead=lead, interviewers=others, status=InterviewStatus.ENDED)


def test_before_the_first_run_the_page_says_why(cast: Cast) -> None:
    assert "No calibration has run yet: five closed applications are needed, and a night." in words(
        as_(cast.mara).get(PAGE)
    )


def test_page_says_in_words_what_the_run_found(cast: Cast) -> None:
    people = some(8)
    sits(cast.mara, *people)
    make_run(people, candidates=120, severity=[1.2, 0, 0, 0, 0, 0, 0, -1.2])

    text = words(as_(cast.mara).get(PAGE))

    for sentence in (
        "2160 ratings of 120 candidates by 8 interviewers.",
        "2 of 8 differ from the average by more than chance would make them.",
        "With 3 interviewers, as is usual here, reliability is",
        "Raw means would need",
        "On the same answer two interviewers are at most one point apart: depth",
        "Nobody became stricter or milder lately, of 8 who could be tested.",
        "A value says how somebody did in these interviews, not how they will do at work.",
    ):
        assert sentence in text
    soup = BeautifulSoup(as_(cast.mara).get(PAGE).content, "html.parser")
    for drawing in soup.main.select("svg[role=img]"):  # type: ignore[union-attr]
        assert drawing.find_parent("figure").find("table"), "the same as a table"  # type: ignore[union-attr]


def test_interviewers_who_hardly_differ_make_calibration_worth_little(cast: Cast) -> None:
    people = some(6)
    make_run(people, candidates=100, severity=[0.0] * 6)
    run = CalibrationRun.objects.get()
    study = [{**row, "raw_reliability": row["reliability"] - 0.01} for row in run.content["decision_study"]]
    CalibrationRun.objects.create(
        number=2,
        digest="2",
        code_version="x",
        applications=[],
        content=run.content | {"decision_study": study},
        held=b"",
    )

    assert "Calibration buys little here" in words(as_(cast.mara).get(PAGE))


def test_manager_sees_those_named_who_sat_on_their_panels(cast: Cast) -> None:
    people = some(8)
    sits(cast.mara, *people[:2])
    make_run(people, candidates=40)

    def named(person: Person) -> list[str]:
        text = words(as_(person).get(PAGE))
        return [one.name for one in people if one.name in text]

    assert named(cast.mara) == ["Some00", "Some01"]
    assert words(as_(cast.mara).get(PAGE)).count("not named here") == 12, "six, drawn and in the table"
    assert named(cast.nils) == []
    assert named(cast.ada) == [one.name for one in people]
    assert as_(people[0]).get(PAGE).status_code == 403


def test_two_without_a_name_would_still_be_about_somebody(cast: Cast) -> None:
    people = some(6)
    sits(cast.mara, *people[:4])
    make_run(people, candidates=40)

    text = words(as_(cast.mara).get(PAGE))

    assert "not named here" not in text
    assert "2 more interviewers are not drawn: without names it would still be about somebody." in text


def test_what_ties_nobody_together_is_said(cast: Cast) -> None:
    people = some(8)
    sits(cast.mara, *people)
    make_run(people, candidates=60, apart=3)

    text = words(as_(cast.mara).get(PAGE))

    assert "Some05, Some06 and Some07 share too little with the others" in text
    assert text.count("can't be compared") == 3
    assert "3 interviewers share too little with the others" in words(as_(cast.nils).get(PAGE))


def test_page_names_no_candidate(cast: Cast) -> None:
    make_run(some(6), candidates=40, kinder=0.5)
    make_application(make_position(cast.mara), name="Somebody Else")

    assert "Somebody Else" not in as_(cast.ada).get(PAGE).content.decode()


def test_every_page_takes_the_same_queries_however_many_there_are(cast: Cast) -> None:
    version = make_tree("data-parallel")
    found = []
    for count, candidates in ((6, 20), (10, 60)):
        people = some(count, email=f"{count}.")
        make_run(people, candidates=candidates, tree=version.tree_id)
        found.append([_queries(cast.mara, url) for url in (PAGE, f"/interviewers/{_known(people, cast.mara).code}/")])

    assert found == [[5, 4], [5, 4]]


def _known(people: list[Person], manager: Person) -> Person:
    sits(manager, *people)
    write(people, Ratings([one.pk for one in people], 20).beside().people)
    return people[0]


def write(people: list[Person], found: object) -> None:
    InterviewerFigures.objects.bulk_create(
        InterviewerFigures(person=one, applications=5, content=figures_of_seats([]), counted_on="2026-11-30")
        for one in people
    )
    write_calibrated(found)  # type: ignore[arg-type]


def _queries(person: Person, url: str) -> int:
    reader = as_(person)
    with CaptureQueriesContext(connection) as captured:
        assert reader.get(url).status_code == 200
    return len(captured)


# --- one interviewer --------------------------------------------------------------------------------------------------


def test_interviewers_page_says_severity_and_the_rest_in_words(cast: Cast) -> None:
    people = some(8)
    sits(cast.mara, *people)
    severity = [1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.2]
    made = Ratings([one.pk for one in people], 120, severity, stricter=frozenset({people[1].pk}), kinder=1.0)
    write(people, made.beside().people)

    strict, drifted = (words(as_(cast.mara).get(f"/interviewers/{one.code}/")) for one in people[:2])

    assert "points lower than an average interviewer on the same answers." in strict
    assert "On answers that others rated too," in strict
    assert "An impression moves all marks of a conversation by" in strict
    assert "Answers to one's own questions are marked" in strict
    assert "No change that would be more than chance since April 2026." in strict
    assert "lower than before since April 2026: a reason to look, not a verdict." in drifted
    assert "95% interval" in strict
    own = words(as_(people[0]).get(f"/interviewers/{people[0].code}/"))
    assert "How you mark" in own
    assert not [one.name for one in people[1:] if one.name in own]
    assert as_(people[0]).get(f"/interviewers/{people[1].code}/").status_code == 403


def test_few_linked_ratings_are_taken_as_average_and_islands_are_not_compared(cast: Cast) -> None:
    people = some(9)
    sits(cast.mara, *people)
    write(people, Ratings([one.pk for one in people], 12, apart=3).beside().people)

    assert "Taken as average" in words(as_(cast.mara).get(f"/interviewers/{people[0].code}/"))
    assert "Can't be told: too few candidates and probes are shared" in words(
        as_(cast.mara).get(f"/interviewers/{people[-1].code}/")
    )


def test_kept_words_of_a_person_wait_for_five_applications_of_their_own(cast: Cast) -> None:
    ana, bo = some(2)
    for person, applications in ((ana, 5), (bo, 10)):
        content = {**figures_of_seats([]), "calibrated": {"applications": 5}}
        InterviewerFigures.objects.create(
            person=person, applications=applications, content=content, counted_on="2026-11-01"
        )
    found = {person.pk: {"severity": {"points": [0.5, 0.1, 0.9]}} for person in (ana, bo)}

    assert (write_calibrated(found), write_calibrated(found)) == (1, 0), "Bo's took five in since"
    kept = {row.person_id: row.content["calibrated"] for row in InterviewerFigures.objects.all()}
    assert kept == {ana.pk: {"applications": 5}, bo.pk: {**found[bo.pk], "applications": 10}}
