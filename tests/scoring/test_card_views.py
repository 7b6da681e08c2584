"""The card's page: one's own to write, others' only as the seal lets, submitted once."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from interviews.enums import InterviewStatus, SealingPolicy
from interviews.models import Attendance, Reveal, Seat, Void
from scoring.models import Revision, Scorecard
from scoring.queries.cards import unsent_marks, working_card
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import ask, judge, judged_scene, submit
from tests.support.pages import as_, words

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    return scene


def url(seat: Seat, what: str = "") -> str:
    return f"/cards/{seat.code}/{what}"


FORM = {"version": "0", "summary": "Counts before answering.", "recommendation": "yes", "reason": ""}


def test_draft_shows_values_with_caps_boundaries_and_evidence(scene: Scene) -> None:
    response = as_(scene.cast.chen).get(url(scene.chen))

    text = words(response)
    # Chen: depth 3, 3 and a recited 4 that counts as 1.
    assert "Depth 3 3 1 2.3 3 probes. One counts as 1: marked recited, given 4." in text
    assert "Why 2 not enough evidence 1 probe. A value needs two." in text
    assert "Hands-on 1 not enough evidence 1 probe. One counts as 1: all its evidence is read about, given 4." in text
    assert "Read about, volunteered. From a blog post." in text
    assert "Floor 2, ceiling 3 Only the textbook." in text
    assert "Breadth: 1 topic with a floor of 2 or more" in text
    assert response.headers["Cache-Control"].count("no-store") == 1


def test_my_card_leads_from_the_interview_to_the_card(scene: Scene) -> None:
    response = as_(scene.cast.bo).get(f"/interviews/{scene.interview.code}/card/")

    assert (response.status_code, response.headers["Location"]) == (302, url(scene.bo))


def test_card_lists_what_was_asked_while_one_was_there_and_left_unmarked(scene: Scene) -> None:
    unmarked = ask(scene.ana, scene.probe("l4"))
    for seat in (scene.bo, scene.chen):
        Attendance.objects.create(
            seat=seat, started_at=scene.interview.starts_at, seen_at=scene.interview.ended_at, unsent=0
        )
    Attendance.objects.filter(seat=scene.chen).update(ended_at=scene.interview.starts_at)

    bo, chen = (words(as_(seat.person).get(url(seat))) for seat in (scene.bo, scene.chen))  # type: ignore[arg-type]

    assert unmarked.probe is not None
    assert "No outcome: l4 of data-parallel Data parallel , level 4." in bo
    assert "l4 of data-parallel" not in chen


def test_card_warns_when_a_device_holds_unsent_marks(scene: Scene) -> None:
    Attendance.objects.create(seat=scene.ana, unsent=2)

    assert "holds 2 unsent marks" in words(as_(scene.cast.ana).get(url(scene.ana)))


def test_card_counts_the_newest_report_of_each_device(scene: Scene) -> None:
    now = timezone.now()
    reports = [("laptop", 1, 7), ("laptop", 2, 2), ("tablet", 3, 1), ("phone", 0, 5), ("phone", 4, 0)]
    for device, minute, unsent in reports:
        Attendance.objects.create(seat=scene.ana, device=device, unsent=unsent, seen_at=now + timedelta(minutes=minute))

    assert unsent_marks(scene.ana) == 3
    assert unsent_marks(scene.bo) == 0


def test_card_says_which_probes_were_voided(scene: Scene) -> None:
    Void.objects.create(
        position=scene.position, tree=scene.versions[0].tree, probe_key="l3", by=scene.cast.mara, reason="Leaked."
    )

    text = words(as_(scene.cast.ana).get(url(scene.ana)))

    assert "Voided since, kept as written and out of every figure: l3 of data-parallel ." in text
    assert "Depth 4 3 4 2 3.2 4 probes." in text


def test_looking_at_a_card_writes_nothing(scene: Scene) -> None:
    page = as_(scene.cast.ana).get(url(scene.ana))

    assert BeautifulSoup(page.content, "html.parser").select_one("#card-version")["value"] == "0"  # type: ignore[index]
    assert not Scorecard.objects.written_by(scene.ana).exists()


def test_draft_is_saved_as_it_is_typed(scene: Scene) -> None:
    client = as_(scene.cast.ana)

    response = client.post(url(scene.ana, "draft"), FORM | {"summary": "So far"})

    page = BeautifulSoup(response.content, "html.parser")
    assert response.status_code == 200
    assert page.select_one("[data-save=card]")["data-state"] == "saved"  # type: ignore[index]
    assert page.select_one("#card-version")["value"] == "1"  # type: ignore[index]
    card = working_card(scene.ana)
    assert (card.summary.body, card.recommendation) == ("So far", "yes")  # type: ignore[union-attr]
    assert "So far" in client.get(url(scene.ana)).content.decode()


@pytest.mark.parametrize(
    ("change", "status", "state"),
    [
        ({"version": "7"}, 409, "stale"),
        ({"recommendation": "maybe"}, 422, "refused"),
        ({"version": ""}, 422, "refused"),
        ({"version": "x"}, 422, "refused"),
        ({"summary": "x" * 20_001}, 422, "refused"),
    ],
    ids=["another window", "no such recommendation", "no version", "bad version", "too long"],
)
def test_draft_refuses_in_place_and_changes_nothing(
    scene: Scene, change: dict[str, str], status: int, state: str
) -> None:
    response = as_(scene.cast.ana).post(url(scene.ana, "draft"), FORM | change)

    page = BeautifulSoup(response.content, "html.parser")
    assert response.status_code == status
    assert page.select_one("[data-save=card]")["data-state"] == state  # type: ignore[index]
    assert page.select_one("[role=alert]").get_text(strip=True)  # type: ignore[union-attr]
    assert (working_card(scene.ana).version, working_card(scene.ana).summary) == (0, None)


def test_submit_locks_the_card(scene: Scene) -> None:
    client = as_(scene.cast.ana)

    response = client.post(url(scene.ana, "submit"), FORM, follow=True)

    text = words(response)
    assert response.redirect_chain == [(url(scene.ana), 302)]
    assert "Your card is submitted and locked." in text
    assert "Recommendation Yes Summary Counts before answering." in text
    assert BeautifulSoup(response.content, "html.parser").select("form#card-form") == []


def test_second_submit_is_refused_in_words_and_changes_nothing(scene: Scene) -> None:
    client = as_(scene.cast.ana)
    client.post(url(scene.ana, "submit"), FORM)

    again = client.post(url(scene.ana, "submit"), FORM | {"recommendation": "no", "summary": "Else."})
    spoilt = client.post(url(scene.ana, "submit"), FORM | {"recommendation": "perhaps"})
    late = client.post(url(scene.ana, "draft"), FORM | {"version": "1", "summary": "Else."})

    assert (again.status_code, spoilt.status_code, late.status_code) == (409, 409, 409)
    for answer in (again, spoilt):
        assert "This card is submitted. It changes only by an amendment. Nothing was changed." in words(answer)
    assert [(row.number, row.recommendation) for row in Revision.objects.written_by(scene.ana)] == [(1, "yes")]
    assert working_card(scene.ana).summary.body == "Counts before answering."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ({"summary": " "}, 422, "Write a summary: two or three sentences on what you heard."),
        ({"recommendation": ""}, 422, "Choose a recommendation, or “no decision” with a reason."),
        ({"recommendation": "no_decision"}, 422, "Say why there is no decision."),
        ({"recommendation": "perhaps"}, 422, "perhaps is not one of the available choices."),
        ({"version": "3"}, 409, "This card was changed in another window."),
    ],
)
def test_submit_says_what_is_wrong_and_changes_nothing(
    scene: Scene, change: dict[str, str], status: int, said: str
) -> None:
    response = as_(scene.cast.ana).post(url(scene.ana, "submit"), FORM | change)

    assert response.status_code == status
    assert said in words(response)
    assert Seat.objects.get(pk=scene.ana.pk).card_submitted_at is None
    # What was typed stays on the page, whatever was wrong with it.
    typed = BeautifulSoup(response.content, "html.parser").select_one("textarea[name=summary]")
    assert typed is not None
    assert typed.get_text().strip() == (FORM | change)["summary"].strip()


def test_submit_before_the_end_is_refused(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judge(scene.ana, ask(scene.ana, scene.probe("root")), depth=3)

    response = as_(cast.ana).post(url(scene.ana, "submit"), FORM)

    assert response.status_code == 409
    assert "the interview has not ended" in words(response)


# --- the seal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("submitted", [False, True], ids=["before it is in", "when it is in"])
@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("bo", 403),  # a rater who owes a card
        ("dee", 403),  # a shadow without a card
        ("eli", 403),  # an observer
        ("mara", 403),  # the manager, while cards are missing
        ("ada", 403),  # the administrator, likewise
        ("nils", 404),
        ("cora", 404),
        ("sam", 404),
    ],
)
def test_anothers_card_is_sealed_alike_whether_it_exists_or_not(
    scene: Scene, who: str, status: int, submitted: bool
) -> None:
    if submitted:
        submit(scene.ana)
    client = as_(getattr(scene.cast, who))

    answers = [
        client.get(url(scene.ana)),
        client.get(url(scene.ana), headers={"accept": "application/json"}),
        client.post(url(scene.ana, "draft"), FORM),
        client.post(url(scene.ana, "submit"), FORM),
    ]

    assert [answer.status_code for answer in answers] == [status] * 4
    assert not any("Counts before" in answer.content.decode() for answer in answers)
    assert Revision.objects.written_by(scene.ana).count() == int(submitted)


def test_visitors_are_sent_to_sign_in(scene: Scene) -> None:
    response = Client().get(url(scene.ana))

    assert (response.status_code, response.headers["Location"]) == (302, f"/accounts/login/?next={url(scene.ana)}")


@pytest.mark.parametrize("seat", ["eli", "candidate"])
def test_who_judges_nothing_has_no_card(scene: Scene, seat: str) -> None:
    assert as_(scene.cast.ana).get(url(getattr(scene, seat))).status_code == 404
    assert as_(scene.cast.eli).get(f"/interviews/{scene.interview.code}/card/").status_code == 404


def test_unknown_cards_are_not_found(scene: Scene) -> None:
    assert as_(scene.cast.ana).get(f"/cards/{uuid4()}/").status_code == 404


def test_after_own_opens_the_others_cards_and_writes_the_ledger(scene: Scene) -> None:
    submit(scene.ana, summary="Has run it.")
    submit(scene.bo)
    client = as_(scene.cast.bo)

    listed = words(client.get(url(scene.bo)))
    response = client.get(url(scene.ana))

    assert "Open to you now Ana" in listed
    assert "Chen" not in listed
    assert response.status_code == 200
    assert "Has run it." in words(response)
    assert "Pinned the network interface after three days." in words(response)
    assert client.post(url(scene.ana, "draft"), FORM).status_code == 403
    client.get(url(scene.ana))
    assert [(row.viewer_id, row.seat_id, row.what, row.rule) for row in Reveal.objects.all()] == [
        (scene.cast.bo.pk, scene.ana.pk, "card", "after_own")
    ]


def test_after_all_waits_for_the_last_card(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE, sealing=SealingPolicy.AFTER_ALL)
    judged_scene(scene)
    submit(scene.ana)
    submit(scene.bo)
    client = as_(cast.bo)

    before = client.get(url(scene.ana)).status_code
    submit(scene.chen)

    assert (before, client.get(url(scene.ana)).status_code) == (403, 200)


def test_own_draft_shows_nothing_of_the_others(scene: Scene) -> None:
    submit(scene.ana, summary="Has run it.")

    text = as_(scene.cast.bo).get(url(scene.bo)).content.decode()

    for leak in ("Has run it.", "Pinned the network", str(scene.ana.code)):
        assert leak not in text
    for name in ("Ana", "Chen"):  # as words: a random CSRF token may spell them
        assert not re.search(rf"\b{name}\b", text)


# --- JSON, languages, queries -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask_for", [{"query": "?format=json"}, {"headers": {"accept": "application/json"}}])
def test_card_is_there_as_json(scene: Scene, ask_for: dict[str, Any]) -> None:
    submit(scene.ana, summary="Has run it.")

    response = as_(scene.cast.ana).get(url(scene.ana) + ask_for.get("query", ""), headers=ask_for.get("headers"))

    card = json.loads(response.content)
    assert response.headers["Content-Type"] == "application/json"
    assert "Accept" in response.headers["Vary"]
    assert (card["state"], card["revision"], card["recommendation"], card["summary"]) == (
        "submitted", 1, "yes", "Has run it.",
    )  # fmt: skip
    assert card["dimensions"]["depth"]["value"] == 3.2
    assert card["dimensions"]["hands_on"] == {
        "value": None,
        "missing": "not_enough_evidence",
        "ratings": card["dimensions"]["hands_on"]["ratings"],
    }
    assert [(row["title"], row["floor"], row["at_least"]) for row in card["boundaries"]] == [
        ("Data parallel", 3, True),
        ("Zero stages", 1, False),
    ]
    assert [row["words"] for row in card["statements"]] == [
        "Pinned the network interface after three days.",
        "Looks at the slowest link first.",
        "Corrected 2x to 1.5x alone.",
    ]


def test_a_draft_and_its_submitted_card_read_the_same(scene: Scene) -> None:
    client = as_(scene.cast.ana)
    draft = client.get(url(scene.ana) + "?format=json").json()
    submit(scene.ana)
    card = client.get(url(scene.ana) + "?format=json").json()

    for part in ("dimensions", "boundaries", "breadth", "statements"):
        assert card[part] == draft[part]


def test_bank_words_carry_their_language(scene: Scene) -> None:
    client = as_(scene.cast.ana)
    client.cookies["django_language"] = "zh-hans"

    page = BeautifulSoup(client.get(url(scene.ana)).content, "html.parser")

    assert [(cell.get_text(), cell["lang"]) for cell in page.select("section[aria-labelledby=boundary] th[lang]")] == [
        ("data parallel（中文）", "zh-Hans"),
        ("zero stages（中文）", "zh-Hans"),
    ]


def test_queries_stay_the_same_with_more_marks(scene: Scene, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = as_(scene.cast.ana)
    client.get(url(scene.ana))

    with django_assert_num_queries(25):
        client.get(url(scene.ana))
    for key in ("l4", "l2-again", "root-rescue"):
        judge(scene.ana, ask(scene.ana, scene.probe(key)), depth=3)
    with django_assert_num_queries(25):
        client.get(url(scene.ana))


def test_home_lists_the_cards_owed(scene: Scene) -> None:
    assert "Scorecard for Kim Lindqvist" in words(as_(scene.cast.ana).get("/"))

    submit(scene.ana)

    assert "Scorecard" not in words(as_(scene.cast.ana).get("/"))
