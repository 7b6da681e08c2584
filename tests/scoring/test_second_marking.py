"""Second markings: drawn so that it can be explained, asked for in the same way whatever the cause, sealed, apart."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.db import DatabaseError, transaction
from django.urls import reverse

from interviews.enums import InterviewStatus, Role
from interviews.models import Reveal, Seat, Void
from people.enums import PersonRole
from people.models import Person
from scoring.enums import MarkingCause
from scoring.models import BlindMark, BlindMarking, MarkingDraw, MarkingTerms, PanelScorecard
from scoring.queries.blind import load_answers
from scoring.queries.cards import could_have_seen_others
from scoring.services.blind_marking import compare_again
from scoring.services.panels import compile_application
from scoring.services.second_marking import draw_second_markings
from scoring.services.voids import void_probe
from tests.cast import Cast
from tests.support.factories import Scene, make_interview
from tests.support.judging import adhoc, ask
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene, url

pytestmark = pytest.mark.db

NIGHT = datetime(2026, 12, 2, 3, 20, tzinfo=UTC)


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return hand_in_all(make_judged_scene(cast))


def percent(scene: Scene, number: int) -> None:
    MarkingTerms.objects.update_or_create(position=scene.position, defaults={"percent": number})


def asked_of_sam(scene: Scene, number: int = 100) -> BlindMarking:
    percent(scene, number)
    assert draw_second_markings() == 1
    return BlindMarking.objects.get(marker=scene.cast.sam)


def page_of(marking: BlindMarking) -> str:
    return reverse("scoring:blind-marking", kwargs={"code": marking.code})


def filled(scene: Scene, do: str = "submit", version: int = 0, **changes: str) -> dict[str, str]:
    """Sam's form with everything sustained and depth 3."""
    data = {"version": str(version), "do": do}
    for asked in scene.interview.asked.all():
        data |= {f"{asked.pk}-outcome": "sustained", f"{asked.pk}-aid": "unaided", f"{asked.pk}-depth": "3"}
    return data | changes


# --- whom it is asked of, and why -------------------------------------------------------------------------------------


def test_the_same_night_asks_once_and_keeps_how_it_was_drawn(scene: Scene) -> None:
    marking = asked_of_sam(scene)
    drawn = MarkingDraw.objects.get()

    assert draw_second_markings() == 0
    assert (marking.cause, marking.interview) == (MarkingCause.RANDOM, scene.interview)
    assert (drawn.percent, drawn.cause, drawn.disagrees) == (100, MarkingCause.RANDOM, True)
    assert drawn.seed == MarkingTerms.objects.get(position=scene.position).seed


def test_nothing_is_drawn_before_all_is_in(cast: Cast) -> None:
    scene = make_judged_scene(cast)
    compile_application(scene.application.pk)

    assert draw_second_markings() == 0
    assert not MarkingDraw.objects.exists()


def test_an_application_that_is_not_drawn_is_not_drawn_again(scene: Scene) -> None:
    percent(scene, 0)
    panel = PanelScorecard.objects.get()
    PanelScorecard.objects.create(
        application=scene.application,
        number=panel.number + 1,
        digest="agreed",
        code_version=panel.code_version,
        inputs=panel.inputs,
        content=panel.content | {"disagreements": []},
    )
    assert draw_second_markings() == 0
    percent(scene, 100)

    assert draw_second_markings() == 0
    assert MarkingDraw.objects.get().cause is None


@pytest.mark.parametrize("who", ["seat", "manager", "administrator", "seen", "inactive", "busy"])
def test_nobody_with_a_part_in_it_is_asked(scene: Scene, who: str) -> None:
    sam = scene.cast.sam
    if who == "seat":
        make_interview(scene.application, lead=scene.cast.ana, observers=[sam], status=InterviewStatus.CANCELLED)
    elif who == "manager":
        scene.position.managers.add(sam)
    elif who == "administrator":
        Person.objects.filter(pk=sam.pk).update(roles=[PersonRole.INTERVIEWER, PersonRole.ADMINISTRATOR])
    elif who == "seen":
        Reveal.objects.create(application=scene.application, viewer=sam, what="panel", rule="all_in")
    elif who == "inactive":
        Person.objects.filter(pk=sam.pk).update(is_active=False)
    else:
        for _ in range(2):
            BlindMarking.objects.create(
                interview=make_interview(scene.application, lead=scene.cast.ana, status=InterviewStatus.CANCELLED),
                marker=sam,
                cause=MarkingCause.NORMING,
            )
    percent(scene, 100)

    assert draw_second_markings() == 0
    assert MarkingDraw.objects.get().cause == MarkingCause.RANDOM, "drawn, and waits for somebody"


@pytest.mark.parametrize("why", ["inactive", "seat"])
def test_what_can_no_longer_be_handed_in_is_asked_of_somebody_else(scene: Scene, why: str) -> None:
    first = asked_of_sam(scene)
    tom = Person.objects.create(email="tom@sounding.example", name="Tom", roles=[PersonRole.INTERVIEWER])
    assert draw_second_markings() == 0, "it waits for Sam"

    if why == "inactive":
        Person.objects.filter(pk=scene.cast.sam.pk).update(is_active=False)
    else:
        make_interview(scene.application, lead=scene.cast.ana, observers=[scene.cast.sam], status="cancelled")

    assert (draw_second_markings(), draw_second_markings()) == (1, 0)
    assert BlindMarking.objects.exclude(pk=first.pk).get().marker == tom


# --- the same whatever the cause --------------------------------------------------------------------------------------


def test_both_causes_read_the_same_to_the_last_byte(scene: Scene) -> None:
    seen: dict[str, Any] = {}
    for cause, number in ((MarkingCause.RANDOM, 100), (MarkingCause.DISAGREEMENT, 0)):
        with transaction.atomic():
            with time_machine.travel(NIGHT, tick=False):
                marking = asked_of_sam(scene, number)
            assert marking.cause == cause
            sam = as_(scene.cast.sam)
            with time_machine.travel(NIGHT.replace(hour=9), tick=False):
                pages = [
                    sam.get("/"),
                    sam.get(page_of(marking)),
                    sam.post(page_of(marking), {"version": "0", "do": "submit"}),
                    sam.get("/norming/"),
                ]
            seen[cause] = [_without_ids(page, marking) for page in pages], marking.requested_at
            transaction.set_rollback(True)

    assert seen[MarkingCause.RANDOM] == seen[MarkingCause.DISAGREEMENT]
    texts = seen[MarkingCause.RANDOM][0]
    assert "To mark without names" in texts[0]
    assert "Mark every answer" in texts[2]


def _without_ids(response: Any, marking: BlindMarking) -> str:
    text = f"{response.status_code} {response.content.decode()}".replace(str(marking.code), "CODE")
    return re.sub(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken": |nonce=)"[^"]*"', "", text)


# --- what is read -----------------------------------------------------------------------------------------------------


def test_the_page_has_what_was_asked_and_said_and_no_name_and_no_mark(scene: Scene) -> None:
    marking = asked_of_sam(scene)

    response = as_(scene.cast.sam).get(page_of(marking))
    text = words(response)

    assert "What about l3 in data-parallel?" in text
    assert "Pinned the network interface after three days." in text
    assert "Corrected 2x to 1.5x alone." in text
    for name in ("Ana", "Bo", "Chen", "Kim", "Lindqvist", "Mara"):
        assert not re.search(rf"\b{name}\b", text), name
    for words_of_cards in ("Finds causes", "Recites.", "Too little seen"):
        assert words_of_cards not in text
    page = BeautifulSoup(response.content, "html.parser")
    assert {option["value"] for option in page.select("form.blind option[selected]")} <= {""}


def test_a_probe_voided_since_is_no_longer_marked(scene: Scene) -> None:
    marking = asked_of_sam(scene)
    Void.objects.create(
        position=scene.position, tree=scene.versions[0].tree, probe_key="l3", by=scene.cast.mara, reason="Leaked."
    )

    assert "What about l3" not in words(as_(scene.cast.sam).get(page_of(marking)))


def test_it_is_read_by_the_marker_alone_and_only_while_all_is_in(scene: Scene) -> None:
    marking = asked_of_sam(scene)
    for who in ("ana", "mara", "ada", "nils", "cora"):
        assert as_(getattr(scene.cast, who)).get(page_of(marking)).status_code == 404, who
    sam = as_(scene.cast.sam)
    assert sam.get(page_of(marking)).status_code == 200

    make_interview(scene.application, lead=scene.cast.ana)

    assert sam.get(page_of(marking)).status_code == 403
    assert sam.post(page_of(marking), filled(scene)).status_code == 403
    assert "To mark without names" not in words(sam.get("/"))


def test_whoever_read_it_never_counts_as_independent_for_this_candidate(scene: Scene) -> None:
    marking = asked_of_sam(scene)
    as_(scene.cast.sam).get(page_of(marking))
    seat = Seat.objects.create(interview=scene.interview, person=scene.cast.sam, role=Role.INTERVIEWER)

    assert could_have_seen_others(seat)
    assert as_(scene.cast.sam).get(page_of(marking)).status_code == 403


# --- marking ----------------------------------------------------------------------------------------------------------


def test_a_marking_is_kept_handed_in_once_and_compared_with_the_panel(scene: Scene) -> None:
    marking, sam = asked_of_sam(scene), as_(scene.cast.sam)
    before = PanelScorecard.objects.count()

    kept = sam.post(page_of(marking), filled(scene, do="keep"))
    assert (kept.status_code, BlindMark.objects.marked_by(scene.cast.sam).count()) == (302, 5)
    again = BeautifulSoup(sam.get(page_of(marking)).content, "html.parser")
    assert again.select_one("input[name=version]")["value"] == "1"  # type: ignore[index]
    assert len(again.select("option[selected][value=sustained]")) == 5
    done = sam.post(page_of(marking), filled(scene, version=1), follow=True)

    assert "Handed in. Thank you." in words(done)
    marking.refresh_from_db()
    # Depth 3 throughout; the panel's answers are 4+2+3, 3+2+3, 3+1+1 (capped), and Ana's alone 4 and 2.
    assert marking.agreement["dimensions"]["depth"] == {
        "pairs": 5,
        "own": 3.0,
        "panel": 2.6667,
        "difference": 0.3333,
        "distance": 0.7333,
    }
    assert marking.digest == PanelScorecard.objects.get().digest
    assert compile_application(scene.application.pk) is not None
    assert PanelScorecard.objects.count() == before, "nothing of it enters the panel"
    assert sam.post(page_of(marking), filled(scene, version=2)).status_code == 409
    assert "To mark without names" not in words(sam.get("/"))
    with pytest.raises(DatabaseError, match="handed in never changes"), transaction.atomic():
        BlindMark.objects.marked_by(scene.cast.sam).update(depth=0)


def test_a_void_afterwards_compares_anew(scene: Scene) -> None:
    marking = asked_of_sam(scene)
    as_(scene.cast.sam).post(page_of(marking), filled(scene))
    assert compare_again() == 0

    void_probe(position=scene.position, tree=scene.versions[0].tree, probe="l3", by=scene.cast.mara, reason="Leaked.")
    compile_application(scene.application.pk)

    assert (compare_again(), compare_again()) == (1, 0)
    marking.refresh_from_db()
    assert marking.agreement["dimensions"]["depth"]["pairs"] == 4


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"outcome": ""}, 409, "Mark every answer"),
        ({"outcome": "splendid"}, 422, "Nothing was changed"),
        ({"depth": "5"}, 422, "Nothing was changed"),
        ({"version": "7"}, 409, "changed in another window"),
        ({"version": ""}, 422, "Nothing was changed"),
    ],
    ids=["no outcome", "unknown outcome", "beyond the scale", "stale tab", "no version"],
)
def test_bad_input_is_refused_in_words_and_nothing_is_lost(
    scene: Scene, change: dict[str, str], status: int, says: str
) -> None:
    marking = asked_of_sam(scene)
    first = scene.interview.asked.first()
    assert first is not None
    changes = {name if name == "version" else f"{first.pk}-{name}": value for name, value in change.items()}

    response = as_(scene.cast.sam).post(page_of(marking), filled(scene, **changes))

    assert (response.status_code, says in words(response)) == (status, True)
    chosen = BeautifulSoup(response.content, "html.parser").select("option[selected][value=sustained]")
    assert len(chosen) >= 4, "what was chosen stays on the page"
    assert not BlindMark.objects.marked_by(scene.cast.sam).exists()
    marking.refresh_from_db()
    assert (marking.version, marking.submitted_at) == (0, None)


def test_a_stale_window_keeps_its_marks_and_shows_what_the_other_saved(scene: Scene) -> None:
    marking = asked_of_sam(scene)
    sam = as_(scene.cast.sam)
    first = scene.interview.asked.first()
    assert first is not None
    sam.post(page_of(marking), filled(scene, do="keep"))

    stale = sam.post(page_of(marking), filled(scene, do="keep", **{f"{first.pk}-depth": "1"}))

    page = BeautifulSoup(stale.content, "html.parser")
    assert stale.status_code == 409
    assert page.select_one("[name=version]")["value"] == "1"  # type: ignore[index]
    assert page.select(f"[name='{first.pk}-depth'] option[selected][value='1']"), "what was chosen here stays"
    shown = [one.parent.get_text(" ", strip=True) for one in page.find_all("b", string="Saved in the other window")]  # type: ignore[union-attr]
    assert shown == ["Saved in the other window Depth: 3"]
    again = filled(scene, version=1, do="keep", **{f"{first.pk}-depth": "1"})
    assert sam.post(page_of(marking), again).status_code == 302
    assert BlindMark.objects.marked_by(scene.cast.sam).get(asked=first).depth == 1


def test_a_name_in_a_question_of_the_room_is_blotted_out(scene: Scene) -> None:
    parent = scene.versions[0].probes.get(key="root")
    ask(scene.ana, adhoc(scene, parent, aims=["depth"], level=2, words="Kim, and on your machine?"))

    prompts = [answer.prompt[0] for answer in load_answers(scene.interview)]

    assert "[...], and on your machine?" in prompts


# --- who is in charge -------------------------------------------------------------------------------------------------


def test_the_manager_sets_the_percentage_and_reads_what_was_drawn(scene: Scene) -> None:
    mara = as_(scene.cast.mara)
    address = reverse("scoring:second-markings", kwargs={"code": scene.position.code})
    assert "Nothing was drawn yet" in words(mara.get(address))

    assert mara.post(address, {"percent": "0"}).status_code == 302
    assert mara.post(address, {"percent": "101"}).status_code == 422
    draw_second_markings()

    text = words(mara.get(address))
    assert "Kim Lindqvist" in text
    assert "because the panel disagrees" in text
    assert "Sam" not in text, "whoever is asked is named to nobody"
    assert as_(scene.cast.nils).get(address).status_code == 404


def test_a_manager_who_judges_reads_no_cause(scene: Scene) -> None:
    """That the panel disagrees is for those who may read it."""
    percent(scene, 0)
    draw_second_markings()
    make_interview(scene.application, lead=scene.cast.ana, status=InterviewStatus.LIVE)
    scene.position.managers.add(scene.cast.ana)
    Person.objects.filter(pk=scene.cast.ana.pk).update(roles=[PersonRole.MANAGER, PersonRole.INTERVIEWER])

    text = words(as_(scene.cast.ana).get(reverse("scoring:second-markings", kwargs={"code": scene.position.code})))

    assert "because the panel disagrees" not in text


def test_judging_and_panel_pages_say_nothing_of_it(scene: Scene) -> None:
    before = as_(scene.cast.mara).get(url(scene)).content
    marking = asked_of_sam(scene)
    as_(scene.cast.sam).post(page_of(marking), filled(scene))

    after = as_(scene.cast.mara).get(url(scene)).content

    assert _plain(before) == _plain(after)


def _plain(content: bytes) -> str:
    return BeautifulSoup(content, "html.parser").main.get_text(" ")  # type: ignore[union-attr]
