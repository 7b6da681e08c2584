"""What figures say about a tree: when nothing is said, where it stops, what is out of order, what leaked."""

from __future__ import annotations

from typing import Any

import pytest

from interviews.enums import Aid
from questionbank.enums import Aim, BranchOutcome
from questionbank.health import Help, Leak, Node, Seen, TreeHealth, examine

pytestmark = pytest.mark.unit

SUSTAINED = BranchOutcome.SUSTAINED
# root - l2 - l3, and beside l2 a check that stays on its level.
LADDER = [
    Node("root", None, 1, 0, "w"),
    Node("l2", "root", 2, 1, "w"),
    Node("l2-again", "l2", 2, 2, "w"),
    Node("l3", "l2", 3, 2, "w", trial=True),
]


def seen(key: str, asked: int, sustained: int = 0, *, wording: str = "w", **more: Any) -> Seen:
    more.setdefault("outcomes", {SUSTAINED: sustained})
    return Seen(key, wording, asked, **more)


def of(health: TreeHealth, key: str) -> Any:
    return next(probe for probe in health.probes if probe.node.key == key)


def test_help_has_the_names_under_which_it_is_counted() -> None:
    assert [one.value for one in Help] == [one.value for one in Aid]


def test_nothing_is_said_below_five_applications() -> None:
    health = examine(LADDER, [seen("root", 4, 4, leak=Leak(40, 0)), seen("root", 4, wording="old")])

    assert (health.known, health.alarms, health.applications) == ((), 0, 0)
    assert (health.last_stop, health.deepest, health.counted_on) == (None, None, None)
    assert of(health, "root").earlier == 0


def test_figures_belong_to_the_wording() -> None:
    health = examine(LADDER, [seen("root", 10, 8), seen("root", 25, 9, wording="old"), seen("gone", 50)])

    assert (of(health, "root").reached, of(health, "root").earlier) == (10, 25)
    assert [probe.node.key for probe in health.known] == ["root"]


def test_new_wording_has_no_figures_but_remembers_that_it_was_asked() -> None:
    probe = of(examine(LADDER, [seen("root", 25, wording="old")]), "root")

    assert (probe.seen, probe.reached, probe.earlier) == (None, 0, 25)


def test_tree_ends_where_most_stop_the_shallower_of_two_alike() -> None:
    health = examine(LADDER, [seen("root", 20, stopped=6), seen("l2", 14, stopped=6), seen("l3", 8, stopped=2)])

    assert health.last_stop is not None
    assert health.last_stop.node.key == "root"
    assert health.deepest is not None
    assert (health.deepest.node.key, health.deepest.reached) == ("l3", 8)
    assert health.applications == 20


def test_no_end_is_named_where_nobody_stopped() -> None:
    assert examine(LADDER, [seen("root", 20)]).last_stop is None


# --- order


def test_deeper_probe_with_more_passes_is_out_of_order() -> None:
    (found,) = examine(LADDER, [seen("root", 20, 30), seen("l2", 18, 9), seen("l3", 12, 14)]).inversions

    assert (found.deeper.node.key, found.shallower.node.key, found.aim) == ("l3", "l2", None)


def test_a_higher_share_alone_is_no_disorder() -> None:
    """Who comes to level 3 has passed level 2: 14 of 14 after 20 of 40 is how a ladder should look."""
    health = examine(LADDER, [seen("l2", 20, 20), seen("l3", 10, 14)])

    assert health.inversions == ()


def test_the_one_with_fewest_passes_is_named() -> None:
    (found,) = examine(LADDER, [seen("root", 20, 10), seen("l2", 18, 12), seen("l3", 12, 14)]).inversions[1:]

    assert (found.deeper.node.key, found.shallower.node.key) == ("l3", "root")


def test_figures_over_unlike_times_are_not_compared() -> None:
    """Level 2 was worded anew last month: its few passes say nothing beside a year of level 3."""
    assert examine(LADDER, [seen("l2", 5, 4), seen("l3", 40, 30)]).inversions == ()


def test_probes_of_one_level_are_not_compared() -> None:
    assert examine(LADDER, [seen("l2", 20, 5), seen("l2-again", 10, 12)]).inversions == ()


def test_difficulty_tells_order_once_it_is_known() -> None:
    shallow = seen("l2", 20, 20, difficulty={Aim.DEPTH: (0.9, 0.2), Aim.WHY: (0.1, 0.2)})
    deep = seen("l3", 10, 5, difficulty={Aim.DEPTH: (0.1, 0.2), Aim.WHY: (0.0, 0.2)})

    (found,) = examine(LADDER, [shallow, deep]).inversions

    assert (found.deeper.node.key, found.shallower.node.key, found.aim) == ("l3", "l2", Aim.DEPTH)


def test_difficulties_within_their_errors_are_no_disorder() -> None:
    shallow = seen("l2", 20, 20, difficulty={Aim.DEPTH: (0.9, 0.4)})
    deep = seen("l3", 10, 5, difficulty={Aim.DEPTH: (0.1, 0.4)})

    assert examine(LADDER, [shallow, deep]).inversions == ()


# --- leak, trial


@pytest.mark.parametrize(
    ("own", "follow_ups", "alarm"),
    [
        (18, 1, True),
        (18, -4, True),
        (15, 7, True),
        (14.9, 0, False),  # within what comes and goes
        (18, 12, False),  # people have become better at all of it
        (-20, 0, False),
        (0, 0, False),
    ],
)
def test_leak_alarm_needs_a_rise_that_the_follow_ups_do_not_share(own: float, follow_ups: float, alarm: bool) -> None:
    health = examine(LADDER, [seen("l2", 20, 15, leak=Leak(own, follow_ups))])

    assert bool(health.leaks) is alarm
    assert health.alarms == int(alarm)


@pytest.mark.parametrize(("error", "alarm"), [(9.0, True), (9.3, False)])
def test_leak_alarm_needs_a_rise_beyond_chance(error: float, alarm: bool) -> None:
    health = examine(LADDER, [seen("l2", 20, 15, leak=Leak(18, 0, error))])

    assert bool(health.leaks) is alarm


@pytest.mark.parametrize(("asked", "marks", "over"), [(5, 30, True), (5, 29, False), (4, 60, False)])
def test_trial_is_over_after_thirty_marks_of_five_applications(asked: int, marks: int, over: bool) -> None:
    outcomes = {SUSTAINED: marks - 10, BranchOutcome.PARTIAL: 10}

    assert [one.node.key for one in examine(LADDER, [seen("l3", asked, outcomes=outcomes)]).promotable] == (
        ["l3"] if over else []
    )


def test_scored_probe_is_not_promoted() -> None:
    assert examine(LADDER, [seen("l2", 50, 90)]).promotable == ()
