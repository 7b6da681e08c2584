"""Which probe is hinted at, and why: by one person's marks alone, within what may come."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.enums import Aid, Aim, Ended, Outcome, ProbeKind
from interviews.hints import Because, Hint, Probe, Tree, may_come, rank
from interviews.rules.ability import Difficulty
from interviews.rules.boundaries import Ask, Ending, TreeRule

pytestmark = pytest.mark.unit

RULE = TreeRule(top_level=4)
PROBES = (
    Probe("t/root", "", 1, ProbeKind.CHECK, 2),
    Probe("t/rescue", "t/root", 1, ProbeKind.RESCUE, 2, outcomes=("partial", "not_sustained")),
    Probe("t/two", "t/root", 2, ProbeKind.PROBE, 3),
    Probe("t/two-again", "t/two", 2, ProbeKind.CHECK, 3),
    Probe("t/two-rescue", "t/two", 2, ProbeKind.RESCUE, 2),
    Probe("t/three", "t/two", 3, ProbeKind.PROBE, 3, aims=(Aim.DEPTH, Aim.HANDS_ON)),
    Probe("t/trial", "t/two", 3, ProbeKind.PROBE, 1, scored=False),
    Probe("t/four", "t/three", 4, ProbeKind.PROBE, 3),
)
LEVEL = {probe.id: probe.level for probe in PROBES}


def heard(*answers: tuple[str, str], **more: object) -> Tree:
    """The tree after these answers: "+" sustained, "~" partial, "-" not sustained, "" nothing marked."""
    said = {"+": Outcome.SUSTAINED, "~": Outcome.PARTIAL, "-": Outcome.NOT_SUSTAINED, "": None}
    asks = tuple(Ask(name, LEVEL.get(name, 3), said[answer], Aid.UNAIDED) for name, answer in answers)
    return replace(Tree("t", RULE, PROBES, asks), **more)


def coming(tree: Tree) -> set[str]:
    assert {hint.probe for hint in rank([tree])} <= {probe.id for probe in may_come(tree)}
    return {probe.id for probe in may_come(tree)}


def hint_for(tree: Tree, probe: str) -> Hint:
    return next(hint for hint in rank([tree]) if hint.probe == probe)


# --- what may come ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "names"),
    [
        (heard(), {"t/root"}),
        (heard(("t/root", "")), {"t/two", "t/two-again"}),
        (heard(("t/root", "+")), {"t/two", "t/two-again"}),
        (heard(("t/root", "~")), {"t/rescue", "t/two", "t/two-again"}),
        (heard(("t/root", "-")), {"t/rescue"}),
        (heard(("t/root", "+"), ("t/two", "+")), {"t/two-again", "t/three"}),
        (heard(("t/root", "+"), ("t/two", "-")), {"t/two-again", "t/two-rescue"}),
        # The second try was taken: no rescue is due any more.
        (heard(("t/root", "+"), ("t/two", "-"), ("t/two-again", "+")), {"t/three"}),
        # Asked out of order: what was passed over may come, and one level below the deepest that held.
        (heard(("t/root", "+"), ("t/three", "+")), {"t/two", "t/two-again", "t/four"}),
        # A question of the lead's own counts at its level, and is never hinted at itself.
        (heard(("t/root", "+"), ("t/own", "+")), {"t/two", "t/two-again", "t/three", "t/four"}),
    ],
)
def test_at_most_one_level_below_what_was_not_missed_may_come(tree: Tree, names: set[str]) -> None:
    assert coming(tree) == names


def test_the_discontinue_rule_ends_the_way_down() -> None:
    above = (("t/root", "+"), ("t/three", "~"))
    once, twice = heard(*above, ("t/two", "-")), heard(*above, ("t/two", "-"), ("t/two-again", "-"))

    assert "t/four" in coming(once)
    assert coming(twice) == set()
    # With one miss to end the tree, a rescue is not due either.
    assert coming(heard(("t/root", "-"), rule=replace(RULE, misses_to_end=1))) == set()


def test_a_rescue_after_an_unclear_answer_needs_a_second_try() -> None:
    assert "t/rescue" not in coming(heard(("t/root", "~"), rule=replace(RULE, retry_unclear=False)))


@pytest.mark.parametrize("reason", [Ended.TIME, Ended.WRONG, Ended.MOVED_ON])
def test_a_tree_that_was_ended_is_left_alone_until_it_is_reopened(reason: Ended) -> None:
    answers = (("t/root", "+"), ("t/two", "+"))

    assert coming(heard(*answers, ended=Ending(reason, asks=2))) == set()
    assert "t/three" in coming(heard(*answers, ended=Ending(reason, asks=1)))


def test_what_is_not_expected_is_left_alone() -> None:
    tree = heard(("t/root", ""), rule=replace(RULE, optional=True), ended=Ending(Ended.NOT_EXPECTED, asks=1))

    assert coming(tree) == set()


def test_what_was_taken_back_may_come_again() -> None:
    asked = heard(("t/root", "+"), ("t/two", "+"))
    back = replace(asked, asks=(asked.asks[0], replace(asked.asks[1], retracted=True)))

    assert "t/two" not in coming(asked)
    assert "t/two" in coming(back)
    assert "t/three" not in coming(back)


# --- the order --------------------------------------------------------------------------------------------------------


def test_a_minute_counts() -> None:
    slow = replace(PROBES[5], id="t/slow", minutes=9)
    tree = replace(heard(("t/root", "+"), ("t/two", "+")), probes=(*PROBES[:5], slow, *PROBES[5:]))

    order = [hint.probe for hint in rank([tree])]

    assert order.index("t/three") < order.index("t/slow")
    assert hint_for(tree, "t/slow").gain == pytest.approx(hint_for(tree, "t/three").gain)


def test_what_the_calibration_knows_is_believed() -> None:
    hopeless = replace(PROBES[2], difficulty=Difficulty(6.0, 0.1))
    even = replace(PROBES[3], difficulty=Difficulty(0.4, 0.1))
    tree = replace(heard(("t/root", "+")), probes=(PROBES[0], hopeless, even))

    assert rank([tree])[0].probe == "t/two-again"
    assert hint_for(tree, "t/two-again").gain > 5 * next(
        (hint.gain for hint in rank([tree]) if hint.probe == "t/two"), 0.0
    )


def test_of_equals_the_follow_up_comes_first() -> None:
    other = Tree("u", RULE, tuple(replace(one, id=f"u{one.id[1:]}", parent="") for one in PROBES[:1]))
    fresh = replace(PROBES[0], id="t/root", parent="")
    side = replace(PROBES[3], id="t/side", parent="t/root")
    tree = replace(heard(("t/root", "+"), ("t/two", "+")), probes=(fresh, side, *PROBES[2:4]))

    assert [hint.probe for hint in rank([tree], current="t/root")] == ["t/side", "t/two-again"]
    assert [hint.probe for hint in rank([tree], current="t/two")] == ["t/two-again", "t/side"]
    # Changing the subject has its price.
    moving = next(hint for hint in rank([heard(("t/root", "+")), other], current="t/root") if hint.tree == "u")
    assert rank([other])[0].gain == moving.gain
    assert rank([other])[0].rate > moving.rate


def test_an_optional_tree_is_begun_later() -> None:
    may_be_unknown = heard(rule=replace(RULE, optional=True))

    assert rank([may_be_unknown])[0].because == Because.START_OPTIONAL
    assert rank([may_be_unknown])[0].rate == pytest.approx(rank([heard()])[0].rate / 2)


def test_nothing_is_hinted_at_that_would_tell_nothing() -> None:
    sure = Difficulty(-7.9, 0.0)
    certain = tuple(Probe(f"t/{n}", "t/0" if n else "", 1, ProbeKind.CHECK, 1, difficulty=sure) for n in range(3))

    assert rank([Tree("t", TreeRule(top_level=1), certain)]) == []
    assert rank([]) == []


# --- why --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "probe", "because", "floor"),
    [
        ((), "t/root", Because.START, 0),
        ((("t/root", ""),), "t/two", Because.NOTHING_MARKED, 0),
        ((("t/root", "+"),), "t/two", Because.GO_UP, 1),
        ((("t/root", "~"),), "t/rescue", Because.UNCLEAR, 0),
        ((("t/root", "-"),), "t/rescue", Because.SECOND_TRY, 0),
        ((("t/root", "+"), ("t/two", "-")), "t/two-rescue", Because.SECOND_TRY, 1),
        ((("t/root", "+"), ("t/two", "+")), "t/two-again", Because.ONCE_MORE, 2),
        ((("t/root", "+"), ("t/three", "+")), "t/two", Because.SKIPPED, 3),
        ((("t/root", "+"), ("t/own", "-")), "t/two", Because.GAP, 1),
        ((("t/root", "+"), ("t/two", "-"), ("t/three", "+"), ("t/four", "+")), "t/two-again", Because.OUT_OF_ORDER, 4),
    ],
)
def test_a_hint_says_why(answers: tuple[tuple[str, str], ...], probe: str, because: Because, floor: int) -> None:
    found = hint_for(heard(*answers), probe)

    assert (found.because, found.floor) == (because, floor)


def test_a_hint_brings_what_its_sentence_needs() -> None:
    found = hint_for(heard(("t/root", "+"), ("t/two", "+"), minutes_left=5.5), "t/three")

    assert (found.tree, found.level, found.aims, found.minutes, found.minutes_left) == ("t", 3, (Aim.HANDS_ON,), 3, 5.5)
    assert found.rate == pytest.approx(found.gain / 3)


# --- whatever was heard -----------------------------------------------------------------------------------------------

answers = st.lists(
    st.builds(
        Ask,
        probe=st.sampled_from([*LEVEL, "t/own"]),
        level=st.just(1),
        outcome=st.sampled_from([None, *Outcome]),
        aid=st.sampled_from([None, *Aid]),
        scored=st.booleans() | st.just(True),
        retracted=st.sampled_from([False, False, True]),
        voided=st.sampled_from([False, False, True]),
    ),
    max_size=14,
).map(lambda found: tuple(replace(ask, level=LEVEL.get(ask.probe, 3)) for ask in found))


@given(
    answers, st.booleans(), st.integers(1, 3), st.none() | st.builds(Ending, st.sampled_from(Ended), st.integers(0, 14))
)
def test_a_ranking_holds_together(asks: tuple[Ask, ...], optional: bool, misses: int, ended: Ending | None) -> None:
    rule = TreeRule(top_level=4, misses_to_end=misses, optional=optional)
    tree = Tree("t", rule, PROBES, asks, ended)

    found = rank([tree], current=asks[-1].probe if asks else "")

    standing = {ask.probe for ask in asks if not ask.retracted}
    rates = [round(hint.rate, 6) for hint in found]  # closer than that is a tie, and the nearer probe comes first
    assert rates == sorted(rates, reverse=True)
    assert not {hint.probe for hint in found} & (standing | {"t/trial", "t/own"})
    assert all(0 < hint.gain < 2 and hint.rate > 0 for hint in found)
    assert rank([tree], current="") == rank([replace(tree, asks=tuple(asks))], current="")
