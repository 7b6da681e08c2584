"""Amending a submitted card: a further revision with its reason, read by nobody before it is handed in."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.db import DatabaseError, connection, transaction

from interviews.enums import InterviewStatus, Outcome, SealingPolicy
from interviews.models import Asked, Event, Mark, Seat
from interviews.services.refusal import Refusal
from people.models import AuditEntry, Job
from people.refusal import Refused
from scoring.models import Revision, RevisionMark, RevisionStatement
from scoring.queries.cards import working_card
from scoring.queries.panel import load_inputs
from scoring.services.amendments import begin_amendment, hand_in_amendment, save_amendment, withdraw_amendment
from scoring.services.refusal import AlreadySubmitted, CardChanged, MarksChanged, NotYet
from tests.cast import Cast, make_cast
from tests.house.acting import do
from tests.support.factories import Scene, make_scene
from tests.support.judging import judged_scene, submit
from tests.support.pages import as_, words
from tests.support.threads import in_threads

pytestmark = pytest.mark.db

WHY = "I had marked the wrong question."


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


@pytest.fixture
def asked(scene: Scene) -> dict[str, Asked]:
    """Everything judged, and Ana's card in."""
    asked = judged_scene(scene)
    submit(scene.ana, summary="Has run it.")
    return asked


def url(seat: Seat, what: str = "") -> str:
    return f"/cards/{seat.code}/{what}"


def hand_in(seat: Seat, **fields: Any) -> Revision:
    seat = Seat.objects.select_related("interview__application__position", "person").get(pk=seat.pk)
    values: dict[str, Any] = {"summary": "Has run it.", "recommendation": "no", "reason": "", "amendment": WHY}
    return hand_in_amendment(seat=seat, **{"version": working_card(seat).version} | values | fields)


def correct(scene: Scene, asked: Asked, **mark: Any) -> None:
    version = Mark.objects.written_by(scene.ana).get(asked=asked).version
    do(scene.ana, "mark.set", {"asked": str(asked.pk), "version": version, **mark})


def numbers(seat: Seat) -> list[tuple[int, str]]:
    return list(Revision.objects.written_by(seat).order_by("number").values_list("number", "recommendation"))


# --- the rows --------------------------------------------------------------------------------------------------------


def test_an_amendment_is_a_further_revision_and_the_first_stays(scene: Scene, asked: dict[str, Asked]) -> None:
    begin_amendment(seat=scene.ana)
    correct(scene, asked["root"], outcome="partial", ratings={"depth": 1})

    revision = hand_in(scene.ana)

    assert numbers(scene.ana) == [(1, "yes"), (2, "no")]
    assert (revision.amendment.body, revision.amendment.frozen) == (WHY, True)  # type: ignore[union-attr]
    depths = RevisionMark.objects.written_by(scene.ana).filter(asked=asked["root"]).order_by("revision__number")
    assert list(depths.values_list("depth", flat=True)) == [4, 1]
    assert RevisionStatement.objects.written_by(scene.ana).filter(revision=revision).count() == 3
    seat = Seat.objects.get(pk=scene.ana.pk)
    assert (seat.card_amending_at, seat.card_submitted_at) == (None, Revision.objects.written_by(seat)[0].submitted_at)
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "card.submitted", "card.amendment_begun", "card.amended",
    ]  # fmt: skip
    # The history of the mark is the log's, as of any other.
    own = Event.objects.filter(stream=f"mine:{scene.ana.code}", name="mark.set")
    assert [event.data["outcome"] for event in own] == ["partial"]


def test_an_amendment_has_the_panel_compiled_and_is_its_latest(scene: Scene, asked: dict[str, Asked]) -> None:
    submit(scene.bo)
    Job.objects.all().delete()
    begin_amendment(seat=scene.ana)
    correct(scene, asked["root"], outcome="partial", ratings={"depth": 1})
    hand_in(scene.ana)

    assert [job.key for job in Job.objects.all()] == [f"panel:{scene.application.pk}"]
    rater = next(row for row in load_inputs(scene.application.pk).raters if row.person == scene.cast.ana.pk)
    assert [row.number for row in rater.latest] == [2]


@pytest.mark.parametrize(
    ("others", "sealing", "after"),
    [
        ((), SealingPolicy.AFTER_OWN, False),
        (("bo",), SealingPolicy.AFTER_OWN, True),
        (("bo",), SealingPolicy.AFTER_ALL, False),
        (("bo", "chen"), SealingPolicy.AFTER_ALL, True),
    ],
    ids=["alone", "after own", "not all in", "all in"],
)
def test_an_amendment_says_whether_others_could_be_seen_by_then(
    cast: Cast, others: tuple[str, ...], sealing: SealingPolicy, after: bool
) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE, sealing=sealing)
    judged_scene(scene)
    submit(scene.ana)
    begin_amendment(seat=scene.ana)
    for who in others:
        submit(getattr(scene, who))

    assert hand_in(scene.ana).after_seeing_others is after
    first = Revision.objects.written_by(scene.ana).get(number=1)
    assert first.after_seeing_others is False  # it stays the independent one


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amendment": "  "}, "amendment"),
        ({"summary": ""}, "summary"),
        ({"recommendation": None}, "recommendation"),
        ({"recommendation": "no_decision"}, "reason"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_an_amendment_says_all_that_it_must(scene: Scene, change: dict[str, Any], field: str) -> None:
    begin_amendment(seat=scene.ana)

    with pytest.raises(Refused) as refused:
        hand_in(scene.ana, **change)

    assert refused.value.field == field
    assert numbers(scene.ana) == [(1, "yes")]
    assert Seat.objects.get(pk=scene.ana.pk).card_amending_at is not None


@pytest.mark.usefixtures("asked")
def test_nothing_is_amended_that_is_not_submitted_or_not_begun(scene: Scene) -> None:
    with pytest.raises(NotYet):
        begin_amendment(seat=scene.bo)
    for deed in (lambda: hand_in(scene.ana), lambda: withdraw_amendment(seat=scene.ana)):
        with pytest.raises(AlreadySubmitted):
            deed()

    assert numbers(scene.ana) == [(1, "yes")]


@pytest.mark.usefixtures("asked")
def test_an_amendment_of_an_older_window_is_refused(scene: Scene) -> None:
    begin_amendment(seat=scene.ana)
    version = working_card(scene.ana).version
    words_of = {"summary": "Newer.", "recommendation": None, "reason": "", "amendment": "So far"}
    save_amendment(seat=scene.ana, version=version, **words_of)  # type: ignore[arg-type]

    with pytest.raises(CardChanged):
        hand_in(scene.ana, version=version)

    card = working_card(scene.ana)
    assert (card.summary.body, card.amendment.body) == ("Newer.", "So far")  # type: ignore[union-attr]


@pytest.mark.usefixtures("asked")
def test_withdrawing_puts_the_words_back(scene: Scene) -> None:
    begin_amendment(seat=scene.ana)
    save_amendment(
        seat=scene.ana,
        version=working_card(scene.ana).version,
        summary="Other.",
        recommendation=None,
        reason="",
        amendment="So far",
    )

    withdraw_amendment(seat=scene.ana)

    card = working_card(scene.ana)
    assert (card.summary.body, card.recommendation, card.amendment.body) == ("Has run it.", "yes", "")  # type: ignore[union-attr]
    assert Seat.objects.get(pk=scene.ana.pk).card_amending_at is None


def test_what_was_changed_in_the_room_has_to_be_handed_in(scene: Scene, asked: dict[str, Asked]) -> None:
    begin_amendment(seat=scene.ana)
    correct(scene, asked["root"], outcome="partial")

    with pytest.raises(MarksChanged):
        withdraw_amendment(seat=scene.ana)

    assert Seat.objects.get(pk=scene.ana.pk).card_amending_at is not None


def test_marks_are_closed_before_an_amendment_and_after_it(scene: Scene, asked: dict[str, Asked]) -> None:
    with pytest.raises(Refusal):
        correct(scene, asked["root"], outcome="partial")
    begin_amendment(seat=scene.ana)
    hand_in(scene.ana)

    with pytest.raises(Refusal, match="only while you amend it"):
        correct(scene, asked["root"], outcome="partial")

    assert Mark.objects.written_by(scene.ana).get(asked=asked["root"]).outcome == Outcome.SUSTAINED


@pytest.mark.usefixtures("asked")
def test_the_database_lets_neither_an_amendment_nor_its_words_be_changed(scene: Scene) -> None:
    begin_amendment(seat=scene.ana)
    revision = hand_in(scene.ana)
    assert revision.amendment is not None
    deeds = [
        ("UPDATE scoring_revision SET after_seeing_others = false WHERE id = %s", revision.pk),
        ("DELETE FROM scoring_revision WHERE id = %s", revision.pk),
        ("UPDATE interviews_text SET body = 'Else.' WHERE id = %s", revision.amendment.pk),
    ]

    for deed, key in deeds:
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(deed, [key])


@pytest.mark.django_db(transaction=True)
def test_two_amendments_at_once_make_one_revision() -> None:
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)
    judged_scene(scene)
    submit(scene.ana)
    begin_amendment(seat=scene.ana)
    version = working_card(scene.ana).version

    results = in_threads(*[lambda: hand_in(scene.ana, version=version)] * 3)

    assert sorted(type(result).__name__ for result in results) == ["AlreadySubmitted"] * 2 + ["Revision"]
    assert numbers(scene.ana) == [(1, "yes"), (2, "no")]


# --- the pages -------------------------------------------------------------------------------------------------------


def typed(**fields: str) -> dict[str, str]:
    return {"version": "1", "summary": "Has run it.", "recommendation": "no", "reason": "", "amendment": WHY} | fields


def test_amending_from_the_page(scene: Scene, asked: dict[str, Asked]) -> None:
    client = as_(scene.cast.ana)

    begun = words(client.post(url(scene.ana, "amend"), follow=True))
    correct(scene, asked["root"], outcome="sustained", ratings={"depth": 2})
    meanwhile = words(client.get(url(scene.ana)))
    kept = client.post(url(scene.ana, "draft"), typed(amendment="So far"))
    unexplained = client.post(url(scene.ana, "submit"), typed(version="2", amendment=" "))
    done = client.post(url(scene.ana, "submit"), typed(version="2"), follow=True)
    again = client.post(url(scene.ana, "submit"), typed(version="2"))

    assert "amendment under way" in begun
    assert "What this amendment moves No figure so far." in begun
    assert "Depth : from 3.2 to 2.8" in meanwhile
    assert "Marks : 1 changed" in meanwhile
    assert kept.status_code == 200
    assert unexplained.status_code == 422
    assert "Say why the card is amended." in words(unexplained)
    assert "Your amendment is in." in words(done)
    assert "Recommendation : from Yes to No" in words(done)
    assert again.status_code == 409
    assert numbers(scene.ana) == [(1, "yes"), (2, "no")]


def test_whoever_reads_the_card_sees_what_was_amended_and_why(scene: Scene, asked: dict[str, Asked]) -> None:
    submit(scene.bo)
    begin_amendment(seat=scene.ana)
    correct(scene, asked["l3"], outcome="not_sustained", ratings={"depth": 0})
    hand_in(scene.ana)
    client = as_(scene.cast.bo)

    text, first = words(client.get(url(scene.ana))), words(client.get(f"{url(scene.ana)}?revision=1"))

    assert WHY in text
    assert "after seeing others" in text
    assert "Recommendation : from Yes to No" in text
    assert "Depth : from 3.2 to 2.6" in text
    assert "Data parallel : from at least 3 to floor 2, ceiling 3" in text
    assert "You read revision 1. Revision 2 counts." in first
    assert "Recommendation Yes" in first
    card = client.get(f"{url(scene.ana)}?format=json").json()
    assert (card["revision"], [row["reason"] for row in card["revisions"]]) == (2, ["", WHY])


@pytest.mark.parametrize("number", ["0", "2", "x", "-1", "99999999999999"])
@pytest.mark.usefixtures("asked")
def test_a_revision_that_is_not_there_is_not_found(scene: Scene, number: str) -> None:
    assert as_(scene.cast.ana).get(f"{url(scene.ana)}?revision={number}").status_code == 404


def test_nobody_reads_an_amendment_before_it_is_in(scene: Scene, asked: dict[str, Asked]) -> None:
    for seat in (scene.bo, scene.chen):
        submit(seat)
    begin_amendment(seat=scene.ana)
    correct(scene, asked["root"], outcome="recited", ratings={"depth": 0})
    root = str(asked["root"].pk)
    do(scene.ana, "note.set", {"asked": root, "text": "On second thoughts", "version": 0})
    save_amendment(
        seat=scene.ana,
        version=working_card(scene.ana).version,
        summary="On second thoughts",
        recommendation=None,
        reason="",
        amendment="On second thoughts",
    )
    timeline = f"/interviews/{scene.interview.code}/timeline/"

    for person in (scene.cast.bo, scene.cast.mara):
        client = as_(person)
        card = words(client.get(url(scene.ana)))
        assert "Has run it." in card
        assert "Depth 4 3 3 4 2 3.2" in card
        for page in (card, words(client.get(timeline)), client.get(f"{timeline}?format=json").content.decode()):
            assert "On second thoughts" not in page
    own = words(as_(scene.cast.ana).get(timeline))
    assert "On second thoughts" in own


@pytest.mark.usefixtures("asked")
def test_home_lists_an_amendment_that_is_under_way(scene: Scene) -> None:
    begin_amendment(seat=scene.ana)

    assert "Amendment of the scorecard for Kim Lindqvist" in words(as_(scene.cast.ana).get("/"))


@pytest.mark.usefixtures("asked")
def test_withdrawing_from_the_page(scene: Scene) -> None:
    client = as_(scene.cast.ana)
    client.post(url(scene.ana, "amend"))

    page = client.post(url(scene.ana, "withdraw"), follow=True)

    assert "The amendment is withdrawn." in words(page)
    assert BeautifulSoup(page.content, "html.parser").select("form#card-form") == []
    assert client.post(url(scene.ana, "withdraw")).status_code == 409
