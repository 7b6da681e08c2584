"""Submitting a card: once, whole, locked; and what follows from it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from interviews.enums import Aid, Ended, EvidenceType, InterviewStatus, Outcome, SealingPolicy
from interviews.models import Mark, Seat, Text
from people.models import AuditEntry, Job, Person
from people.refusal import Refused
from scoring.enums import CardStatus, Recommendation, StatementKind
from scoring.models import Revision, RevisionBoundary, RevisionMark, RevisionStatement, Scorecard
from scoring.queries.cards import working_card
from scoring.services.refusal import AlreadySubmitted, CardChanged, NotYet
from scoring.services.scorecards import save_draft, submit_card
from tests.cast import Cast, make_cast
from tests.support.factories import Scene, make_interview, make_scene
from tests.support.judging import adhoc, ask, end, end_tree, hear, judge, judged_scene, note, submit
from tests.support.threads import in_threads

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


def submitted(seat: Seat) -> bool:
    return Seat.objects.values_list("card_submitted_at", flat=True).get(pk=seat.pk) is not None


def test_submit_copies_every_mark_statement_and_boundary(scene: Scene) -> None:
    asked = judged_scene(scene)
    own = ask(scene.ana, adhoc(scene, scene.probe("l2"), aims=["depth"], level=3))
    judge(scene.ana, own, Outcome.SUSTAINED, Aid.CLARIFIED, depth=2)

    revision = submit(scene.ana, summary="Has run it.")

    marks = [
        (mark.probe_key, mark.level, mark.outcome, mark.aid, mark.depth, mark.why, mark.hands_on)
        for mark in RevisionMark.objects.written_by(scene.ana)
    ]
    assert marks == [
        ("root", 1, "sustained", "unaided", 4, None, None),
        ("l2", 2, "sustained", "unaided", 3, 4, None),
        ("l3", 3, "sustained", "unaided", 3, None, 3),
        ("root", 1, "sustained", "unaided", 4, None, None),
        ("l2", 2, "partial", "unaided", 2, 3, None),
        ("", 3, "sustained", "clarified", 2, None, None),
    ]
    statements = [
        (row.kind, row.type, row.asked_id, row.text.body) for row in RevisionStatement.objects.written_by(scene.ana)
    ]
    assert statements == [
        (StatementKind.EVIDENCE, "debugged", asked["l3"].pk, "Pinned the network interface after three days."),
        (StatementKind.REASON, "choice", asked["l2"].pk, "Looks at the slowest link first."),
        (StatementKind.NOTE, "", asked["l2"].pk, "Corrected 2x to 1.5x alone."),
    ]
    boundaries = [
        (row.tree.key, row.floor, row.ceiling, row.ended, row.at_least)
        for row in RevisionBoundary.objects.written_by(scene.ana)
    ]
    assert boundaries == [("data-parallel", 3, None, "time", True), ("zero-stages", 1, None, None, False)]
    assert (revision.number, revision.recommendation, revision.summary.body) == (1, "yes", "Has run it.")  # type: ignore[union-attr]
    assert revision.after_seeing_others is False


def test_submit_leaves_out_what_was_taken_back_or_removed(scene: Scene) -> None:
    root, gone = ask(scene.ana, scene.probe("root")), ask(scene.ana, scene.probe("l2"))
    judge(scene.ana, root, depth=3)
    judge(scene.ana, gone, depth=1)
    heard = hear(scene.ana, root, EvidenceType.BUILT, "Removed again.")
    heard.removed_at = heard.made_at
    heard.save()
    gone.retracted_at = gone.made_at
    gone.save()
    end(scene.interview)

    submit(scene.ana)

    assert [mark.asked_id for mark in RevisionMark.objects.written_by(scene.ana)] == [root.pk]
    assert list(RevisionStatement.objects.written_by(scene.ana)) == []


def test_submit_copies_words_so_that_the_room_can_go_on_writing(scene: Scene) -> None:
    judged_scene(scene)
    submit(scene.ana)
    stored = RevisionStatement.objects.written_by(scene.ana).get(kind=StatementKind.NOTE)

    original = Text.objects.get(kind="note", frozen=False)
    original.write("Something else.")
    original.save()

    stored.text.refresh_from_db()
    assert (stored.text.body, stored.text.frozen) == ("Corrected 2x to 1.5x alone.", True)
    assert stored.text.salt != original.salt


def test_submit_keeps_a_tree_of_which_nothing_is_known_without_a_floor(scene: Scene) -> None:
    root = ask(scene.ana, scene.probe("root"))
    judge(scene.ana, root, Outcome.PARTIAL, depth=2)
    end_tree(scene.ana, root, Ended.TIME)
    end(scene.interview)

    submit(scene.ana)

    row = RevisionBoundary.objects.written_by(scene.ana).get()
    assert (row.floor, row.ceiling, row.ended, row.at_least) == (None, None, "time", False)


def test_submit_writes_down_when_and_asks_for_the_panel_once(scene: Scene) -> None:
    judged_scene(scene)

    submit(scene.ana)
    submit(scene.bo)

    assert submitted(scene.ana)
    assert submitted(scene.bo)
    assert not submitted(scene.chen)
    jobs = [(job.name, job.key, job.data) for job in Job.objects.all()]
    application = scene.application.pk
    assert jobs == [("scoring.compile_panel", f"panel:{application}", {"application": application})]
    assert working_card(scene.ana).status == CardStatus.SUBMITTED
    assert list(AuditEntry.objects.order_by("pk").values_list("actor", "action")) == [
        (scene.cast.ana.pk, "card.submitted"),
        (scene.cast.bo.pk, "card.submitted"),
    ]


def test_second_submit_is_refused_and_changes_nothing(scene: Scene) -> None:
    judged_scene(scene)
    submit(scene.ana, Recommendation.YES, summary="First.")

    with pytest.raises(AlreadySubmitted):
        submit(scene.ana, Recommendation.NO, summary="Second.")

    revisions = Revision.objects.written_by(scene.ana)
    assert [(row.number, row.recommendation, row.summary.body) for row in revisions] == [(1, "yes", "First.")]
    assert working_card(scene.ana).summary.body == "First."


def test_submitted_card_can_no_longer_be_written(scene: Scene) -> None:
    judged_scene(scene)
    submit(scene.ana, summary="First.")
    card = working_card(scene.ana)

    with pytest.raises(AlreadySubmitted):
        save_draft(seat=scene.ana, version=card.version, summary="Late.", recommendation=None, reason="")

    assert working_card(scene.ana).summary.body == "First."


@pytest.mark.parametrize(
    ("summary", "recommendation", "reason", "field"),
    [
        (" ", Recommendation.YES, "", "summary"),
        ("Calm.", None, "", "recommendation"),
        ("Calm.", Recommendation.NO_DECISION, "  ", "reason"),
    ],
    ids=["no summary", "none chosen", "no decision without reason"],
)
def test_submit_needs_a_summary_and_a_recommendation_or_a_reason(
    scene: Scene, summary: str, recommendation: Recommendation | None, reason: str, field: str
) -> None:
    judged_scene(scene)

    with pytest.raises(Refused) as refused:
        submit_card(seat=scene.ana, version=0, summary=summary, recommendation=recommendation, reason=reason)

    assert refused.value.field == field
    assert not submitted(scene.ana)


def test_no_decision_with_a_reason_is_submitted(scene: Scene) -> None:
    judged_scene(scene)

    revision = submit(scene.ana, Recommendation.NO_DECISION, reason="Two trees in forty minutes were too few.")

    assert revision.reason is not None
    assert revision.reason.body == "Two trees in forty minutes were too few."


def test_submit_waits_for_the_end_of_the_interview(scene: Scene) -> None:
    judge(scene.ana, ask(scene.ana, scene.probe("root")), depth=3)

    with pytest.raises(NotYet):
        submit(scene.ana)

    assert not submitted(scene.ana)


def test_who_owes_nothing_and_judged_nothing_has_no_card(scene: Scene) -> None:
    judged_scene(scene)
    Seat.objects.filter(pk=scene.chen.pk).update(card_owed=False)
    Mark.objects.written_by(scene.chen).delete()

    with pytest.raises(NotYet):
        submit(scene.chen)


def test_a_shadow_may_submit_and_nobody_compiles_it(scene: Scene) -> None:
    asked = judged_scene(scene)
    judge(scene.dee, asked["root"], depth=0)

    submit(scene.dee)

    assert submitted(scene.dee)


def test_draft_keeps_words_and_counts_versions(scene: Scene) -> None:
    first = save_draft(seat=scene.ana, version=0, summary="So", recommendation=None, reason="")
    second = save_draft(seat=scene.ana, version=1, summary="So far", recommendation=Recommendation.NO, reason="")

    assert (first.version, second.version) == (1, 2)
    card = working_card(scene.ana)
    assert (card.summary.body, card.recommendation, card.version) == ("So far", "no", 2)
    assert Text.objects.filter(kind="summary").count() == 1


def test_draft_of_an_older_window_is_refused(scene: Scene) -> None:
    save_draft(seat=scene.ana, version=0, summary="From the tablet", recommendation=None, reason="")

    with pytest.raises(CardChanged):
        save_draft(seat=scene.ana, version=0, summary="From the laptop", recommendation=None, reason="")

    assert working_card(scene.ana).summary.body == "From the tablet"


def test_a_save_whose_answer_got_lost_is_saved_when_it_is_said_again(scene: Scene) -> None:
    said = {"seat": scene.ana, "summary": "Counts.", "recommendation": Recommendation.YES, "reason": ""}
    save_draft(version=0, **said)  # type: ignore[arg-type]

    assert save_draft(version=0, **said).summary.body == "Counts."  # type: ignore[arg-type, union-attr]

    with pytest.raises(CardChanged):
        save_draft(version=0, **{**said, "recommendation": Recommendation.NO})  # type: ignore[arg-type]


# --- seeing others first ----------------------------------------------------------------------------------------------


def test_a_card_after_own_is_independent(scene: Scene) -> None:
    judged_scene(scene)
    submit(scene.ana)

    assert submit(scene.bo).after_seeing_others is False


@pytest.mark.parametrize("roles", [["manager", "interviewer"], ["interviewer"]], ids=["manager", "manager then"])
def test_a_card_after_an_early_opening_is_not_independent_for_whoever_it_was_opened_to(
    scene: Scene, roles: list[str]
) -> None:
    """Mara opened the application early, read, and then took a seat of her own."""
    Person.objects.filter(pk=scene.cast.mara.pk).update(roles=roles)
    judged_scene(scene)
    submit(scene.ana)
    scene.application.opened_at = scene.interview.ended_at
    scene.application.save()
    Seat.objects.filter(pk=scene.ana.pk).update(card_submitted_at=scene.interview.ended_at)
    second = make_interview(
        scene.application, lead=scene.cast.mara, versions=scene.versions, status=InterviewStatus.LIVE
    )
    lead = second.seats.get(role="lead")
    judge(lead, ask(lead, scene.probe("root")), depth=3)
    end(second)

    assert submit(lead).after_seeing_others is True


def test_a_second_card_is_not_independent_when_its_seat_came_after_reading(scene: Scene) -> None:
    """Bo has handed his card in and may read Ana's; then he is asked to a further interview."""
    judged_scene(scene)
    submit(scene.ana)
    submit(scene.bo)
    second = make_interview(scene.application, lead=scene.cast.bo, versions=scene.versions, status=InterviewStatus.LIVE)
    lead = second.seats.get(role="lead")
    judge(lead, ask(lead, scene.probe("root")), depth=3)
    end(second)

    assert submit(lead).after_seeing_others is True


def test_a_second_card_is_independent_when_both_seats_stood_from_the_start(scene: Scene) -> None:
    """With an interview to come Bo could read nobody's, so his second card is as independent as the first."""
    second = make_interview(scene.application, lead=scene.cast.bo, versions=scene.versions)
    judged_scene(scene)
    submit(scene.ana)
    submit(scene.bo)
    lead = second.seats.get(role="lead")
    judge(lead, ask(lead, scene.probe("root")), depth=3)
    end(second)

    assert submit(lead).after_seeing_others is False


# --- races ------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_submits_at_once_make_one_revision() -> None:
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)
    judged_scene(scene)
    working_card(scene.ana)

    results = in_threads(*[lambda: submit(scene.ana)] * 4)

    assert sorted(type(result).__name__ for result in results) == ["AlreadySubmitted"] * 3 + ["Revision"]
    assert Revision.objects.written_by(scene.ana).count() == 1
    assert RevisionMark.objects.written_by(scene.ana).count() == 5


@pytest.mark.django_db(transaction=True)
def test_two_first_saves_at_once_make_one_card() -> None:
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)

    def save(words: str) -> Callable[[], Scorecard]:
        return lambda: save_draft(seat=scene.ana, version=0, summary=words, recommendation=None, reason="")

    results = in_threads(*map(save, ("One", "Two", "Three", "Four")))

    assert sorted(type(result).__name__ for result in results) == ["CardChanged"] * 3 + ["Scorecard"]
    assert Scorecard.objects.written_by(scene.ana).get().version == 1


@pytest.mark.django_db(transaction=True)
def test_a_mark_on_its_way_is_copied_before_the_card_locks(as_application: psycopg.Connection[Any]) -> None:
    """A judgement holds the row of its author's stream until it commits; submitting waits for it and copies it."""
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)
    asked = judged_scene(scene)
    stream = f"mine:{scene.ana.code}"
    as_application.execute(
        "INSERT INTO interviews_stream (room_id, name, head) VALUES (%s, %s, 0)", [scene.interview.room_id, stream]
    )
    marking, waits = threading.Event(), threading.Event()

    def mark_late() -> None:
        with as_application.transaction():
            as_application.execute("SELECT 1 FROM interviews_stream WHERE name = %s FOR NO KEY UPDATE", [stream])
            as_application.execute(
                "UPDATE interviews_mark SET depth = 0 WHERE seat_id = %s AND asked_id = %s",
                [scene.ana.pk, asked["root"].pk],
            )
            marking.set()
            waits.wait(timeout=30)

    def submit_meanwhile() -> Revision:
        marking.wait(timeout=30)
        threading.Thread(target=let_go_once_blocked).start()
        return submit(scene.ana)

    def let_go_once_blocked() -> None:
        with psycopg.connect(
            as_application.info.dsn, password=as_application.info.password, autocommit=True
        ) as watcher:
            for _ in range(3000):
                row = watcher.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
                if row and row[0]:
                    break
        waits.set()

    _, revision = in_threads(mark_late, submit_meanwhile)

    assert isinstance(revision, Revision)
    assert RevisionMark.objects.written_by(scene.ana).get(asked=asked["root"]).depth == 0


def test_submitted_revisions_are_held_by_the_database(scene: Scene) -> None:
    judged_scene(scene)
    revision = submit(scene.ana)

    with (
        pytest.raises(Exception, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE scoring_revision SET recommendation = 'no' WHERE id = %s", [revision.pk])


@pytest.mark.parametrize("sealing", SealingPolicy)
def test_notes_of_the_whole_interview_are_copied(cast: Cast, sealing: SealingPolicy) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE, sealing=sealing)
    judged_scene(scene)
    note(scene.ana, "Calm throughout.")

    submit(scene.ana)

    bodies = [row.text.body for row in RevisionStatement.objects.written_by(scene.ana).filter(asked=None)]
    assert bodies == ["Calm throughout."]
