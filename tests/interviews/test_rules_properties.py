from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.enums import Aid, Ended, Outcome
from interviews.rules import Ask, Credit, Ending, State, TreeRule, boundary, credit_of

pytestmark = pytest.mark.unit

trees = st.builds(
    TreeRule,
    top_level=st.integers(1, 6),
    misses_to_end=st.integers(1, 4),
    retry_unclear=st.booleans(),
    optional=st.booleans(),
)
asks = st.lists(
    st.builds(
        Ask,
        probe=st.sampled_from("abcdefghij"),
        level=st.integers(1, 6),
        outcome=st.sampled_from([None, *Outcome]),
        aid=st.sampled_from([None, *Aid]),
        scored=st.booleans() | st.just(True),
        retracted=st.sampled_from([False, False, False, True]),
        voided=st.sampled_from([False, False, False, True]),
    ),
    max_size=12,
).map(lambda found: [replace(ask, level=1 + ord(ask.probe) % 6) for ask in found])
endings = st.none() | st.builds(Ending, reason=st.sampled_from(list(Ended)), asks=st.integers(0, 12))
new_passes = st.integers(1, 7).map(lambda level: Ask("new", level, Outcome.SUSTAINED, Aid.UNAIDED))
new_misses = st.integers(1, 7).map(lambda level: Ask("new", level, Outcome.NOT_SUSTAINED, Aid.UNAIDED))


@given(asks, trees, endings)
def test_boundary_holds_together(asks: list[Ask], tree: TreeRule, ended: Ending | None) -> None:
    result = boundary(asks, tree=tree, ended=ended)

    levels = [row.level for row in result.levels]
    assert levels == sorted(set(levels))
    assert result.ceiling is None or (result.floor is not None and result.floor < result.ceiling)
    assert all(result.floor < gap < result.ceiling for gap in result.gaps)  # type: ignore[operator]
    assert not set(result.gaps) & set(levels)
    assert not (result.at_least and result.ceiling is not None)
    assert (result.next is None) == (result.ratable or result.excluded)
    assert not result.excluded or (result.rows, result.levels, result.floor) == ((), (), None)
    assert not result.firm or result.ceiling is not None
    assert (result.state == State.OPEN) == (ended is None)


@given(asks, trees)
def test_floor_has_the_most_agreement_and_is_the_lowest_with_it(asks: list[Ask], tree: TreeRule) -> None:
    result = boundary(asks, tree=tree)
    passes = [row.level for row in result.levels if row.credit == Credit.PASS]
    misses = [row.level for row in result.levels if row.credit == Credit.MISS]

    agreement = [sum(p <= f for p in passes) + sum(m > f for m in misses) for f in range(8)]

    assert result.floor == (agreement.index(max(agreement)) if passes or misses else None)


@given(asks, trees)
def test_rows_go_upward_and_end_with_the_first_miss_above_the_floor(asks: list[Ask], tree: TreeRule) -> None:
    result = boundary(asks, tree=tree)

    levels = [row.level for row in result.rows]
    assert levels == sorted(set(levels))
    above = [row for row in result.rows if result.floor is not None and row.level > result.floor and not row.passed]
    assert above == ([] if result.ceiling is None else [result.rows[-1]])
    assert result.ceiling is None or result.rows[-1].level == result.ceiling


@given(asks, trees, new_passes)
def test_one_more_pass_never_lowers_the_floor(asks: list[Ask], tree: TreeRule, new: Ask) -> None:
    before = boundary(asks, tree=tree).floor or 0

    assert (boundary([*asks, new], tree=tree).floor or 0) >= before


@given(asks, trees, new_misses)
def test_one_more_miss_never_lifts_the_floor(asks: list[Ask], tree: TreeRule, new: Ask) -> None:
    before = boundary(asks, tree=tree).floor or 0

    assert (boundary([*asks, new], tree=tree).floor or 0) <= before


@given(asks, trees, endings, st.randoms(use_true_random=False))
def test_the_order_across_levels_moves_no_level_floor_ceiling_or_row(
    asks: list[Ask], tree: TreeRule, ended: Ending | None, random: object
) -> None:
    before = boundary(asks, tree=tree, ended=ended)
    order = [1, 2, 3, 4, 5, 6]
    random.shuffle(order)  # type: ignore[attr-defined]

    after = boundary(sorted(asks, key=lambda ask: order.index(ask.level)), tree=tree, ended=ended)

    assert (after.levels, after.floor, after.ceiling, after.gaps, after.rows) == (
        before.levels,
        before.floor,
        before.ceiling,
        before.gaps,
        before.rows,
    )
    assert (after.out_of_order, after.at_least, after.problem) == (before.out_of_order, before.at_least, before.problem)


@given(asks, trees, endings)
def test_what_cannot_count_changes_nothing_but_reopening(asks: list[Ask], tree: TreeRule, ended: Ending | None) -> None:
    counting = [ask for ask in asks if ask.scored and not ask.retracted and not ask.voided]

    with_all = boundary(asks, tree=tree, ended=ended)
    without = boundary([a for a in counting if credit_of(a.outcome, a.aid)], tree=tree, ended=ended)

    assert replace(with_all, state=State.OPEN) == replace(without, state=State.OPEN)


@given(asks, trees, st.sampled_from([Ended.TIME, Ended.MOVED_ON, Ended.TOP_OF_TREE, Ended.NOT_EXPECTED]))
def test_no_ending_changes_the_model_rows(asks: list[Ask], tree: TreeRule, reason: Ended) -> None:
    assert boundary(asks, tree=tree, ended=Ending(reason, len(asks))).rows == boundary(asks, tree=tree).rows


@given(asks, trees)
def test_following_the_advice_comes_to_an_end(asks: list[Ask], tree: TreeRule) -> None:
    """Whoever asks what is said next and hears misses has a ratable tree in the end."""
    asked = list(asks)
    for number in range(20):
        upcoming = boundary(asked, tree=tree).next
        if upcoming is None:
            return
        asked.append(Ask(f"next{number}", upcoming.level, Outcome.NOT_SUSTAINED, Aid.UNAIDED))
    pytest.fail(f"still asking for {upcoming}")
