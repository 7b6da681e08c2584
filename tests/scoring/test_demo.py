"""The demo's data: made once, kept on a second start, the running interview replaced when it is old."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config.supervisor import PEOPLE as ANNOUNCED
from interviews.enums import InterviewStatus
from interviews.models import Command, Interview, Mark, Position, Seat
from people.models import Person
from questionbank.exchange.files import read_paths
from scoring.demo.people import PEOPLE, prepare_people
from scoring.demo.prepare import BANK, HERE, PLAN_NAME, Prepared, end, prepare
from scoring.queries.panel import newest_panel
from scoring.services.panels import verify
from scoring.simulation.expectations import panel_failures
from scoring.simulation.outcome import Outcome
from scoring.simulation.reading import load
from scoring.simulation.script import Script
from tests.support.pages import as_

pytestmark = pytest.mark.db

PASSWORD = "down-to-the-bottom"


@pytest.fixture(autouse=True)
def _files(settings: Settings, tmp_path: Path) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {**settings.STORAGES["default"], "OPTIONS": {"location": tmp_path}},
    }
    settings.DEMO_PASSWORD = PASSWORD


@pytest.fixture
def prepared(db: None) -> Prepared:
    return prepare(PASSWORD)


def rows() -> Counter[str]:
    """How many rows each table holds."""
    return Counter({model._meta.label: model._base_manager.count() for model in apps.get_models()})


def of_demo(name: str) -> Script:
    return load(HERE / f"{name}.yaml")


def counted(script: Script, interview: Interview) -> dict[str, int]:
    """How many commands each of the script's people was acknowledged."""
    seats = {
        seat.person.email: seat
        for seat in Seat.objects.filter(interview=interview, person__isnull=False)
        if seat.person
    }
    return {name: Command.objects.filter(seat=seats[email]).count() for name, email in script.people.items()}


def test_the_finished_interview_has_a_debrief_to_hold(prepared: Prepared) -> None:
    address = f"/applications/{prepared.finished.application.code}/debrief/"
    people = {one.email.partition("@")[0]: Person.objects.get(email=one.email) for one in PEOPLE}

    opened = {who: as_(people[who]).get(address).status_code for who in ("manager", "lead", "interviewer", "curator")}

    assert opened == {"manager": 200, "lead": 200, "interviewer": 200, "curator": 404}
    assert "Begin the reading" in as_(people["manager"]).get(address).content.decode()


def test_the_finished_interview_shows_what_its_script_says_in_its_own_time(prepared: Prepared) -> None:
    script, interview = of_demo("finished"), prepared.finished

    card = newest_panel(interview.application_id)

    assert interview.status == InterviewStatus.ENDED
    assert counted(script, interview) == script.expect.accepted
    assert card is not None
    assert list(panel_failures(script.expect, outcome_of(script, interview, card.content))) == []
    assert verify(card).holds
    assert interview.started_at is not None
    assert interview.ended_at is not None
    assert interview.ended_at - interview.started_at >= timedelta(minutes=52)
    asked = [round((row.made_at - interview.started_at).total_seconds()) for row in interview.asked.all()]
    assert asked == [step.at for step in script.steps if any(act.name == "ask" for act in step.acts["lead"])]


def outcome_of(script: Script, interview: Interview, content: dict[str, Any]) -> Outcome:
    people = dict(Person.objects.values_list("email", "pk"))
    pinned = interview.pinned.select_related("version__tree")
    return Outcome(
        url="",
        interview=str(interview.code),
        application="",
        people={},
        shared=None,
        panel={"content": content},
        raters={name: people[email] for name, email in script.people.items()},
        trees={row.version.tree.key: row.version.tree_id for row in pinned},
    )


def test_a_second_start_adds_nothing_and_the_running_interview_waits_for_a_judgement(prepared: Prepared) -> None:
    before, live = rows(), prepared.live

    again = prepare(PASSWORD)

    assert rows() == before
    assert (again.finished, again.live, again.notes) == (prepared.finished, live, ())
    assert live is not None
    assert live.status == InterviewStatus.LIVE
    assert counted(of_demo("live"), live) == of_demo("live").expect.accepted | {"shadow": 0, "listener": 0}
    assert live.current is not None
    assert live.current.probe is not None
    assert live.current.probe.key == "dp-pitfall"
    assert not Mark.objects.unsealed_for_compiling().filter(asked=live.current).exists()


def test_the_running_interview_is_replaced_when_it_is_old_or_ended_as_long_as_the_position_is_open(
    prepared: Prepared,
) -> None:
    first = prepared.live
    assert first is not None
    Interview.objects.filter(pk=first.pk).update(started_at=timezone.now() - timedelta(hours=2, minutes=1))

    second = prepare(PASSWORD)

    first.refresh_from_db()
    assert first.status == InterviewStatus.ENDED
    assert Seat.objects.filter(interview=first, card_owed=True).count() == 3
    assert second.live is not None
    assert (second.live.status, second.live.application == first.application) == (InterviewStatus.LIVE, False)
    assert [note.partition(" of ")[0] for note in second.notes] == ["the interview"]

    end(second.live)
    third = prepare(PASSWORD)

    assert third.live not in {None, first, second.live}
    assert third.live is not None
    assert third.notes == ()

    end(third.live)
    Position.objects.update(closed_at=timezone.now())
    fourth = prepare(PASSWORD)

    assert fourth.live is None
    assert fourth.notes == ("no new running interview: This position is closed.",)


def test_demo_says_what_there_is_and_everybody_sees_a_home_page(db: None) -> None:
    out = StringIO()

    call_command("demo", prepare=True, stdout=out)

    lines = out.getvalue().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["people", "finished interview", "running interview"]
    assert lines[0] == f"people: {', '.join(one.email for one in PEOPLE)}"
    assert Client().login(username="lead@demo.example", password=PASSWORD)
    assert len(set(Person.objects.values_list("password", flat=True))) == 1
    for person in Person.objects.all():
        client = Client()
        client.force_login(person, settings.AUTHENTICATION_BACKENDS[0])
        assert client.get("/").status_code == 200


def test_another_password_lets_them_in_and_the_old_one_no_longer(db: None) -> None:
    prepare_people(PASSWORD)

    people = prepare_people("another-one-altogether")

    assert people["lead"].email == "lead@demo.example"
    fresh = Person.objects.get(email="lead@demo.example")
    assert (fresh.check_password("another-one-altogether"), fresh.check_password(PASSWORD)) == (True, False)
    assert set(Person.objects.values_list("password", flat=True)) == {fresh.password}


def test_the_supervisor_announces_the_people_there_are() -> None:
    assert list(ANNOUNCED) == [one.key for one in PEOPLE]


def test_starter_trees_are_named_like_their_files() -> None:
    readings = read_paths([BANK])

    trees = {Path(reading.file).stem: reading.tree.key for reading in readings if reading.tree}
    assert all(stem == key for stem, key in trees.items())
    assert [reading.plan.name for reading in readings if reading.plan] == [PLAN_NAME]


@pytest.fixture
def elsewhere(settings: Settings) -> Settings:
    settings.DEBUG = False
    settings.SITE_URL = "https://sounding.example"
    return settings


def test_demo_is_refused_where_debug_is_off_and_the_host_is_no_loopback(db: None, elsewhere: Settings) -> None:
    with pytest.raises(CommandError, match=r"can't be loaded for sounding\.example with DEBUG off"):
        call_command("demo", prepare=True)

    assert not Person.objects.exists()


def test_demo_is_refused_without_a_password(db: None, settings: Settings) -> None:
    settings.DEMO_PASSWORD = ""

    with pytest.raises(CommandError, match="DEMO_PASSWORD is not set"):
        call_command("demo", prepare=True)

    assert not Person.objects.exists()
