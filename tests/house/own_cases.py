"""Cases of questions of the lead's own and of trees changed for one interview, as in room_cases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from tests.house.room_cases import Room, case


def own(room: Room, who: str = "ana", *, age: float = 0, **more: Any) -> str:
    """Ask a question that no tree has, after the root of the first; return its id."""
    said = {
        "text": "And if a <rack> fails & burns?",
        "parent": "data-parallel/root",
        "kind": "probe",
        "aims": ["depth", "why"],
    }
    return room.do(who, "probe.adhoc", age=age, **{**said, **more})


def add(room: Room, **more: Any) -> str:
    """Keep a follow-up for later; return its name."""
    said = {"text": "What did it cost?", "parent": "data-parallel/root", "kind": "probe", "aims": ["why", "depth"]}
    return "data-parallel/" + room.do("ana", "tree.edit", tree="data-parallel", op="add", **{**said, **more})


@case("probe.adhoc")
def below_the_current_question(room: Room) -> Iterator[None]:
    yield
    own(room)


@case("probe.adhoc")
def below_one_of_the_leads_own(room: Room) -> Iterator[None]:
    first = own(room)
    room.judge("bo", first)
    yield
    second = own(room, parent=f"data-parallel/{first}", kind="rescue", text="Say it in other words")
    room.do("bo", "mark.set", asked=second, outcome="sustained", ratings={"why": 4}, version=0)
    room.ask(f"data-parallel/{first}")


@case("probe.adhoc")
def late_after_the_end(room: Room) -> Iterator[None]:
    room.began_earlier(timedelta(minutes=1))
    room.do("ana", "interview.end")
    yield
    own(room, age=30)


@case("probe.retract")
def one_of_the_leads_own(room: Room) -> Iterator[None]:
    asked = own(room)
    yield
    room.do("ana", "probe.retract", asked=asked)


@case("prompt.share")
def of_a_question_of_the_leads_own(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    asked = own(room)
    yield
    room.do("ana", "prompt.share", asked=asked)


@case("tree.edit")
def the_words_of_the_current_question(room: Room) -> Iterator[None]:
    yield
    said = {"probe": "data-parallel/root", "text": "What is <it> for?"}
    room.do("ana", "tree.edit", tree="data-parallel", op="text", language="en", **said)
    room.do("ana", "tree.edit", tree="data-parallel", op="text", language="zh-Hans", **said)


@case("tree.edit")
def the_words_that_the_candidate_sees(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    room.do("ana", "prompt.share", asked=room.marked["root"])
    yield
    said = {"probe": "root", "text": "What is it for?", "language": "en"}
    room.do("ana", "tree.edit", tree="data-parallel", op="text", **said)


@case("tree.edit")
def the_words_of_a_question_of_the_leads_own(room: Room) -> Iterator[None]:
    asked = own(room)
    yield
    room.do("ana", "tree.edit", tree="data-parallel", op="text", probe=asked, text="And if <two> racks fail?")


@case("tree.edit")
def one_more_that_is_asked_then(room: Room) -> Iterator[None]:
    yield
    name = add(room)
    add(room, parent=name, text="And what then?")
    room.ask(name)


@case("tree.edit")
def their_order(room: Room) -> Iterator[None]:
    name = add(room)
    yield
    room.do("ana", "tree.edit", tree="data-parallel", op="move", probe=name)
    room.do("ana", "tree.edit", tree="data-parallel", op="move", probe="l2", after="data-parallel/root-rescue")


@case("tree.edit")
def below_another_one(room: Room) -> Iterator[None]:
    room.do("ana", "interview.pause")
    yield
    said = {"probe": "data-parallel/l3", "parent": "data-parallel/l2-again", "after": None}
    room.do("ana", "tree.edit", tree="data-parallel", op="move", **said)


@case("lead.hand_over")
def with_what_was_changed(room: Room) -> Iterator[None]:
    add(room)
    yield
    room.do("ana", "lead.hand_over", seat=room.scene.bo.code)
