"""The simulated organisation: marked as such everywhere, made once, refused where demo people are."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from interviews.models import Application, CandidateIdentity, Position
from people.models import Person
from scoring.demo.simulated import House, Question, Size
from scoring.models import CalibrationRun, InterviewerFigures
from tests.support.pages import as_, words

SMALLEST = {"interviewers": 10, "candidates": 20}


def run(**options: object) -> str:
    out = StringIO()
    call_command("demo_organisation", stdout=out, **options)
    return out.getvalue()


@pytest.mark.unit
def test_one_seed_tells_one_story() -> None:
    trees = [[Question(level, ("depth",)) for level in (1, 2, 3)] for _ in range(4)]

    told = [House(trees, Size(12, 30, seed)).candidates() for seed in (1, 1, 2)]

    assert told[0] == told[1] != told[2]
    assert all(set(talk.trees) <= {0, 1, 2} for one in told[0] if one.position < 4 for talk in one.talks)
    assert all(
        talk.panel == (10, 11) and talk.trees == (3,) for one in told[0] if one.position == 4 for talk in one.talks
    )


@pytest.mark.db
def test_organisation_is_marked_as_simulated_and_made_once(db: None) -> None:
    assert run(**SMALLEST).startswith("simulated: 10 interviewers, 20 candidates, ")

    people = Person.objects.all()
    assert {person.email.split("@")[1] for person in people} == {"simulated.example"}
    names = [*people.values_list("name", flat=True), *CandidateIdentity.objects.values_list("name", flat=True)]
    assert all(name.endswith(" (simulated)") for name in names)
    assert all(title.startswith("Simulated: ") for title in Position.objects.values_list("title", flat=True))
    assert not any(person.has_usable_password() for person in people)
    assert CalibrationRun.objects.get().content["counts"]["candidates"] == 20
    assert InterviewerFigures.objects.filter(content__has_key="calibrated").count() >= 5
    manager = Person.objects.get(email="manager@simulated.example")
    assert "20 candidates by" in words(as_(manager).get("/calibration/"))
    card = Application.objects.order_by("pk").first()
    assert card is not None
    assert "Simulated: nobody said this." in words(as_(manager).get(f"/applications/{card.code}/panel/"))

    assert "there already: nothing was changed" in run(**SMALLEST)
    assert Person.objects.count() == len(people)


@pytest.mark.db
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"interviewers": 9}, "Too small to say anything"),
        ({"candidates": 3}, "Too small to say anything"),
        ({"seed": -1}, "The seed must be 0 or more"),
    ],
)
def test_what_makes_no_organisation_is_refused_with_a_remedy(db: None, options: dict[str, int], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        run(**options)
    assert not Person.objects.exists()


@pytest.mark.db
def test_organisation_is_refused_where_demo_people_are(db: None, settings: Settings) -> None:
    settings.DEBUG, settings.SITE_URL = False, "https://sounding.example"

    with pytest.raises(CommandError, match="can't be loaded"):
        run(**SMALLEST)
    assert not Person.objects.exists()
