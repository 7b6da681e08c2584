"""Positions, applications, the loop, and cards that nobody waits for any more."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from interviews.enums import InterviewStatus, SealingPolicy, TextKind
from interviews.models import Application, Candidate, Position, Seat, Text
from interviews.queries.hiring import application_page, application_rows, position_rows
from interviews.sealed import may_read_panel
from interviews.services.attachments import Sent
from interviews.services.hiring import (
    AppliedAlready,
    CandidateDetails,
    CardNotOwed,
    JudgesToo,
    LoopRunning,
    PositionClosed,
    PositionTerms,
    change_application,
    change_position,
    close_loop,
    create_application,
    create_position,
    excuse_card,
    reopen_loop,
)
from people.lifecycle import rights_changed
from people.models import AuditEntry, Job, Person
from people.refusal import Refused
from tests.cast import Cast
from tests.support.factories import Scene, make_application, make_interview, make_position, make_scene, make_tree

pytestmark = pytest.mark.db

PDF = b"%PDF-1.7 a page"


def terms(managers: Sequence[Person], **changes: Any) -> PositionTerms:
    given: dict[str, Any] = {
        "title": "Agent engineer",
        "managers": managers,
        "plan": None,
        "sealing": SealingPolicy.AFTER_ALL,
        "retention_days": 90,
        "optional_trees": [],
        "chat": True,
    }
    return PositionTerms(**{**given, **changes})


def details(name: str = "Lin Wei", **changes: Any) -> CandidateDetails:
    given: dict[str, Any] = {"email": "", "language": "zh-hans", "accommodations": "", "extra_time_percent": 25}
    return CandidateDetails(name=name, **{**given, **changes})


def apply(position: Position, by: Person, **changes: Any) -> Application:
    given: dict[str, Any] = {
        "code": uuid.uuid4(),
        "known": None,
        "details": details(),
        "claims": ["Wrote an agent", "Ran it"],
        "files": [Sent("cv.pdf", PDF)],
        "links": ["Code https://code.example/lin"],
        "lifted_trees": [],
    }
    return create_application(by=by, position=position, **{**given, **changes})


def test_create_position_sent_twice_makes_one(cast: Cast) -> None:
    code = uuid.uuid4()
    tree = make_tree("a2a").tree

    first = create_position(by=cast.mara, code=code, terms=terms([cast.mara], optional_trees=[tree]))
    again = create_position(by=cast.mara, code=code, terms=terms([cast.mara], title="Another"))

    assert again == first
    position = Position.objects.get()
    assert (position.title, position.sealing, position.retention_days, position.chat) == (
        "Agent engineer",
        "after_all",
        90,
        True,
    )
    assert list(position.optional_trees.all()) == [tree]


def test_a_form_used_by_somebody_else_makes_and_shows_no_position(cast: Cast) -> None:
    code = uuid.uuid4()
    create_position(by=cast.mara, code=code, terms=terms([cast.mara]))

    with pytest.raises(Refused, match="used for something else"):
        create_position(by=cast.nils, code=code, terms=terms([cast.nils], title="Another"))

    assert list(Position.objects.get().managers.all()) == [cast.mara]


def test_a_resume_is_not_left_behind_by_an_application_that_failed(cast: Cast) -> None:
    position = make_position(cast.mara)
    before = default_storage.listdir("attachments")[1] if default_storage.exists("attachments") else []

    with pytest.raises(ValueError, match="unsaved"):  # at the entry for the audit, the last thing written
        apply(position, Person(name="Nobody"))

    assert not Application.objects.exists()
    assert sorted(default_storage.listdir("attachments")[1]) == sorted(before)


def test_a_position_keeps_at_least_one_manager(cast: Cast) -> None:
    position = make_position(cast.mara)

    with pytest.raises(Refused) as refused:
        change_position(position=position, by=cast.mara, terms=terms([]))

    assert refused.value.field == "managers"
    assert list(position.managers.all()) == [cast.mara]
    assert Position.objects.get().title == "Training engineer"


def test_create_application_keeps_everything_given(cast: Cast) -> None:
    application = apply(make_position(cast.mara), cast.mara)

    identity = application.candidate.identity
    assert (identity.name, identity.language, identity.extra_time_percent) == ("Lin Wei", "zh-hans", 25)
    assert [claim.text.body for claim in application.claims.all()] == ["Wrote an agent", "Ran it"]
    assert [(row.label, row.url, row.media_type) for row in application.attachments.all()] == [
        ("Code", "https://code.example/lin", ""),
        ("cv.pdf", "", "application/pdf"),
    ]
    assert "Lin" not in str(list(AuditEntry.objects.values()))


def test_create_application_sent_twice_makes_one(cast: Cast) -> None:
    position, code = make_position(cast.mara), uuid.uuid4()

    assert apply(position, cast.mara, code=code) == apply(position, cast.mara, code=code)

    assert Candidate.objects.count() == 1


def test_create_application_for_somebody_known_shares_the_candidate(cast: Cast) -> None:
    before = make_application(make_position(cast.mara, title="Earlier"))

    application = apply(make_position(cast.mara), cast.mara, known=before.candidate, details=None)

    assert application.candidate == before.candidate
    assert before.candidate.identity.name == "Kim Lindqvist"
    with pytest.raises(AppliedAlready):
        apply(application.position, cast.mara, known=before.candidate, details=None)


def test_create_application_is_refused_for_a_closed_position(cast: Cast) -> None:
    with pytest.raises(PositionClosed):
        apply(make_position(cast.mara, closed_at=timezone.now()), cast.mara)

    assert Candidate.objects.count() == 0


def test_create_application_with_a_bad_file_keeps_nothing(cast: Cast) -> None:
    with pytest.raises(Refused):
        apply(make_position(cast.mara), cast.mara, files=[Sent("cv.pdf", PDF), Sent("cv.exe", b"MZ")])

    assert (Application.objects.count(), Candidate.objects.count()) == (0, 0)


def test_change_application_keeps_the_claims_that_stay(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    application = apply(make_position(cast.mara), cast.mara)
    kept = application.claims.get(text__body="Ran it")
    file = application.attachments.get(label="cv.pdf")
    name, storage = file.file.name, file.file.storage

    with django_capture_on_commit_callbacks(execute=True):
        change_application(
            application=application,
            by=cast.mara,
            details=details(name="Lin Wei-Ming"),
            claims=["New claim", "Ran it"],
            files=[],
            links=["Code https://code.example/lin"],
            removed=[file.code],
            lifted_trees=[],
        )

    assert [(claim.pk, claim.text.body) for claim in application.claims.all()][1] == (kept.pk, "Ran it")
    assert [claim.text.body for claim in application.claims.all()] == ["New claim", "Ran it"]
    assert Text.objects.filter(kind=TextKind.CLAIM).count() == 2
    assert [row.label for row in application.attachments.all()] == ["Code"]
    assert not storage.exists(name)
    assert Candidate.objects.get().identity.name == "Lin Wei-Ming"


def test_change_application_is_refused_once_erased(cast: Cast) -> None:
    application = apply(make_position(cast.mara), cast.mara)
    application.erased_at = timezone.now()

    with pytest.raises(Refused, match="erased"):
        change_application(
            application=application,
            by=cast.mara,
            details=details(),
            claims=[],
            files=[],
            links=[],
            removed=[],
            lifted_trees=[],
        )


# --- the loop and the cards -------------------------------------------------------------------------------------------


def owing(cast: Cast) -> Scene:
    """An ended interview: Ana has submitted, Bo and Chen owe."""
    scene = make_scene(cast, status=InterviewStatus.ENDED)
    Seat.objects.filter(pk__in=[scene.ana.pk, scene.bo.pk, scene.chen.pk]).update(card_owed=True)
    Seat.objects.filter(pk=scene.ana.pk).update(card_submitted_at=timezone.now())
    return scene


def test_excuse_stops_the_waiting_and_asks_for_the_panel_card(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    scene = owing(cast)
    heard: list[int] = []

    def listen(room_id: int, **_told: Any) -> None:
        heard.append(room_id)

    rights_changed.connect(listen)
    with django_capture_on_commit_callbacks(execute=True):
        excuse_card(seat=scene.bo, by=cast.mara, reason="Ill for weeks")

    assert heard == [scene.interview.room_id]
    assert Seat.objects.get(pk=scene.bo.pk).card_excused_at is not None
    job = Job.objects.get()
    assert (job.name, job.key, job.data) == (
        "scoring.compile_panel",
        f"panel:{scene.application.pk}",
        {"application": scene.application.pk},
    )
    page = application_page(cast.mara, scene.application)
    assert page.cards is not None
    assert [(card.seat, card.state, card.reason) for card in page.cards] == [
        (scene.ana, "submitted", ""),
        (scene.bo, "excused", "Ill for weeks"),
        (scene.chen, "owed", ""),
    ]
    assert "Ill" not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize("name", ["ana", "dee"])
def test_excuse_is_refused_for_a_card_that_nobody_waits_for(cast: Cast, name: str) -> None:
    scene = owing(cast)

    with pytest.raises(CardNotOwed):
        excuse_card(seat=getattr(scene, name), by=cast.mara, reason="x")

    assert not Text.objects.filter(kind=TextKind.EXCUSE).exists()
    assert not Job.objects.exists()


def test_excuse_happens_once(cast: Cast) -> None:
    scene = owing(cast)
    excuse_card(seat=scene.bo, by=cast.mara, reason="first")

    with pytest.raises(CardNotOwed):
        excuse_card(seat=scene.bo, by=cast.mara, reason="second")

    assert Text.objects.filter(kind=TextKind.EXCUSE).count() == 1


@pytest.mark.parametrize("name", ["ana", "bo"])
def test_excuse_by_a_rater_tells_nothing_about_the_card(cast: Cast, name: str) -> None:
    """Chen manages and rates: the answer is the same for a card that is in and for one that is owed."""
    scene = owing(cast)
    Person.objects.filter(pk=cast.chen.pk).update(roles=["interviewer", "manager"])
    scene.position.managers.add(cast.chen)
    chen = Person.objects.get(pk=cast.chen.pk)

    with pytest.raises(JudgesToo):
        excuse_card(seat=getattr(scene, name), by=chen, reason="x")


def test_a_manager_who_rates_sees_no_counts_of_cards(cast: Cast) -> None:
    scene = owing(cast)
    Person.objects.filter(pk=cast.chen.pk).update(roles=["interviewer", "manager"])
    scene.position.managers.add(cast.chen)
    chen = Person.objects.get(pk=cast.chen.pk)
    # There is something to leak: Mara, who does not rate, sees it.
    assert [row.owed for row in position_rows(cast.mara)] == [2]
    assert [(row.cards_in, row.cards_owed) for row in application_rows(cast.mara, scene.position)] == [(1, 3)]

    page = application_page(chen, scene.application)

    assert (page.cards, page.all_in) == (None, None)
    assert [row.owed for row in position_rows(chen)] == [0]
    assert [(row.cards_in, row.cards_owed) for row in application_rows(chen, scene.position)] == [(None, None)]


def test_a_manager_who_judges_this_person_elsewhere_learns_of_no_card(cast: Cast) -> None:
    """Who has submitted here is as much a hint for a judgement that is owed in another position."""
    scene = owing(cast)
    elsewhere = make_position(cast.nils).applications.create(candidate=scene.application.candidate)
    make_interview(elsewhere, lead=cast.mara)

    page = application_page(cast.mara, scene.application)

    assert (page.cards, page.all_in) == (None, None)
    assert [row.owed for row in position_rows(cast.mara)] == [0]
    assert [(row.cards_in, row.cards_owed) for row in application_rows(cast.mara, scene.position)] == [(None, None)]
    for seat in (scene.ana, scene.bo):
        with pytest.raises(JudgesToo):
            excuse_card(seat=seat, by=cast.mara, reason="x")
    assert position_rows(cast.ada).get(pk=scene.position.pk).owed == 2  # who judges this person nowhere sees it


def test_close_loop_opens_what_waited_for_further_interviews(cast: Cast) -> None:
    scene = owing(cast)
    Seat.objects.filter(card_owed=True).update(card_submitted_at=timezone.now())
    make_interview(scene.application, lead=cast.sam)
    assert not may_read_panel(cast.mara, scene.application)

    close_loop(application=scene.application, by=cast.mara)

    assert may_read_panel(cast.mara, scene.application)
    assert Job.objects.get().name == "scoring.compile_panel"
    assert Application.objects.get().loop_closed_by == cast.mara


def test_close_loop_twice_writes_once(cast: Cast) -> None:
    scene = owing(cast)

    close_loop(application=scene.application, by=cast.mara)
    close_loop(application=scene.application, by=cast.ada)

    assert AuditEntry.objects.filter(action="loop.closed").count() == 1
    assert Application.objects.get().loop_closed_by == cast.mara


def test_close_loop_waits_for_a_running_interview(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)

    with pytest.raises(LoopRunning):
        close_loop(application=scene.application, by=cast.mara)

    assert Application.objects.get().loop_closed_at is None


def test_reopen_loop_lets_interviews_come_again(cast: Cast) -> None:
    scene = owing(cast)
    close_loop(application=scene.application, by=cast.mara)

    reopen_loop(application=scene.application, by=cast.mara)

    assert Application.objects.get().loop_closed_at is None
    assert AuditEntry.objects.filter(action="loop.reopened").count() == 1
