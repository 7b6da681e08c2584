"""The feedback letter: drafted without scores or names, kept while it is edited, sent once, and only in its time."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from interviews.enums import Decision
from interviews.models import Application, CandidateIdentity, Reveal, Text
from interviews.sealed import may_read_panel
from people.models import AuditEntry, Job
from scoring.models import FeedbackLetter
from scoring.reports.letter import Reached, reached
from scoring.services.letters import deliver_letter
from scoring.tasks import send_letter as send_letter_task
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_position
from tests.support.judging import submit
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_judged_scene(cast)


@pytest.fixture
def all_in(scene: Scene) -> Scene:
    CandidateIdentity.objects.update(email="kim@candidates.example")
    return hand_in_all(scene)


def url(scene: Scene, what: str = "/") -> str:
    return f"/applications/{scene.application.code}/letter{what}"


def field(response: Any) -> Any:
    found = BeautifulSoup(response.content, "html.parser").select_one("#letter textarea")
    assert found is not None
    return found


# --- the draft --------------------------------------------------------------------------------------------------------


def test_draft_says_where_answers_ended_and_neither_scores_nor_names_nor_questions(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).get(url(all_in))

    draft = field(response).get_text()
    assert draft.strip().startswith("Dear Kim Lindqvist,")
    assert draft.strip().endswith("With kind regards,\nMara")
    assert "the position “Training engineer”" in draft
    # Floors of Ana, Bo and Chen: 3, 1 and 2, of four levels.
    assert "- Data parallel: your answers held well beyond the basics, before they became less certain." in draft
    assert "- Zero stages: the basics held; the questions that followed from them did not yet." in draft
    assert [name for name in ("Ana", "Bo", "Chen", "Dee") if re.search(rf"\b{name}\b", draft)] == []
    assert re.findall(r"\d", draft) == []
    prompts = [word for version in all_in.versions for probe in version.probes.all() for word in probe.prompt.values()]
    assert prompts
    assert [prompt for prompt in prompts if prompt in draft] == []
    assert [text for text in Text.objects.values_list("body", flat=True) if text and text in draft] == []
    assert [(row.viewer_id, row.what) for row in Reveal.objects.all()] == [(all_in.cast.mara.pk, "panel")]


def test_draft_is_in_the_candidates_language(all_in: Scene) -> None:
    CandidateIdentity.objects.update(language="zh-hans")

    shown = field(as_(all_in.cast.mara).get(url(all_in)))

    assert shown["lang"] == "zh-Hans"
    assert "data parallel（中文）" in shown.get_text()


def tree(*raters: tuple[int | None, bool], top: int = 4, excluded: bool = False) -> dict[str, Any]:
    rows = [{"floor": floor, "at_least": at_least, "excluded": excluded} for floor, at_least in raters]
    return {"top_level": top, "raters": rows}


@pytest.mark.parametrize(
    ("found", "how"),
    [
        (tree(), Reached.UNKNOWN),
        (tree((None, False)), Reached.UNKNOWN),
        (tree((3, False), excluded=True), Reached.UNKNOWN),
        (tree((0, False)), Reached.START),
        (tree((1, False), (2, False)), Reached.BASICS),  # of two the lower
        (tree((2, False), (3, False), (1, False)), Reached.DEEP),
        (tree((4, True), (4, False)), Reached.TO_THE_END),
        (tree((2, True), (2, True), (3, False)), Reached.CUT_SHORT),
        (tree((2, True), (2, False)), Reached.DEEP),
    ],
)
def test_the_middle_of_the_panel_says_how_far_a_subject_went(found: dict[str, Any], how: Reached) -> None:
    assert reached(found) == how


# --- keeping ----------------------------------------------------------------------------------------------------------


def test_what_was_edited_is_kept_and_taken_along_as_text(all_in: Scene) -> None:
    client = as_(all_in.cast.mara)

    saved = client.post(url(all_in), {"version": "0", "body": "Dear Kim,\r\n\r\nwell done.\r\n"}, follow=True)
    file = client.get(url(all_in, ".txt"))

    assert "Saved. Nothing was sent." in words(saved)
    assert field(saved).get_text().strip() == "Dear Kim,\n\nwell done."
    assert file.content.decode() == "Dear Kim,\n\nwell done.\n"
    assert file.headers["Content-Disposition"] == f'attachment; filename="letter-{all_in.application.code}.txt"'
    actions = [row.action for row in AuditEntry.objects.filter(action__startswith="letter.").order_by("pk")]
    assert actions == ["letter.saved", "letter.downloaded"]
    assert "well done" not in str(list(AuditEntry.objects.values_list("data", flat=True)))
    assert mail.outbox == []


def test_a_window_that_was_overtaken_is_refused_and_its_words_stay(all_in: Scene) -> None:
    client = as_(all_in.cast.mara)
    client.post(url(all_in), {"version": "0", "body": "First"})

    for what in ("/", "/send/"):
        stale = client.post(url(all_in, what), {"version": "0", "body": "Second"})

        assert stale.status_code == 409
        assert "changed or sent in another window" in words(stale)
        assert field(stale).get_text().strip() == "Second"
    assert FeedbackLetter.objects.get().text.body == "First"
    assert not Job.objects.filter(name="scoring.send_letter").exists()


def test_a_window_that_is_left_from_before_a_letter_went_out_sends_no_second_one(all_in: Scene) -> None:
    client = as_(all_in.cast.mara)
    client.post(url(all_in), {"version": "0", "body": "First"})
    assert client.post(url(all_in, "/send/"), {"version": "1", "body": "Sent"}).status_code == 302

    for version in ("0", "1"):
        again = client.post(url(all_in, "/send/"), {"version": version, "body": "Once more"})
        assert (again.status_code, field(again).get_text().strip()) == (409, "Once more")

    assert Job.objects.filter(name="scoring.send_letter").count() == 1
    fresh = BeautifulSoup(client.get(url(all_in)).content, "html.parser").select_one("[name=version]")
    assert fresh is not None
    assert client.post(url(all_in, "/send/"), {"version": str(fresh["value"]), "body": "A second"}).status_code == 302


def test_an_empty_letter_is_refused(all_in: Scene) -> None:
    answer = as_(all_in.cast.mara).post(url(all_in, "/send/"), {"version": "0", "body": " \n"})

    assert answer.status_code == 422
    assert not FeedbackLetter.objects.exists()


# --- sending ----------------------------------------------------------------------------------------------------------


def test_a_letter_is_sent_once_and_never_changes_after(all_in: Scene) -> None:
    client = as_(all_in.cast.mara)
    answer = client.post(url(all_in, "/send/"), {"version": "0", "body": "Dear Kim,\nwell done."}, follow=True)
    job = Job.objects.get(name="scoring.send_letter")

    send_letter_task(str(job.pk))
    deliver_letter(FeedbackLetter.objects.get().pk)

    assert "The letter is on its way." in words(answer)
    (sent,) = mail.outbox
    assert (sent.to, sent.reply_to) == (["kim@candidates.example"], [all_in.cast.mara.email])
    assert (sent.subject, sent.body) == ("Your interviews with us: Training engineer", "Dear Kim,\nwell done.")
    assert "well done" not in str(job.data)
    letter = FeedbackLetter.objects.get()
    assert letter.sent_at is not None
    with pytest.raises(IntegrityError), transaction.atomic():
        Text.objects.filter(pk=letter.text_id).update(body="Never mind.")
    actions = [row.action for row in AuditEntry.objects.filter(action__startswith="letter.").order_by("pk")]
    assert actions == ["letter.queued", "letter.sent"]
    again = client.get(url(all_in))
    assert "well done." in words(again)
    assert field(again).get_text().strip().startswith("Dear Kim Lindqvist,")  # another letter would be a new draft


def test_a_mail_server_that_fails_leaves_the_letter_waiting(all_in: Scene, settings: Any) -> None:
    as_(all_in.cast.mara).post(url(all_in, "/send/"), {"version": "0", "body": "Dear Kim"})
    letter = FeedbackLetter.objects.get()
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "django.core.mail.backends.smtp.EmailBackend", 1

    with pytest.raises(OSError, match="refused"):
        deliver_letter(letter.pk)

    letter.refresh_from_db()
    assert letter.sent_at is None
    assert not AuditEntry.objects.filter(action="letter.sent").exists()


def test_without_an_address_it_is_copied_or_downloaded(scene: Scene) -> None:
    CandidateIdentity.objects.update(email="")
    hand_in_all(scene)
    client = as_(scene.cast.mara)

    refused = client.post(url(scene, "/send/"), {"version": "0", "body": "Dear Kim"})

    assert "No e-mail address of the candidate is known here" in words(client.get(url(scene)))
    assert (refused.status_code, field(refused).get_text().strip()) == (409, "Dear Kim")
    assert not FeedbackLetter.objects.exists()


def test_what_was_erased_meanwhile_is_not_sent(all_in: Scene) -> None:
    as_(all_in.cast.mara).post(url(all_in, "/send/"), {"version": "0", "body": "Dear Kim"})
    Text.objects.filter(kind="letter").update(body=None, erased_at=timezone.now())

    deliver_letter(FeedbackLetter.objects.get().pk)

    assert mail.outbox == []


# --- who, and when ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "before", "after"),
    [
        ("mara", 403, 200),
        ("ada", 403, 200),
        ("ana", 403, 403),
        ("dee", 403, 403),
        ("eli", 403, 403),
        ("nils", 404, 404),
        ("cora", 404, 404),
    ],
)
def test_only_who_is_in_charge_writes_and_only_when_all_is_in(scene: Scene, who: str, before: int, after: int) -> None:
    client = as_(getattr(scene.cast, who))
    submit(scene.ana)
    Application.objects.update(opened_at=timezone.now())  # opened early is not all in
    pages = [url(scene), url(scene, ".txt")]
    early = [client.get(page).status_code for page in pages]
    early.append(client.post(url(scene, "/send/"), {"version": "0", "body": "Dear Kim"}).status_code)
    hand_in_all_but_ana(scene)

    assert early == [before] * 3
    assert [client.get(page).status_code for page in pages] == [after] * 2


def hand_in_all_but_ana(scene: Scene) -> None:
    submit(scene.bo)
    submit(scene.chen)


@pytest.mark.parametrize(
    ("decision", "status"), [(Decision.OFFER, 200), (Decision.NO_OFFER, 200), (Decision.MORE, 403)]
)
def test_a_decision_opens_the_letter_too_but_not_one_for_another_interview(
    scene: Scene, decision: Decision, status: int
) -> None:
    submit(scene.ana)
    Application.objects.update(opened_at=timezone.now(), decision=decision, decided_at=timezone.now())

    assert as_(scene.cast.mara).get(url(scene)).status_code == status


def test_who_is_in_charge_is_told_that_it_is_too_early(scene: Scene) -> None:
    assert "once all cards are in" in words(as_(scene.cast.mara).get(url(scene)))


def test_a_manager_who_owes_this_person_a_card_elsewhere_writes_none(all_in: Scene) -> None:
    elsewhere = make_position(all_in.cast.nils, title="Another")
    other = elsewhere.applications.create(candidate=all_in.application.candidate)
    make_interview(other, lead=all_in.cast.mara)

    assert not may_read_panel(all_in.cast.mara, all_in.application)
    assert as_(all_in.cast.mara).get(url(all_in)).status_code == 403
