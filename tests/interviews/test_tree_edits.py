"""Trees changed for one interview, and plans that keep them as they are."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from interviews.live.dispatch import carry_out
from interviews.models import AdHocProbe, Asked, Event, TreeEdit
from interviews.queries.own_trees import tree_here
from interviews.queries.pinned import tree_says
from interviews.queries.trees import tree_choices
from interviews.rendering.context import lead_context
from interviews.services.own_questions import MOST_EDITS
from interviews.services.refusal import Code, Refusal
from questionbank.models import Probe
from tests.cast import Cast
from tests.house.own_cases import add, own
from tests.house.room_cases import Room
from tests.support.factories import Scene, make_scene, make_tree
from tests.support.own_trees import fresh, names, refused, running, view

pytestmark = pytest.mark.db

WORDS = "And if a <rack> fails & burns?"


@pytest.fixture
def room(cast: Cast) -> Room:
    return running(cast)


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
    ids=lambda one: str(one)[:60],
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
