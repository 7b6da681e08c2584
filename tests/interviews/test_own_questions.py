"""Questions of the lead's own, and trees changed for one interview: what the room makes of them."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews.enums import Outcome, TextKind
from interviews.live.dispatch import carry_out
from interviews.models import AdHocProbe, Asked, Boundary, Event, Interview, Mark, Text, TreeEdit
from interviews.queries.hints import trees_heard
from interviews.queries.own_trees import tree_here
from interviews.queries.pinned import tree_says
from interviews.queries.room import mine_view, room_view
from interviews.queries.trees import tree_choices
from interviews.rendering.context import lead_context, page_context
from interviews.services.own_questions import MOST_EDITS
from interviews.services.refusal import Code, Refusal
from questionbank.models import Probe
from scoring.queries.revisions import load_asked
from tests.cast import Cast
from tests.house.acting import do
from tests.house.own_cases import add, own
from tests.house.room_cases import Room
from tests.support.factories import Scene, make_scene, make_tree

pytestmark = pytest.mark.db

WORDS = "And if a <rack> fails & burns?"


@pytest.fixture
def room(cast: Cast) -> Room:
    """A running interview whose root was asked."""
    room = Room(make_scene(cast))
    room.do("ana", "interview.start")
    room.marked = {"root": uuid.UUID(room.ask())}
    return room


def refused(room: Room, name: str, **data: Any) -> tuple[Code, str]:
    with pytest.raises(Refusal) as found:
        room.do("ana", name, **data)
    return found.value.code, found.value.message


def names(room: Room, parent: str = "root") -> list[str]:
    """The follow-ups of a probe of the first tree as this interview offers them."""
    says = tree_here(fresh(room), "data-parallel")
    assert says is not None
    return [probe.id.partition("/")[2] for probe in says.probes if probe.parent == f"data-parallel/{parent}"]


def fresh(room: Room) -> Interview:
    return Interview.objects.get(pk=room.scene.interview.pk)


def view(room: Room) -> Any:
    return room_view(room.scene.interview.room_id)


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
        ({"parent": f"data-parallel/{uuid.uuid4()}"}, Code.BAD_FIELD),
        ({"kind": "hint"}, Code.BAD_FIELD),
        ({"aims": []}, Code.BAD_FIELD),
        ({"aims": ["depth", "width"]}, Code.BAD_FIELD),
        ({"aims": "depth"}, Code.BAD_FIELD),
        ({"language": "english"}, Code.BAD_FIELD),
        ({"language": 7}, Code.BAD_FIELD),
    ],
    ids=str,
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


def test_hints_know_an_own_question_by_the_name_that_its_tree_has(room: Room) -> None:
    asked, kept = own(room), add(room)

    tree = trees_heard(view(room), room.scene.bo, now=timezone.now())[0]

    assert [ask.probe for ask in tree.asks] == ["data-parallel/root", f"data-parallel/{asked}"]
    assert {kept, f"data-parallel/{asked}"} <= {probe.id for probe in tree.probes}


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


# --- the tree ---------------------------------------------------------------------------------------------------------


def test_wording_is_this_interviews_alone(room: Room) -> None:
    said = {"probe": "data-parallel/l2", "text": "What does it cost?", "language": "en"}

    room.do("ana", "tree.edit", tree="data-parallel", op="text", **said)

    here, pinned = tree_here(fresh(room), "data-parallel"), tree_says(room.scene.versions[0].pk)
    assert here is not None
    words = {probe.id: probe.prompt for probe in here.probes}["data-parallel/l2"]
    assert (words["en"], words["zh-Hans"]) == ("What does it cost?", "l2 怎么样？")
    assert {probe.id: probe.prompt["en"] for probe in pinned.probes}["data-parallel/l2"].startswith("What about l2")
    assert Probe.objects.get(version=room.scene.versions[0], key="l2").prompt["en"].startswith("What about l2")


def test_last_wording_holds(room: Room) -> None:
    for text in ("First", "Second"):
        said = {"probe": "l2", "text": text, "language": "en"}
        room.do("ana", "tree.edit", tree="data-parallel", op="text", **said)

    drawn = lead_context(view(room), room.scene.ana)

    assert drawn["follow_ups"][0]["prompt"] == "Second"


def test_added_follow_up_is_asked_by_its_name(room: Room) -> None:
    name = add(room)

    asked = room.ask(name)

    question = AdHocProbe.objects.get()
    assert (question.planned, str(question.pk), question.aims) == (True, name.partition("/")[2], ["depth", "why"])
    assert Asked.objects.get(pk=asked).adhoc == question
    assert lead_context(view(room), room.scene.ana)["follow_ups"][0]["probe"] == "data-parallel/l2"


def test_who_prepares_meanwhile_reads_the_interviews_own_tree(room: Room, client: Client) -> None:
    add(room)
    room.do("ana", "tree.edit", tree="data-parallel", op="text", probe="l2", text="What does it cost?", language="en")
    client.force_login(room.scene.cast.bo)

    page = client.get(reverse("interviews:preparation", args=[room.scene.interview.code])).content.decode()

    assert "What did it cost?" in page
    assert "What does it cost?" in page
    assert "What about l2 in data-parallel?" not in page


def test_order_of_follow_ups_is_the_one_that_was_made(room: Room) -> None:
    added = add(room).partition("/")[2]

    def move(probe: str, **more: Any) -> None:
        room.do("ana", "tree.edit", tree="data-parallel", op="move", probe=f"data-parallel/{probe}", **more)

    assert names(room) == ["l2", "root-rescue", added]
    move(added)
    assert names(room) == [added, "l2", "root-rescue"]
    move("l2", after="data-parallel/root-rescue")
    assert names(room) == [added, "root-rescue", "l2"]
    move(added, after="data-parallel/root-rescue")
    assert names(room) == ["root-rescue", added, "l2"]
    move("l3", parent="data-parallel/l2-again")
    assert (names(room, "l2"), names(room, "l2-again")) == (["l2-again"], ["l3"])
    assert [probe.key for probe in Probe.objects.filter(version=room.scene.versions[0], parent__key="root")] != []


@pytest.mark.parametrize(
    "wrong",
    [
        {"op": "turn"},
        {"op": "text", "probe": "l2"},
        {"op": "text", "probe": "none", "text": "x"},
        {"op": "text", "text": "x"},
        {"op": "text", "probe": "l2", "text": "x" * 2001},
        {"op": "add", "parent": "root", "text": "x", "kind": "probe"},
        {"op": "add", "parent": "none", "text": "x", "kind": "probe", "aims": ["why"]},
        {"op": "move", "probe": "root"},
        {"op": "move", "probe": "l2", "after": "data-parallel/l2"},
        {"op": "move", "probe": "l2", "after": "data-parallel/l3"},
        {"op": "move", "probe": "l2", "parent": "data-parallel/l2"},
        {"op": "move", "probe": "l3", "parent": "data-parallel/root"},
        {"op": "move", "probe": "l2-again", "parent": "zero-stages/l2"},
        {"op": "move", "probe": "l2", "tree": "a2a"},
    ],
    ids=str,
)
def test_bad_edit_is_refused_and_leaves_the_tree_as_it_was(room: Room, wrong: dict[str, Any]) -> None:
    code, message = refused(room, "tree.edit", **{"tree": "data-parallel", **wrong})

    assert code in {Code.BAD_FIELD, Code.TOO_LARGE}
    assert message
    assert (TreeEdit.objects.count(), fresh(room).has_own) == (0, False)


def test_follow_up_cannot_stand_below_what_stands_below_it(room: Room) -> None:
    """A rescue keeps its parent's level, so that a probe of the same level can stand below another."""
    rescue = f"data-parallel/{own(room, kind='rescue')}"

    assert refused(room, "tree.edit", tree="data-parallel", op="move", probe=rescue, parent=rescue)[0] == Code.BAD_FIELD


def test_correcting_what_the_candidate_reads_reaches_them(room: Room) -> None:
    room.do("ana", "prompt.share", asked=room.marked["root"])
    said = {"probe": "root", "text": "What is it for?", "language": "en"}

    room.do("ana", "tree.edit", tree="data-parallel", op="text", **said)

    last = Event.objects.filter(stream="all").last()
    assert last is not None
    assert (last.name, last.data) == ("prompt.share", {"asked": str(room.marked["root"])})


def test_interview_takes_five_hundred_changes_and_no_more(room: Room) -> None:
    own(room)
    first = TreeEdit.objects.get()
    stands = {"interview": first.interview, "by": first.by, "op": "move", "probe": "x/y", "parent": "x/z"}
    TreeEdit.objects.bulk_create(TreeEdit(id=uuid.uuid4(), seq=n, **stands) for n in range(MOST_EDITS - 1))

    said = {"text": "x", "parent": "data-parallel/root", "kind": "probe", "aims": ["why"]}
    assert refused(room, "probe.adhoc", **said)[0] == Code.BAD_FIELD
    assert refused(room, "tree.edit", tree="data-parallel", op="add", **said)[0] == Code.BAD_FIELD
    assert room.ask()


# --- a locked plan ----------------------------------------------------------------------------------------------------


def lock(scene: Scene) -> None:
    scene.plan.locked = True
    scene.plan.save()


def test_locked_plan_keeps_its_trees_and_lets_the_lead_ask(room: Room) -> None:
    lock(room.scene)

    for said in (
        {"op": "text", "probe": "l2", "text": "x"},
        {"op": "add", "parent": "root", "kind": "probe", "aims": ["why"], "text": "x"},
        {"op": "move", "probe": "root-rescue"},
    ):
        assert refused(room, "tree.edit", tree="data-parallel", **said)[0] == Code.NO_RIGHT
    assert lead_context(view(room), room.scene.ana)["may_edit"] is False
    assert Asked.objects.filter(pk=own(room)).exists()


def test_locked_plan_offers_only_its_trees_and_what_was_lifted(cast: Cast) -> None:
    scene = make_scene(cast)
    other, lifted = make_tree("rag"), make_tree("a2a")
    scene.application.lifted_trees.add(lifted.tree)
    assert {choice.key for choice in tree_choices(scene.application)} >= {other.tree.key}

    lock(scene)

    assert [choice.key for choice in tree_choices(scene.application)] == ["data-parallel", "zero-stages", "a2a"]


def test_observers_and_candidates_may_not_edit(room: Room) -> None:
    for who in ("bo", "dee", "eli", "candidate"):
        seat = getattr(room.scene, who)
        for name, data in (
            ("probe.adhoc", {"text": "x", "parent": "data-parallel/root", "kind": "probe", "aims": ["why"]}),
            ("tree.edit", {"tree": "data-parallel", "op": "move", "probe": "root-rescue"}),
        ):
            with pytest.raises(Refusal):
                carry_out(seat.pk, uuid.uuid4(), name, data, timedelta(0))
