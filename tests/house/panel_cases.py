"""Cases of the panel's craft, as in room_cases: hands, chat, who asks which tree, going on after an end."""

from __future__ import annotations

from collections.abc import Iterator

from interviews.models import PinnedTree, Text
from interviews.services.seating import share_trees
from tests.house.room_cases import Room, case


def chat_on(room: Room) -> None:
    position = room.scene.position
    position.chat = True
    position.save(update_fields=["chat"])


@case("hand.raise")
def with_nothing_in_mind(room: Room) -> Iterator[None]:
    yield
    room.do("bo", "hand.raise")


@case("hand.raise")
def for_a_question_by_the_shadow_too(room: Room) -> Iterator[None]:
    room.do("bo", "hand.raise")
    yield
    room.do("dee", "hand.raise", probe="zero-stages/l2")
    room.do("bo", "hand.raise", probe="data-parallel/l2")


@case("hand.lower")
def by_its_owner(room: Room) -> Iterator[None]:
    room.do("bo", "hand.raise", probe="data-parallel/l2")
    yield
    room.do("bo", "hand.lower")


@case("hand.lower")
def that_was_down_already(room: Room) -> Iterator[None]:
    yield
    room.do("bo", "hand.lower")


@case("probe.ask")
def that_somebody_wished_to_ask(room: Room) -> Iterator[None]:
    room.do("bo", "hand.raise", probe="data-parallel/l2")
    room.do("dee", "hand.raise")
    yield
    room.ask("data-parallel/l2")


@case("probe.retract")
def of_what_somebody_wished_to_ask(room: Room) -> Iterator[None]:
    room.do("bo", "hand.raise", probe="data-parallel/l2")
    asked = room.ask("data-parallel/l2")
    yield
    room.do("ana", "probe.retract", asked=asked)


@case("lead.hand_over")
def to_who_raised_a_hand(room: Room) -> Iterator[None]:
    room.do("bo", "hand.raise")
    yield
    room.do("ana", "lead.hand_over", seat=room.scene.bo.code)


@case("chat.post")
def one_line_and_another(room: Room) -> Iterator[None]:
    chat_on(room)
    room.do("ana", "chat.post", text="Before anybody came")
    yield
    room.do("eli", "chat.post", text="Two <lines>\nof an observer")
    room.do("ana", "chat.post", text="And one & more")


@case("chat.post")
def that_is_erased_before_it_is_drawn(room: Room) -> Iterator[None]:
    chat_on(room)
    yield
    room.do("bo", "chat.post", text="Not for long")
    Text.objects.filter(kind="chat").update(body=None, erased_at=room.scene.interview.created_at)


@case("askers.change")
def because_the_manager_said_so(room: Room) -> Iterator[None]:
    room.ask("zero-stages/root")
    yield
    trees = PinnedTree.objects.filter(interview=room.scene.interview)
    share_trees(
        interview=room.scene.interview,
        by=room.scene.cast.mara,
        askers={tree.pk: room.scene.bo.code for tree in trees},
    )


@case("interview.reopen")
def with_a_hand_that_was_still_up(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    room.do("bo", "hand.raise")
    room.do("ana", "interview.pause")
    room.do("ana", "interview.end")
    yield
    room.do("ana", "interview.reopen", reason="The candidate came back")


@case("interview.reopen")
def and_an_end_once_more(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    room.do("ana", "interview.end")
    yield
    room.do("ana", "interview.reopen", reason="One tree was left")
    room.ask("zero-stages/root")
    room.do("ana", "interview.end")
