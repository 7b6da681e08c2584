"""Adding, moving, copying, removing: what comes out is one tree, and nothing else has moved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questionbank.edits import keys, places
from questionbank.edits.history import normal
from questionbank.edits.refusal import EditRefused
from questionbank.edits.shape import (
    Place,
    add,
    change,
    duplicate,
    insert_above,
    move,
    place_of,
    remove,
    siblings,
    take_out,
    with_all_below,
)
from questionbank.enums import ProbeKind
from questionbank.lint import flaws
from questionbank.outline import MOST_ANCESTORS, OutlineTree, levels, walk
from tests.questionbank.outlines import LADDER, probe, tree, trees

pytestmark = pytest.mark.unit


def shape(tree: OutlineTree) -> str:
    """The tree as "root(two(three) rescue)"."""
    below: dict[str | None, list[str]] = {}
    for one in tree.probes:
        below.setdefault(one.parent, []).append(one.key)

    def said(key: str) -> str:
        inner = " ".join(map(said, below.get(key, ())))
        return f"{key}({inner})" if inner else key

    return " ".join(map(said, below.get(None, ())))


FAMILY = tree(probe("a"), probe("b", "a"), probe("c", "a"), probe("d", "a"), probe("e", "c"), probe("f", "e"))


def test_add_puts_a_follow_up_where_it_is_told() -> None:
    first = add(FAMILY, probe("new"), Place("a"))
    last = add(FAMILY, probe("new"), Place("a", "d"))
    below = add(FAMILY, probe("new"), Place("f"))

    assert shape(first) == "a(new b c(e(f)) d)"
    assert shape(last) == "a(b c(e(f)) d new)"
    assert shape(below) == "a(b c(e(f(new))) d)"


def test_take_out_moves_follow_ups_up_to_where_the_probe_stood() -> None:
    assert shape(take_out(FAMILY, "c")) == "a(b e(f) d)"
    assert shape(take_out(FAMILY, "b")) == "a(c(e(f)) d)"
    with pytest.raises(EditRefused, match="root_stays"):
        take_out(FAMILY, "a")


def test_first_probe_of_an_empty_tree_is_its_root() -> None:
    grown = add(tree(), probe("a", "nothing"), Place(None))

    assert (shape(grown), grown.probes[0].branch) == ("a", None)


def test_insert_above_takes_the_place_and_the_condition() -> None:
    conditional = change(FAMILY, probe("c", "a", same_level=False))

    grown = insert_above(conditional, probe("new"), "c")

    assert shape(grown) == "a(b new(c(e(f))) d)"
    assert levels(grown)["f"] == levels(FAMILY)["f"] + 1


def test_insert_above_the_root_makes_another_root() -> None:
    grown = insert_above(FAMILY, probe("new", kind=ProbeKind.CHECK), "a")

    assert shape(grown) == "new(a(b c(e(f)) d))"


def test_move_takes_everything_below_along() -> None:
    assert shape(move(FAMILY, "c", Place("a", "d"))) == "a(b d c(e(f)))"
    assert shape(move(FAMILY, "c", Place("a"))) == "a(c(e(f)) b d)"
    assert shape(move(FAMILY, "c", Place("b"))) == "a(b(c(e(f))) d)"
    assert shape(move(FAMILY, "e", Place("a", "c"))) == "a(b c e(f) d)"


def test_duplicate_stands_after_the_original_with_new_keys() -> None:
    copied = duplicate(FAMILY, "c", {"c": "c-2", "e": "e-2", "f": "f-2"})

    assert shape(copied) == "a(b c(e(f)) c-2(e-2(f-2)) d)"


def test_remove_takes_everything_below_away() -> None:
    assert shape(remove(FAMILY, "c")) == "a(b d)"


@pytest.mark.parametrize(
    ("code", "edit"),
    [
        ("root_stays", lambda: remove(FAMILY, "a")),
        ("root_stays", lambda: move(FAMILY, "a", Place("b"))),
        ("root_stays", lambda: move(FAMILY, "b", Place(None))),
        ("into_itself", lambda: move(FAMILY, "c", Place("f"))),
        ("into_itself", lambda: move(FAMILY, "c", Place("a", "c"))),
        ("no_such_place", lambda: move(FAMILY, "c", Place("a", "f"))),
        ("no_such_probe", lambda: move(FAMILY, "c", Place("nobody"))),
        ("no_such_probe", lambda: remove(FAMILY, "nobody")),
        ("second_root", lambda: add(FAMILY, probe("new"), Place(None))),
        ("second_root", lambda: duplicate(FAMILY, "a", {})),
        ("key_twice", lambda: add(FAMILY, probe("b"), Place("a"))),
        ("root_rescue", lambda: insert_above(FAMILY, probe("new", kind=ProbeKind.RESCUE), "a")),
        ("root_rescue", lambda: change(FAMILY, probe("a", kind=ProbeKind.RESCUE))),
        ("too_far_down", lambda: add(chain(MOST_ANCESTORS + 1), probe("new"), Place(f"p{MOST_ANCESTORS}"))),
        ("too_many_probes", lambda: add(fan(499), probe("new"), Place("a"))),
    ],
)
def test_what_would_break_the_tree_is_refused(code: str, edit: object) -> None:
    with pytest.raises(EditRefused) as refused:
        edit()  # type: ignore[operator]

    assert refused.value.code == code


def fan(follow_ups: int) -> OutlineTree:
    return tree(probe("a"), *(probe(f"p{n}", "a") for n in range(follow_ups)))


def chain(length: int) -> OutlineTree:
    return tree(probe("p0"), *(probe(f"p{n}", f"p{n - 1}") for n in range(1, length)))


def test_an_old_flaw_does_not_stop_other_edits() -> None:
    flawed = tree(probe("a"), probe("b", "a", ProbeKind.PROBE, same_level=True))

    assert shape(add(flawed, probe("c"), Place("a"))) == "a(c b)"


def test_levels_follow_the_kinds_above() -> None:
    moved = move(LADDER, "two-again", Place("root", "root-rescue"))

    assert (levels(moved)["two-again"], levels(moved)["three"]) == (1, 2)


# --- any tree, any edits


@st.composite
def edited(draw: st.DrawFn) -> tuple[OutlineTree, OutlineTree]:
    """A sound tree, and the same after some edits that were not refused."""
    start = normal(draw(trees()))
    now = start
    used = {one.key for one in start.probes}
    for number in range(draw(st.integers(1, 4))):
        key = draw(st.sampled_from([one.key for one in now.probes]))
        parent = draw(st.sampled_from([one.key for one in now.probes]))
        after = draw(st.sampled_from([None, *siblings(now, parent)]))
        edit = draw(st.sampled_from(["add", "insert", "move", "remove", "duplicate"]))
        try:
            if edit == "add":
                now = add(now, probe(f"new-{number}"), Place(parent, after))
            elif edit == "insert":
                now = insert_above(now, probe(f"new-{number}"), key)
            elif edit == "move":
                now = move(now, key, Place(parent, after))
            elif edit == "remove":
                now = remove(now, key)
            else:
                names = keys.copies(with_all_below(now, key), used)
                now = duplicate(now, key, names)
                used.update(names.values())
        except EditRefused:
            continue
    return start, now


@given(edited())
def test_edits_leave_one_sound_tree(case: tuple[OutlineTree, OutlineTree]) -> None:
    start, now = case

    assert flaws(now) == []
    assert [one.probe.key for one in walk(now)] == [one.key for one in now.probes]
    stayed = {one.key: one for one in now.probes}
    # A probe that is still there is still the same question: only its place can have changed.
    for before in start.probes:
        after = stayed.get(before.key)
        assert after is None or (after.prompt, after.anchors, after.kind) == (
            before.prompt,
            before.anchors,
            before.kind,
        )


@given(trees(), st.data())
def test_moving_there_and_back_is_the_same_tree(any_tree: OutlineTree, data: st.DataObject) -> None:
    start = normal(any_tree)
    key = data.draw(st.sampled_from([one.key for one in start.probes]))
    parent = data.draw(st.sampled_from([one.key for one in start.probes]))
    home = place_of(start, key)
    try:
        moved = move(start, key, Place(parent))
    except EditRefused:
        return

    assert move(moved, key, home) == start


# --- keys


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("What share of a step went into communication, and how did you measure it?", "share-step-went-communication"),
        ("How many?", "many"),
        ("Why?", "why"),
        ("", "probe"),
        ("一步训练里通信占多少时间?", "probe"),
        ("3D parallelism", "p3d-parallelism"),
        ("Naïve façade — don't ask", "naive-facade-dont-ask"),
        ("x" * 300, "x" * 48),
    ],
)
def test_key_is_made_of_telling_words(words: str, key: str) -> None:
    assert keys.slug(words) == key


@given(st.text(max_size=200), st.sets(st.sampled_from(["probe", "probe-2", "probe-3", "a", "a-2"])))
def test_key_is_always_free_and_well_formed(words: str, taken: set[str]) -> None:
    key = keys.free_key(keys.slug(words), taken)

    assert key not in taken
    assert len(key) <= keys.KEY_LENGTH
    assert key == "-".join(filter(None, key.split("-"))) == key.lower()
    assert key.isascii()
    assert key[0].isalpha()


def test_copies_count_on_from_the_number_they_have() -> None:
    assert keys.copies(["a", "b-2"], {"a", "a-2", "b-2"}) == {"a": "a-3", "b-2": "b"}


# --- places


NAMES = [f"p{n}" for n in range(12)]


@given(st.permutations(NAMES), st.dictionaries(st.sampled_from([*NAMES, "gone"]), st.integers(0, 40)))
def test_positions_rise_and_most_stay(order: list[str], old: dict[str, int]) -> None:
    changed = places.positions(order, old)

    numbers = [changed.get(key, old.get(key, -1)) for key in order]
    assert numbers == sorted(set(numbers))
    assert min(numbers) >= 0
    assert all(old.get(key) != number for key, number in changed.items())


def test_a_move_changes_one_number() -> None:
    order = [f"p{n}" for n in range(200)]
    old = {key: (n + 1) * places.STRIDE for n, key in enumerate(order)}
    moved = [*order[:50], order[150], *order[50:150], *order[151:]]

    assert list(places.positions(moved, old)) == ["p150"]
    assert places.positions(order, old) == {}
