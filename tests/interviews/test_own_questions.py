"""Questions of the lead's own: what the room makes of them."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from interviews.enums import Outcome, TextKind
from interviews.models import AdHocProbe, Asked, Boundary, Event, Mark, Text, TreeEdit
from interviews.queries.hints import trees_heard
from interviews.queries.room import mine_view
from interviews.rendering.context import lead_context, page_context
from interviews.services.refusal import Code, Refusal
from scoring.queries.revisions import load_asked
from tests.cast import Cast
from tests.house.acting import do
from tests.house.own_cases import add, own
from tests.house.room_cases import Room
from tests.support.factories import make_scene
from tests.support.own_trees import fresh, names, refused, running, view

pytestmark = pytest.mark.db

WORDS = "And if a <rack> fails & burns?"


@pytest.fixture
def room(cast: Cast) -> Room:
    return running(cast)


# --- asking -----------------------------------------------------------------------------------------------------------


def test_own_question_has_the_commands_id_and_counts_in_its_parents_tree(room: Room) -> None:
    asked = own(room)

    row, question = Asked.objects.get(pk=asked), AdHocProbe.objects.get(pk=asked)
    assert (row.adhoc, row.probe, question.level, question.planned) == (question, None, 2, False)
    assert (question.text.body, question.text.kind, question.text.application) == (
        WORDS,
        TextKind.AD_HOC,
        room.scene.application,
    )
    assert fresh(room).current_id == row.pk
    counted = load_asked([room.scene.interview.pk])[asked]
    assert (counted.tree, counted.level, counted.scored, counted.aims) == (
        room.scene.versions[0].tree_id,
        2,
        True,
        ("depth", "why"),
    )


def test_words_of_an_own_question_stand_in_no_event_and_no_command(room: Room) -> None:
    asked = own(room)
    add(room)
    room.do("ana", "tree.edit", tree="data-parallel", op="text", probe="data-parallel/l2", text="Zebra", language="en")

    kept = str(list(Event.objects.values_list("data", flat=True)))
    for words in ("rack", "What did it cost", "Zebra"):
        assert words not in kept
    said = Event.objects.get(name="probe.adhoc").data
    assert (said["text"], said["probe"]) == (AdHocProbe.objects.get(pk=asked).text_id, f"data-parallel/{asked}")


@pytest.mark.parametrize(("kind", "level"), [("probe", 3), ("check", 3), ("rescue", 2)])
def test_level_is_the_parents_and_one_more_unless_it_rescues(room: Room, kind: str, level: int) -> None:
    asked = own(room, parent="data-parallel/l2", kind=kind)

    assert AdHocProbe.objects.get(pk=asked).level == level


def test_own_question_may_follow_another_and_both_are_asked_again(room: Room) -> None:
    first = own(room)
    second = own(room, parent=f"data-parallel/{first}")

    question = AdHocProbe.objects.select_related("parent").get(pk=second)
    assert (question.parent.key, str(question.under_id), question.level) == ("root", first, 3)
    again = room.ask(f"data-parallel/{second}")
    assert Asked.objects.get(pk=again).adhoc == question
    assert names(room) == ["l2", "root-rescue", first]
    assert names(room, first) == [second]


def test_next_after_an_own_question_is_what_its_parent_has_left(room: Room) -> None:
    own(room)

    drawn = lead_context(view(room), room.scene.ana)

    assert [one["probe"] for one in drawn["follow_ups"]][:2] == ["data-parallel/l2", "data-parallel/root-rescue"]


def test_own_question_has_general_anchors_and_its_own_template(room: Room) -> None:
    asked = own(room)

    drawn = page_context(view(room), room.scene.ana, mine_view(room.scene.ana))

    made = next(one for one in drawn["probes"] if one["id"] == f"data-parallel/{asked}")
    assert (made["parent"], made["level"], made["title"]) == ("data-parallel/root", 2, WORDS)
    assert [(one["aim"], one["rating"]) for one in made["anchors"]] == [
        (aim, rating) for aim in ("depth", "why") for rating in range(5)
    ]
    assert drawn["current"]["probe"]["prompts"] == [{"lang": made["lang"], "text": WORDS}]


def test_own_question_comes_late_as_an_ask_does(room: Room) -> None:
    room.began_earlier(timedelta(minutes=1))
    room.do("ana", "lead.hand_over", seat=room.scene.bo.code)

    asked = own(room, age=30)

    assert Asked.objects.get(pk=asked).late is True
    assert fresh(room).current_id == room.marked["root"]
    with pytest.raises(Refusal) as found:
        own(room)
    assert found.value.code == Code.NOT_LEAD


def test_repeat_makes_no_second_question_and_other_words_are_refused(room: Room) -> None:
    command = uuid.uuid4()
    said = {"text": "And?", "parent": "data-parallel/root", "kind": "probe", "aims": ["why"]}
    do(room.scene.ana, "probe.adhoc", said, command=command)

    do(room.scene.ana, "probe.adhoc", said, command=command)

    assert (AdHocProbe.objects.count(), Text.objects.filter(kind=TextKind.AD_HOC).count()) == (1, 1)
    with pytest.raises(Refusal) as found:
        do(room.scene.ana, "probe.adhoc", {**said, "text": "Or?"}, command=command)
    assert found.value.code == Code.ID_REUSED


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"text": " "}, Code.BAD_FIELD),
        ({"text": "\u200b"}, Code.BAD_FIELD),
        ({"text": "x" * 2001}, Code.TOO_LARGE),
        ({"parent": "data-parallel/none"}, Code.BAD_FIELD),
        ({"parent": "data-parallel/00000000-0000-4000-8000-000000000077"}, Code.BAD_FIELD),
        ({"kind": "hint"}, Code.BAD_FIELD),
        ({"aims": []}, Code.BAD_FIELD),
        ({"aims": ["depth", "width"]}, Code.BAD_FIELD),
        ({"aims": "depth"}, Code.BAD_FIELD),
        ({"language": "english"}, Code.BAD_FIELD),
        ({"language": 7}, Code.BAD_FIELD),
    ],
    ids=lambda one: str(one)[:60],
)
def test_bad_own_question_is_refused_and_leaves_nothing(room: Room, wrong: dict[str, Any], code: Code) -> None:
    said = {"text": "And?", "parent": "data-parallel/root", "kind": "probe", "aims": ["why"], **wrong}

    assert refused(room, "probe.adhoc", **said)[0] == code

    assert (AdHocProbe.objects.count(), TreeEdit.objects.count(), Asked.objects.count()) == (0, 0, 1)
    assert not Text.objects.filter(kind=TextKind.AD_HOC).exists()


def test_own_question_of_another_interview_is_unknown_here(room: Room, cast: Cast) -> None:
    other = Room(make_scene(cast, trees=("rag",)))
    other.do("ana", "interview.start")
    theirs = own(other, parent="rag/root")

    code, message = refused(room, "probe.ask", probe=f"data-parallel/{theirs}")

    never = refused(room, "probe.ask", probe=f"data-parallel/{uuid.uuid4()}")
    assert (code, message.replace(theirs, "")) == (Code.BAD_FIELD, message.replace(theirs, ""))
    assert never[0] == code


def test_hints_read_an_own_question_among_the_askings_and_offer_none(room: Room) -> None:
    asked, kept = own(room), add(room)

    tree = trees_heard(view(room), room.scene.bo, now=timezone.now())[0]

    assert [ask.probe for ask in tree.asks] == ["data-parallel/root", f"data-parallel/{asked}"]
    assert {kept, f"data-parallel/{asked}"} & {probe.id for probe in tree.probes} == set()


# --- judging ----------------------------------------------------------------------------------------------------------


def test_boundary_counts_an_own_question_at_its_level_and_ends_at_it(room: Room) -> None:
    asked = own(room)
    room.do("bo", "mark.set", asked=asked, outcome="not_sustained", ratings={"why": 1}, version=0)

    room.do("bo", "boundary.set", tree="data-parallel", probe=f"data-parallel/{asked}", ended="wrong", version=0)

    assert str(Boundary.objects.written_by(room.scene.bo).get().asked_id) == asked
    with pytest.raises(Refusal) as found:
        room.do("bo", "boundary.set", tree="data-parallel", ended="not_asked", version=1)
    assert found.value.code == Code.CONTRADICTION


def test_boundary_without_a_probe_points_at_the_latest_asking_of_the_tree(room: Room) -> None:
    asked = own(room)

    room.do("bo", "boundary.set", tree="data-parallel", ended="time", version=0)

    assert str(Boundary.objects.written_by(room.scene.bo).get().asked_id) == asked


def test_own_question_is_rated_on_its_aims_alone(room: Room) -> None:
    asked = own(room, aims=["why"])

    room.do("bo", "mark.set", asked=asked, outcome="sustained", ratings={"why": 3}, version=0)

    assert Mark.objects.written_by(room.scene.bo).get().outcome == Outcome.SUSTAINED
    with pytest.raises(Refusal, match="does not aim at depth"):
        room.do("bo", "mark.set", asked=asked, ratings={"depth": 3}, version=1)


@pytest.mark.parametrize("spelled", [str.upper, lambda own: f"{{{own}}}", lambda own: own.replace("-", "")])
def test_an_own_question_has_one_name(room: Room, spelled: Callable[[str], str]) -> None:
    said = {"text": "And then?", "kind": "probe", "aims": ["depth"]}
    own = room.do("ana", "probe.adhoc", parent="data-parallel/root", **said)
    name = f"data-parallel/{spelled(own)}"

    assert refused(room, "probe.ask", probe=name)[0] == Code.BAD_FIELD
    assert refused(room, "probe.adhoc", parent=name, **said)[0] == Code.BAD_FIELD
    with pytest.raises(Refusal) as raised:
        room.do("bo", "hand.raise", probe=name)
    assert raised.value.code == Code.BAD_FIELD
