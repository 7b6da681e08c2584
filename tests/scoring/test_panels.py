"""The panel card: compiled from submitted cards in constant queries, once for the same inputs, and reproducible."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interviews.enums import Aid, InterviewStatus, Outcome
from interviews.models import Application, Event, Interview, Seat, Void
from people.models import Job
from scoring.models import PanelScorecard
from scoring.queries.panel import load_inputs
from scoring.rules import CODE_VERSION, digest
from scoring.services.panels import Finding, compile_application, verify
from scoring.tasks import compile_panel
from tests.cast import Cast, make_cast
from tests.support.factories import Scene, make_interview, make_scene, make_tree
from tests.support.judging import adhoc, ask, end, judge, judged_scene, submit
from tests.support.threads import in_threads

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


@pytest.fixture
def all_in(scene: Scene) -> Scene:
    judged_scene(scene)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    return scene


def compiled(scene: Scene) -> PanelScorecard:
    card = compile_application(scene.application.pk)
    assert card is not None
    return card


def test_panel_card_holds_the_hand_computed_values(all_in: Scene) -> None:
    card = compiled(all_in)

    depth = card.content["dimensions"]["depth"]
    # Ana (4+3+3+4+2)/5; Bo (2+2+1)/3; Chen (3+3+1)/3, the recited 4 counts as 1. Mean of 3.2, 5/3 and 7/3.
    assert [(row["person"], row["value"]) for row in depth["by_rater"]] == [
        (all_in.cast.ana.pk, 3.2),
        (all_in.cast.bo.pk, 1.6667),
        (all_in.cast.chen.pk, 2.3333),
    ]
    assert (depth["value"], depth["lowest"], depth["highest"], depth["provisional"]) == (2.4, 1.6667, 3.2, False)
    why = card.content["dimensions"]["why"]
    assert (why["value"], why["raters"], why["provisional"]) == (3.5, 1, True)
    hands_on = card.content["dimensions"]["hands_on"]
    assert (hands_on["value"], hands_on["missing"]) == (None, "not_enough_evidence")
    tree = card.content["trees"][0]
    floors = [(row["person"], row["floor"], row["ceiling"], row["at_least"]) for row in tree["raters"]]
    assert floors == [
        (all_in.cast.ana.pk, 3, None, True),
        (all_in.cast.bo.pk, 1, 2, False),
        (all_in.cast.chen.pk, 2, 3, False),
    ]
    assert [row["kind"] for row in card.content["disagreements"]] == ["floor"]
    assert (card.number, card.code_version, card.digest) == (
        1,
        CODE_VERSION,
        digest(load_inputs(all_in.application.pk)),
    )


def test_content_and_inputs_hold_no_words_and_no_times(all_in: Scene) -> None:
    card = compiled(all_in)

    kept = json.dumps([card.inputs, card.content])
    for words in ("Pinned the network", "Counts before", "Kim", "Ana", str(all_in.interview.starts_at.year) + "-"):
        assert words not in kept


def test_the_same_inputs_make_one_card(all_in: Scene) -> None:
    first, second = compiled(all_in), compiled(all_in)

    assert first.pk == second.pk
    assert PanelScorecard.objects.count() == 1


def test_a_void_makes_a_new_card_without_the_probe(all_in: Scene) -> None:
    before = compiled(all_in)
    void(all_in, "l3")

    after = compiled(all_in)

    assert (before.number, after.number) == (1, 2)
    floors = [(row["floor"], row["ceiling"]) for row in after.content["trees"][0]["raters"]]
    assert floors == [(2, None), (1, 2), (2, None)]
    assert verify(before).holds


def test_a_question_taken_back_after_submitting_no_longer_counts(all_in: Scene) -> None:
    asked = all_in.interview.asked.get(probe__key="l3", probe__version=all_in.versions[0])
    asked.retracted_at = asked.made_at
    asked.save()

    content = compiled(all_in).content

    assert [row["floor"] for row in content["trees"][0]["raters"]] == [2, 1, 2]


def test_a_shadows_card_moves_nothing_not_even_the_digest(all_in: Scene) -> None:
    before = compiled(all_in)
    judge(all_in.dee, all_in.interview.asked.first(), depth=0)  # type: ignore[arg-type]

    submit(all_in.dee)

    assert compiled(all_in).pk == before.pk


def test_two_interviews_of_one_person_are_pooled(scene: Scene) -> None:
    second = make_interview(
        scene.application, lead=scene.cast.ana, versions=scene.versions, status=InterviewStatus.LIVE
    )
    lead = second.seats.get(role="lead")
    judge(scene.ana, ask(scene.ana, scene.probe("root")), depth=4)
    judge(lead, ask(lead, scene.probe("l2")), depth=1, why=1)
    for interview in (scene.interview, second):
        end(interview)
    for seat in (scene.ana, lead):
        submit(seat)

    depth = compiled(scene).content["dimensions"]["depth"]

    assert [(row["person"], row["value"]) for row in depth["by_rater"]] == [(scene.cast.ana.pk, 2.5)]


def test_an_own_question_counts_and_is_known_when_asked_again(scene: Scene) -> None:
    probe = adhoc(scene, scene.probe("l2"), aims=["depth"], level=3)
    judge(scene.ana, ask(scene.ana, scene.probe("root")), depth=4)
    judge(scene.ana, ask(scene.ana, probe), Outcome.NOT_SUSTAINED, depth=0)
    judge(scene.ana, ask(scene.ana, probe), Outcome.SUSTAINED, Aid.CLARIFIED, depth=2)
    end(scene.interview)
    submit(scene.ana)

    content = compiled(scene).content

    assert content["dimensions"]["depth"]["by_rater"][0]["value"] == 3.0
    assert content["trees"][0]["raters"][0]["floor"] == 3


def test_compiling_nothing_is_nothing(db: None) -> None:
    assert compile_application(0) is None


def test_queries_do_not_grow_with_raters_marks_or_trees(cast: Cast) -> None:
    def count(scene: Scene) -> int:
        with CaptureQueriesContext(connection) as captured:
            load_inputs(scene.application.pk)
        return len(captured)

    scene = make_scene(cast, status=InterviewStatus.LIVE)
    judged_scene(scene)
    submit(scene.ana)
    with_one = count(scene)
    submit(scene.bo)
    submit(scene.chen)

    assert (with_one, count(scene)) == (15, 15)


# --- the task and its redelivery --------------------------------------------------------------------------------------


def test_the_task_compiles_the_application_of_its_job(all_in: Scene) -> None:
    job = Job.objects.get()
    Job.objects.update(due_at=job.created_at)

    compile_panel(str(job.pk))
    compile_panel(str(job.pk))

    assert PanelScorecard.objects.get().application_id == all_in.application.pk
    job.refresh_from_db()
    assert (job.done_at is not None, job.attempts) == (True, 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_make_one_card() -> None:
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)
    judged_scene(scene)
    submit(scene.ana)

    cards = in_threads(*[lambda: compiled(scene).pk] * 4)

    assert cards == [PanelScorecard.objects.get().pk] * 4


# --- verifying --------------------------------------------------------------------------------------------------------


def test_a_kept_card_verifies_after_words_are_erased(all_in: Scene) -> None:
    card = compiled(all_in)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE interviews_text SET body = NULL, erased_at = now()")

    assert verify(card).holds


def test_a_kept_card_verifies_after_a_further_interview_is_scheduled(all_in: Scene) -> None:
    begin(all_in.interview)
    card = compiled(all_in)

    deeper = [make_tree("zero", depth=3), make_tree(all_in.versions[0].tree.key, depth=6, number=2)]
    further = make_interview(all_in.application, lead=all_in.cast.bo, versions=deeper)
    scheduled = verify(card).findings
    begin(further)
    begun = verify(card).findings
    Interview.objects.filter(pk=further.pk).update(status=InterviewStatus.CANCELLED)

    assert (scheduled, begun, verify(card).findings) == ((), (), ()), "what it pins says nothing before its cards"


def begin(interview: Interview) -> None:
    now = timezone.now()
    Event.objects.create(room=interview.room, stream="panel", seq=1, name="interview.start", at=now, made_at=now)


def spoil_content(card: PanelScorecard) -> None:
    card.content = copy.deepcopy(card.content)
    card.content["dimensions"]["depth"]["value"] = 4.0


def spoil_inputs(card: PanelScorecard) -> None:
    card.inputs = copy.deepcopy(card.inputs)
    card.inputs["raters"][0]["latest"][0]["marks"][0]["ratings"]["depth"] = 0


def spoil_shape(card: PanelScorecard) -> None:
    card.inputs = {"format": 1}


def spoil_code(card: PanelScorecard) -> None:
    card.code_version = "panel-0"


@pytest.mark.parametrize(
    ("spoil", "findings"),
    [
        (spoil_content, (Finding.CONTENT_DIFFERS,)),
        (spoil_inputs, (Finding.DIGEST_DIFFERS, Finding.CONTENT_DIFFERS)),
        (spoil_shape, (Finding.DIGEST_DIFFERS, Finding.UNREADABLE)),
        (spoil_code, (Finding.OTHER_CODE,)),
    ],
)
def test_verify_finds_what_was_changed(all_in: Scene, spoil: Any, findings: tuple[Finding, ...]) -> None:
    card = compiled(all_in)
    spoil(card)

    assert verify(card).findings == findings


def test_verify_says_when_the_tables_moved_on(all_in: Scene) -> None:
    card = compiled(all_in)
    Seat.objects.filter(pk=all_in.chen.pk).update(role="shadow")

    assert verify(card).findings == (Finding.INPUTS_MOVED,)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("scorecard", "rebuild", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments: str) -> tuple[str, str, int]:
    """What a failing command printed, why it failed, and its exit code."""
    out = io.StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("scorecard", "rebuild", *arguments, stdout=out)
    return out.getvalue(), str(failed.value), failed.value.returncode


def void(scene: Scene, probe: str) -> None:
    Void.objects.create(
        position=scene.position, tree=scene.versions[0].tree, probe_key=probe, by=scene.cast.mara, reason="Leaked."
    )


def rewrite(card: PanelScorecard, **values: Any) -> None:
    """Change a kept card as only somebody with the database's own powers can."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL sounding.eraser = 'on'")
    PanelScorecard.objects.filter(pk=card.pk).update(**values)


def test_command_verifies_one_card_and_prints(all_in: Scene) -> None:
    card = compiled(all_in)

    assert run(str(card.pk), "--verify") == f"panel card 1 of application {all_in.application.code}: reproduced\n"


def test_command_verifies_every_card_of_an_application_as_json(all_in: Scene) -> None:
    first = compiled(all_in)
    void(all_in, "l3")
    second = compiled(all_in)

    answer = json.loads(run(str(all_in.application.code), "--verify", "--json", "-"))

    assert answer == {
        "application": str(all_in.application.code),
        "verified": True,
        "cards": [
            {
                "card": card.pk,
                "number": card.number,
                "digest": card.digest,
                "code_version": CODE_VERSION,
                "calibration": None,
                "verified": True,
                "findings": [],
                "places": [],
            }
            for card in (first, second)
        ],
    }


def test_command_names_what_has_moved_since(all_in: Scene) -> None:
    compiled(all_in)
    void(all_in, "l3")

    printed, why, code = refused(str(all_in.application.code), "--verify")

    assert (why, code) == ("panel card 1 not reproduced: inputs_moved", 1)
    assert "what it was compiled from has changed since" in printed
    assert "  inputs.asked[2].voided: kept false, now true\n" in printed


def test_command_names_what_was_changed_by_hand(all_in: Scene) -> None:
    card = compiled(all_in)
    spoil_content(card)
    rewrite(card, content=card.content)

    printed, why, code = refused(str(all_in.application.code), "--verify")

    assert (why, code) == ("panel card 1 not reproduced: content_differs", 1)
    assert printed.splitlines()[1:] == ["  content.dimensions.depth.value: kept 4.0, now 2.4"]


def test_command_says_apart_what_only_other_code_can_compare(all_in: Scene) -> None:
    rewrite(compiled(all_in), code_version="panel-0")

    printed, why, code = refused(str(all_in.application.code), "--verify")

    assert (code, why) == (3, "panel card 1 made by other code, which alone can compare it: other_code")
    assert f"inputs whole; made by panel-0, can't be compared by {CODE_VERSION}" in printed
    # Compiled anew there is one that can be.
    assert run(str(all_in.application.code)) == (f"panel card 2 of application {all_in.application.code}: reproduced\n")


def test_command_compiles_an_application_again(all_in: Scene) -> None:
    call_command("scorecard", "rebuild", str(all_in.application.code), stdout=io.StringIO())

    assert PanelScorecard.objects.get().application_id == all_in.application.pk


@pytest.mark.parametrize("name", ["0", "not-a-code", "00000000-0000-0000-0000-000000000000"])
def test_command_says_what_it_cannot_find(cast: Cast, name: str) -> None:
    assert Application.objects.count() == 0

    _printed, why, code = refused(name, "--verify")

    assert (code, why.partition(":")[0]) == (2, name)


def test_command_says_that_nothing_was_compiled_yet(all_in: Scene) -> None:
    assert refused(str(all_in.application.code), "--verify")[1:] == (
        f"{all_in.application.code}: no panel card was compiled yet; run without --verify to make one",
        2,
    )
