"""The drawings of values and boundaries: where things stand, and that the words beside them say the same."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

from scoring.reports import boundary_map, dimensions
from scoring.reports.levels import Scale, draw
from scoring.reports.sentences import reached, reading_of, remarks, whole
from scoring.rules import compile_panel
from tests.support.panel_inputs import ANA, BO, CHEN, mark, panel, rater, revision, tree

pytestmark = pytest.mark.unit

SCALE = Scale(start=0, first=10, step=10)
NAMES = {ANA: "Ana", BO: "Bo", CHEN: "Chen"}
LETTERS = {ANA: "A", BO: "B", CHEN: "C"}
NOTHING: dict[str, Any] = {
    "floor": None,
    "ceiling": None,
    "firm": False,
    "gaps": [],
    "out_of_order": [],
    "ended": None,
    "at_least": False,
    "excluded": False,
    "problem": None,
    "override": None,
}


@pytest.fixture(autouse=True)
def _in_english() -> Any:
    with translation.override("en"):
        yield


def boundary(**fields: Any) -> dict[str, Any]:
    return NOTHING | fields


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (boundary(floor=3, ceiling=4, ended="wrong"), "Floor 3, ceiling 4. Wrong."),
        (boundary(floor=0, ceiling=1, ended="no_answer"), "Floor 0, ceiling 1. No answer."),
        (boundary(floor=3, ended="time", at_least=True), "At least 3. Time ran out."),
        (boundary(floor=2), "Floor 2, no ceiling."),
        (boundary(ended="time"), "No floor: nothing passed or missed. Time ran out."),
        (boundary(excluded=True, ended="not_expected"), "Not expected: has not met it."),
        (boundary(excluded=True, ended="not_asked"), "Not asked."),
    ],
)
def test_a_boundary_is_said_in_words(found: dict[str, Any], said: str) -> None:
    assert whole(found) == said


def test_what_else_must_be_said_is_said() -> None:
    found = boundary(
        floor=1,
        ceiling=4,
        firm=True,
        gaps=[2, 3],
        out_of_order=[
            {"level": 5, "credit": "pass", "ask_again": 4},
            {"level": 1, "credit": "miss", "ask_again": 1},
        ],
        problem="needs_miss",
        override={"floor": 2, "ceiling": None},
    )

    assert remarks(found) == [
        "Levels 2, 3 not judged.",
        "Level 5 passed above the ceiling: ask level 4 again.",
        "Level 1 missed below the floor: ask it again.",
        "Missed despite help.",
        "The ending needs a miss, and none is marked.",
        "Set by hand, beside the marks: floor 2.",
    ]
    assert reached(boundary(excluded=True, ended="not_asked")) == "not asked"


def test_capped_ratings_say_what_was_given() -> None:
    rows = [
        {"given": 3, "counts": 3, "caps": []},
        {"given": 4, "counts": 1, "caps": ["told", "recited"]},
    ]

    assert reading_of(rows) == "2 probes. One counts as 1: told the answer, marked recited, given 4."


def test_floor_ceiling_and_thin_line_are_drawn() -> None:
    drawing = draw(boundary(floor=2, ceiling=4), SCALE, 8, dot=4)

    assert (drawing.floor_path, drawing.dot_x, drawing.ceiling_path) == ("M0 8H20", "20", "M36 4h8v8h-8z")
    assert (drawing.thin_path, drawing.gap_path, drawing.arrow_line) == ("M25.5 8H35.5", "", "")


def test_a_gap_is_dotted_and_at_least_is_an_arrow() -> None:
    gap = draw(boundary(floor=1, ceiling=3, gaps=[2]), SCALE, 8, dot=4)
    cut = draw(boundary(floor=1, at_least=True), SCALE, 8, arrow=12)

    assert (gap.thin_path, gap.gap_path) == ("", "M15.5 8H25.5")
    assert (cut.arrow_line, cut.arrow_path, cut.ceiling_path) == ("M10 8h12", "M17 3l6 5l-6 5", "")


def test_below_the_root_has_a_dot_and_no_line() -> None:
    drawing = draw(boundary(floor=0, ceiling=1), SCALE, 8)

    assert (drawing.floor_path, drawing.dot_x) == ("", "0")


@pytest.mark.parametrize("found", [boundary(), boundary(excluded=True, ended="not_expected")])
def test_nothing_known_draws_nothing(found: dict[str, Any]) -> None:
    drawing = draw(found, SCALE, 8)

    assert {drawing.floor_path, drawing.dot_x, drawing.ceiling_path, drawing.arrow_line} == {""}


def by_rater(*values: float | None) -> dict[str, Any]:
    known = [value for value in values if value is not None]
    return {
        "value": sum(known) / len(known) if known else None,
        "missing": None if known else "not_enough_evidence",
        "provisional": len(known) < 3,
        "calibrated": None,
        "calibrated_missing": "no_calibration_run",
        "by_rater": [{"person": person, "value": value} for person, value in zip(NAMES, values, strict=False)],
    }


def plot(*values: float | None) -> dimensions.Plot:
    rows = {aim: by_rater(*values) for aim in ("depth", "why", "hands_on")}
    return dimensions.draw(rows, LETTERS, NAMES, {})


def test_values_stand_on_the_scale() -> None:
    lane = plot(0, 4, 2).lanes[0]

    assert [(mark.letter, float(mark.x)) for mark in lane.letters] == [("A", 184), ("C", 392), ("B", 600)]
    assert (lane.range_path, lane.raw) == ("M184.0 60H600.0", "2.00")


def test_letters_that_would_touch_are_lifted_one_over_the_other() -> None:
    letters = plot(3.0, 3.05, 3.1).lanes[0].letters

    assert len({mark.y for mark in letters}) == 3
    assert [mark.letter for mark in letters] == ["A", "B", "C"]


def test_a_dimension_without_a_value_says_why() -> None:
    drawn = plot(None, None, None)

    assert (drawn.lanes[0].note, drawn.lanes[0].mean_path, drawn.lanes[0].letters) == ("not enough evidence", "", ())
    assert drawn.summary.startswith("Depth: not enough evidence.")
    assert drawn.rows[0].cells == ("not enough evidence",) * 3
    assert (drawn.rows[0].raw, drawn.rows[0].calibrated, drawn.rows[0].interval) == (
        "not enough evidence",
        "not yet",
        "",
    )


def test_provisional_is_said_where_there_is_a_value() -> None:
    assert [plot(*values).lanes[0].provisional for values in [(1, 2), (1, 2, 3), (None,)]] == [True, False, False]


@pytest.mark.parametrize(("shape", "dot"), [(dimensions.WIDE, "392.0"), (dimensions.NARROW, "248.0")])
def test_a_calibrated_value_stands_with_its_interval_on_the_same_axis(shape: dimensions.Shape, dot: str) -> None:
    found = {"value": 2.0, "low": 1.5, "high": 2.5}
    rows = {aim: by_rater(3, 2, 1) | {"calibrated": found} for aim in ("depth", "why", "hands_on")}

    drawn = dimensions.draw(rows, LETTERS, NAMES, {}, shape=shape)

    lane = drawn.lanes[0]
    assert lane.calibrated is not None
    assert (lane.calibrated.dot_x, lane.waits) == (dot, "")
    assert (lane.calibrated.value, lane.calibrated.interval) == ("2.00", "1.5 to 2.5")
    mean = re.match(r"M([0-9.]+) ", lane.mean_path)
    assert mean is not None
    assert mean.group(1) == dot  # raw 2.0, too
    assert drawn.summary.startswith("Depth: raw 2.00 (Ana 3.0, Bo 2.0, Chen 1.0), calibrated 2.00 (95%: 1.5 to 2.5).")
    assert (drawn.rows[0].calibrated, drawn.rows[0].interval) == ("2.00", "1.5 to 2.5")


def map_of(top: int, shape: boundary_map.Shape = boundary_map.WIDE) -> boundary_map.Map:
    marks = tuple(mark(1, f"{level}+") for level in range(1, top + 1))
    content = compile_panel(panel(rater(ANA, revision(101, *marks)), trees=(tree(1, top=top), tree(2))))
    titles = {1: ("Data-parallel training over slow networks", "en"), 2: ("数据并行训练的三个阶段与通信", "zh-Hans")}
    return boundary_map.draw_map(content["trees"], titles=titles, letters=LETTERS, names=NAMES, clashes={}, shape=shape)


SHAPES = pytest.mark.parametrize("shape", [boundary_map.WIDE, boundary_map.NARROW], ids=["wide", "narrow"])


@SHAPES
@pytest.mark.parametrize("top", [2, 5, 9])
def test_every_level_has_its_place_left_of_the_words(top: int, shape: boundary_map.Shape) -> None:
    drawn = map_of(top, shape)

    xs = [int(x) for x, _level in drawn.levels]
    assert [level for _x, level in drawn.levels] == list(range(1, max(5, top) + 1))
    assert xs == sorted(set(xs))
    arrow = float(drawn.rows[0].lanes[0].drawing.dot_x) + boundary_map.ARROW
    assert max(xs[-1], arrow) < shape.words_x < shape.width


def test_on_a_narrow_page_the_title_stands_over_its_lanes() -> None:
    row = map_of(4, boundary_map.NARROW).rows[0]

    assert row.title_y < row.lanes[0].text_y - 10
    assert row.lanes[0].sentence == "floor 4, no ceiling"
    assert len(row.short) <= boundary_map.NARROW.title_units
    assert map_of(4, boundary_map.NARROW).rows[1].nobody_y > map_of(4, boundary_map.NARROW).rows[1].title_y


def test_a_tree_nobody_was_asked_has_a_row_and_words() -> None:
    row = map_of(3).rows[1]

    assert (row.lanes, row.nobody) == ((), "not asked")


@SHAPES
def test_rows_do_not_overlap(shape: boundary_map.Shape) -> None:
    drawn = map_of(4, shape)

    assert drawn.rows[0].rule_y < drawn.rows[1].bar_y
    assert drawn.rows[0].lanes[-1].text_y < drawn.rows[0].rule_y
    assert drawn.height > drawn.rows[1].rule_y


def test_drawings_hold_numbers_only() -> None:
    """What goes into attributes of the page is made of letters of SVG and digits."""
    drawn = map_of(4)

    for row in drawn.rows:
        for lane in row.lanes:
            paths = [lane.drawing.floor_path, lane.drawing.arrow_line, lane.drawing.dot_x, row.end_path, *row.grid]
            assert all(re.fullmatch(r"[MHVhvlz0-9 .\-]*", path) for path in paths)
