"""Cases of judging, as in room_cases: each person's own, which nobody else's page may hear of."""

from __future__ import annotations

from collections.abc import Iterator

from tests.house.room_cases import Room, case


@case("mark.set")
def on_a_question_not_marked_yet(room: Room) -> Iterator[None]:
    asked = room.ask("data-parallel/l2")
    yield
    room.do("bo", "mark.set", asked=asked, outcome="recited", aid="hinted", ratings={"why": 1, "depth": 2}, version=0)


@case("mark.set")
def changed_and_partly_cleared(room: Room) -> Iterator[None]:
    yield
    root = room.marked["root"]
    room.do("bo", "mark.set", asked=root, outcome="sustained", ratings={"depth": None}, version=1)
    room.do("bo", "mark.set", asked=root, outcome=None, confidence=None, version=2)


@case("mark.set")
def without_an_outcome(room: Room) -> Iterator[None]:
    asked = room.ask("data-parallel/l2")
    yield
    room.do("bo", "mark.set", asked=asked, aid="clarified", version=0)


@case("mark.set")
def by_the_shadow_on_a_question_asked_since(room: Room) -> Iterator[None]:
    yield
    asked = room.ask("zero-stages/root")
    room.do("dee", "mark.set", asked=asked, outcome="partial", version=0)


@case("boundary.set")
def the_first_word_on_a_tree(room: Room) -> Iterator[None]:
    room.ask("zero-stages/root")
    yield
    room.do("bo", "boundary.set", tree="zero-stages", ended="moved_on", version=0)


@case("boundary.set")
def the_same_again_after_another_question(room: Room) -> Iterator[None]:
    room.ask("data-parallel/l2")
    yield
    room.do("bo", "boundary.set", tree="data-parallel", ended="time", version=1)


@case("boundary.set")
def with_a_reading_of_ones_own(room: Room) -> Iterator[None]:
    yield
    override = {"floor": 1, "ceiling": 3, "reason": "Heard more than was asked"}
    room.do("bo", "boundary.set", tree="data-parallel", override=override, version=1)


@case("boundary.set")
def taken_back_with_its_reading(room: Room) -> Iterator[None]:
    override = {"floor": 1, "ceiling": None, "reason": "Heard more than was asked"}
    room.do("bo", "boundary.set", tree="data-parallel", override=override, version=1)
    yield
    room.do("bo", "boundary.set", tree="data-parallel", ended=None, override=None, version=2)


def _statements(kind: str, first: str, second: str) -> None:
    @case(f"{kind}.add")
    def one_more_and_one_on_a_question_asked_since(room: Room) -> Iterator[None]:
        yield
        for asked in (str(room.marked["root"]), room.ask("zero-stages/root")):
            room.do("bo", f"{kind}.add", asked=asked, type=first, aid="prompted", detail="40 % <of> the time & more")

    @case(f"{kind}.edit")
    def its_words_and_its_type(room: Room) -> Iterator[None]:
        said = room.do("bo", f"{kind}.add", asked=room.marked["root"], type=first, aid="prompted", detail="40 %")
        yield
        room.do("bo", f"{kind}.edit", **{kind: said}, type=second, detail="50 %", version=1)

    @case(f"{kind}.remove")
    def the_newer_of_two(room: Room) -> Iterator[None]:
        said = room.do("bo", f"{kind}.add", asked=room.marked["root"], type=first, aid="prompted", detail="40 %")
        yield
        room.do("bo", f"{kind}.remove", **{kind: said}, version=1)

    @case(f"{kind}.remove")
    def right_after_a_change(room: Room) -> Iterator[None]:
        said = room.do("bo", f"{kind}.add", asked=room.marked["root"], type=first, aid="prompted", detail="40 %")
        yield
        room.do("bo", f"{kind}.edit", **{kind: said}, type=second, version=1)
        room.do("bo", f"{kind}.remove", **{kind: said}, version=2)


_statements("evidence", "measured", "ran_in_production")
_statements("reason", "criterion", "regret")


@case("note.set")
def on_a_question(room: Room) -> Iterator[None]:
    asked = room.ask("data-parallel/l2")
    yield
    room.do("bo", "note.set", asked=asked, text="Two lines\nand a <tag>", version=0)


@case("note.set")
def on_the_whole(room: Room) -> Iterator[None]:
    yield
    room.do("bo", "note.set", text="", version=1)
    room.do("bo", "note.set", asked=None, text="Calm throughout", version=2)
