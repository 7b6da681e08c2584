"""Reminders: after the end, never before, never of what was called off; once each; and of nobody's judgement."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core import mail
from django.db import transaction
from django.utils import timezone

from config.celery_settings import beat_schedule
from interviews.enums import InterviewStatus
from interviews.models import Application, Interview, Seat
from people.models import Job, Person
from scoring.enums import ReminderKind
from scoring.models import Reminder
from scoring.services.reminders import find_due, send_reminder
from scoring.tasks import send_reminder as task
from tests.cast import Cast, make_cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import judged_scene, submit
from tests.support.threads import in_threads

pytestmark = pytest.mark.db

HOURS = {"just now": 0.5, "an hour ago": 1.1, "yesterday": 25, "long ago": 24 * 8}


@pytest.fixture
def scene(cast: Cast) -> Scene:
    """An interview that ended an hour ago; Ana, Bo and Chen owe their cards."""
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    ended(scene, HOURS["an hour ago"])
    return scene


def ended(scene: Scene, hours: float) -> None:
    Interview.objects.filter(pk=scene.interview.pk).update(ended_at=timezone.now() - timedelta(hours=hours))


def work() -> list[str]:
    """Do what beat and worker would; return to whom something was sent by it."""
    before = len(mail.outbox)
    find_due()
    rows = Job.objects.filter(name="scoring.send_reminder", done_at__isnull=True)
    for row in sorted(rows, key=lambda row: int(row.data["reminder"])):  # not by key: reminder 10 stands before 9 there
        task(str(row.id))
    return [message.to[0].partition("@")[0] for message in mail.outbox[before:]]


@pytest.mark.parametrize(
    ("when", "to"), [("just now", []), ("an hour ago", ["ana", "bo", "chen"]), ("yesterday", ["ana", "bo", "chen"])]
)
def test_authors_are_reminded_after_the_end(scene: Scene, when: str, to: list[str]) -> None:
    ended(scene, HOURS[when])

    assert work() == to


def test_each_reminder_is_sent_once(scene: Scene) -> None:
    first, again = work(), work()
    ended(scene, HOURS["yesterday"])
    late, never = work(), work()

    assert (first, again) == (["ana", "bo", "chen"], [])
    assert (late, never) == (["ana", "bo", "chen"], [])
    sent = Reminder.objects.filter(seat=scene.ana, sent_at__isnull=False).order_by("pk")
    assert list(sent.values_list("kind", flat=True)) == [ReminderKind.FIRST, ReminderKind.LATE]


def test_a_job_delivered_twice_sends_once(scene: Scene) -> None:
    find_due()
    row = Reminder.objects.get(seat=scene.ana)

    for _ in range(2):
        send_reminder(row.pk)

    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_once() -> None:
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)
    judged_scene(scene)
    ended(scene, HOURS["an hour ago"])
    assert in_threads(find_due, find_due) in ([3, 0], [0, 3], [2, 1], [1, 2])
    row = Reminder.objects.get(seat=scene.ana)

    in_threads(*[lambda: send_reminder(row.pk)] * 3)

    assert len(mail.outbox) == 1


def test_what_has_not_ended_reminds_nobody(scene: Scene) -> None:
    """Scheduled (moved ones too), running, paused, cancelled, nobody came: whatever stands in the seats."""
    for status in set(InterviewStatus) - {InterviewStatus.ENDED}:
        Interview.objects.filter(pk=scene.interview.pk).update(
            status=status, ended_at=None, starts_at=timezone.now() - timedelta(days=2)
        )

        assert work() == [], status


def test_only_who_owes_a_card_is_reminded(scene: Scene) -> None:
    bo = Seat.objects.filter(pk=scene.bo.pk)
    changes: dict[str, tuple[Callable[[], object], list[str]]] = {
        "submitted": (lambda: submit(scene.bo), ["ana", "chen"]),
        "excused": (lambda: bo.update(card_excused_at=timezone.now()), ["ana", "chen"]),
        "left": (lambda: Person.objects.filter(pk=scene.bo.person_id).update(is_active=False), ["ana", "chen"]),
        "owes nothing": (lambda: bo.update(card_owed=False), ["ana", "chen"]),
        "erased": (lambda: Application.objects.update(erased_at=timezone.now()), []),
        "long ago": (lambda: ended(scene, HOURS["long ago"]), []),
    }

    for name, (change, to) in changes.items():
        with transaction.atomic():
            change()
            assert work() == to, name
            transaction.set_rollback(True)


def test_what_came_in_meanwhile_is_not_reminded_of(scene: Scene) -> None:
    find_due()
    submit(scene.bo)

    assert work() == ["ana", "chen"]
    assert not Reminder.objects.filter(seat=scene.bo).exists()


def test_an_interview_that_goes_on_again_reminds_after_its_second_end(scene: Scene) -> None:
    find_due()
    Interview.objects.filter(pk=scene.interview.pk).update(status=InterviewStatus.LIVE, ended_at=None)
    meanwhile = work()
    hour_ago = timezone.now() - timedelta(hours=HOURS["an hour ago"])
    Interview.objects.filter(pk=scene.interview.pk).update(status=InterviewStatus.ENDED, ended_at=hour_ago)

    assert (meanwhile, work()) == ([], ["ana", "bo", "chen"])


def test_a_mail_server_that_fails_is_tried_again(scene: Scene, settings: Any) -> None:
    settings.EMAIL_BACKEND = "no.such.backend"
    with pytest.raises(ImportError):
        work()
    assert not Reminder.objects.filter(sent_at__isnull=False).exists()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Job.objects.all().update(due_at=timezone.now())

    assert work() == ["ana", "bo", "chen"]


def test_the_letter_says_what_waits_in_the_readers_language(scene: Scene) -> None:
    Person.objects.filter(pk=scene.cast.bo.pk).update(language="zh-hans", time_zone="Asia/Shanghai")
    work()

    ana, bo = mail.outbox[0], mail.outbox[1]
    assert ana.subject == "Your scorecard: Training engineer"
    assert f"http://127.0.0.1:8000/cards/{scene.ana.code}/" in ana.body
    assert "Hello Ana," in ana.body
    assert "(Europe/Berlin time)" in ana.body
    assert "Asia/Shanghai" in bo.body
    assert ana.extra_headers["Message-ID"] == f"<card-{scene.ana.code}-first@127.0.0.1>"
    # What is sent can't be erased: no name of the candidate, of the others, or of anything judged.
    for word in ("Kim", "Lindqvist", "Bo", "Chen", "sustained", "depth"):
        assert word not in ana.body


def test_beat_looks_for_what_is_due() -> None:
    task = beat_schedule["find-reminders"]["task"]

    assert task in current_app.tasks
