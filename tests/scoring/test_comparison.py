"""What a comparison says of values and intervals: never an order where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.queries.comparison import TreeColumn
from scoring.reports import overlap
from scoring.reports.comparison import Entry, Line, draw, gaps_of, lines, reference_intervals
from scoring.reports.comparison_json import line_json
from scoring.reports.comparison_plot import bar
from scoring.reports.floors import floor_of
from scoring.reports.sorting import COLUMNS, Order, in_order, read_order
from scoring.rules.intervals import Interval, Relation, calibrated, relation

pytestmark = pytest.mark.unit

TREES = [TreeColumn(7, "zero", ("ZeRO", "en"), 1, ("Training", "en"))]
RATER = {"floor": 3, "ceiling": 4, "at_least": False, "ended": "wrong", "excluded": False}


def dimension(value: float | None = 2.0, interval: tuple[float, float] | None = None, **fields: Any) -> dict[str, Any]:
    return {
        "value": value,
        "missing": None if value is not None else "not_enough_evidence",
        "lowest": None if value is None else value - 0.5,
        "highest": None if value is None else value + 0.5,
        "raters": 2,
        "independent_raters": 3,
        "provisional": False,
        "calibrated": dict(zip(("value", "low", "high"), (value, *interval), strict=True)) if interval else None,
        "calibrated_missing": None if interval else "no_calibration_run",
    } | fields


def content(**aims: dict[str, Any]) -> dict[str, Any]:
    return {
        "raters": [{"person": 1}, {"person": 2}, {"person": 3}],
        "dimensions": {aim: aims.get(aim, dimension()) for aim in ("depth", "why", "hands_on")},
        "trees": [{"tree": 7, "asked": True, "raters": [RATER]}],
        "breadth": {"count": 1},
        "not_covered": [],
        "recommendations": {"counts": {"no": 1, "strong_yes": 2}},
    }


def entry(name: str, **aims: dict[str, Any]) -> Entry:
    return Entry(name.lower(), name, readable=True, content=content(**aims))


def deep(name: str, value: float, low: float, high: float) -> Entry:
    return entry(name, depth=dimension(value, (low, high)))


KIM = deep("Kim", 3.0, 2.5, 3.4)
PEOPLE = [deep("Abe", 1.9, 1.4, 2.4), deep("Bea", 2.7, 2.2, 3.1), KIM, deep("Cal", 3.6, 3.5, 3.8)]


def said(entries: list[Entry], reference: str) -> overlap.Statement:
    found = overlap.state(lines(entries, TREES, reference), reference_intervals(entries, reference))
    assert found is not None
    return found


# --- intervals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 1.0, Relation.BELOW),
        (0.0, 2.0, Relation.OVERLAPS),
        (2.2, 2.4, Relation.OVERLAPS),
        (3.0, 4.0, Relation.OVERLAPS),
        (3.1, 4.0, Relation.ABOVE),
    ],
    ids=["below", "touches below", "inside", "touches above", "above"],
)
def test_intervals_that_touch_overlap(low: float, high: float, expected: Relation) -> None:
    assert relation(Interval(low, low, high), Interval(2.5, 2.0, 3.0)) == expected


def test_nothing_is_said_of_a_value_without_an_interval() -> None:
    raw = calibrated(dimension(3.9))

    assert raw is None
    assert relation(raw, Interval(1, 0.5, 1.5)) is None
    assert relation(Interval(1, 0.5, 1.5), raw) is None


# --- words ------------------------------------------------------------------------------------------------------------


def test_overlap_is_said_by_name_for_each_dimension() -> None:
    statement = said(PEOPLE, "kim")

    assert statement.head == "Some intervals overlap that of Kim. Overlapping intervals do not order people."
    assert statement.by_aim[0] == ("Depth", "Overlaps Kim: Bea. Above: Cal. Below: Abe.")
    assert statement.by_aim[1] == ("Why", "No interval for Kim, so there is nothing to measure against.")


def test_of_many_only_how_many_are_said() -> None:
    many = [deep(f"Person {number}", 3.0, 2.6, 3.2) for number in range(9)]

    statement = said([KIM, *many], "kim")

    assert statement.head.startswith("Every interval overlaps that of Kim.")
    assert statement.by_aim[0][1] == "Overlaps Kim: 9. Above: none. Below: none."


def test_who_has_no_interval_is_named_apart() -> None:
    statement = said([KIM, entry("Raw", depth=dimension(4.0)), deep("Cal", 3.6, 3.5, 3.8)], "kim")

    assert statement.head == "No interval overlaps that of Kim."
    assert statement.by_aim[0][1].endswith("Above: Cal. Below: none. Without an interval: Raw.")


def test_without_any_interval_the_page_says_so_and_compares_nobody() -> None:
    low, high = entry("Low", depth=dimension(0.5)), entry("High", depth=dimension(4.0))

    statement = said([low, high], "low")

    assert statement.head.startswith("No calibrated value, so no 95% interval")
    assert statement.by_aim == ()
    assert all(cell.relation is None and cell.raw for line in lines([low, high], TREES, "low") for cell in line.cells)


def test_nothing_is_said_of_one_alone() -> None:
    alone = [KIM, Entry("x", "X", readable=False, content=None)]

    assert overlap.state(lines(alone, TREES, "kim"), reference_intervals(alone, "kim")) is None


# --- a line -----------------------------------------------------------------------------------------------------------


def test_a_sealed_line_holds_nothing_but_its_name() -> None:
    (line,) = lines([Entry("x", "X", readable=False, content=None)], TREES, "x")

    assert (line.state, line.cells, line.floors, line.recommendations, line.reference) == ("sealed", (), (), "", False)
    assert line_json(line, TREES) == {"application": "x", "name": "X", "state": "sealed"}


def test_a_line_says_values_floors_and_recommendations() -> None:
    one = entry("Kim", depth=dimension(3.0, (2.5, 3.4)), why=dimension(None))

    (line,) = lines([one], TREES)

    depth, why, hands_on = line.cells
    assert (depth.figure, depth.spread, depth.raw) == ("3.0", "2.5 to 3.4", False)
    assert (why.figure, why.note) == ("", "not enough evidence")
    assert (hands_on.figure, hands_on.spread, hands_on.raw) == ("2.0", "1.5 to 2.5", True)
    assert [floor.text for floor in line.floors] == ["3"]
    assert line.recommendations == "Strong yes 2, No 1"


def test_gaps_are_gathered_by_tree() -> None:
    gaps = gaps_of(
        {
            "not_covered": [
                {"kind": "not_enough_evidence", "aim": "why"},
                {"kind": "not_judged", "tree": 7, "probe": "a", "asked": "1", "level": 1},
                {"kind": "aim_not_asked", "tree": 7, "aim": "why"},
                {"kind": "not_judged", "tree": 7, "probe": "b", "asked": "2", "level": 2},
            ]
        },
        {7: TREES[0]},
    )

    assert [(gap.head, gap.texts) for gap in gaps] == [
        ("ZeRO", ("Why not asked", "2 questions not judged")),
        ("Why", ("not enough evidence",)),
    ]


@pytest.mark.parametrize(
    ("raters", "asked", "expected"),
    [
        ([], False, "not asked"),
        ([], True, "not judged"),
        ([RATER], True, "3"),
        ([RATER | {"floor": None}], True, "not judged"),
        ([RATER, RATER | {"floor": 4, "at_least": True, "ended": "time"}], True, "3 to at least 4"),
        ([RATER | {"floor": 5, "at_least": True, "ended": "top_of_tree"}], True, "5, top"),
        ([RATER, RATER | {"floor": 1}], True, "1 to 3, disagree"),
        ([RATER | {"excluded": True, "ended": "not_expected"}], True, "not expected"),
    ],
    ids=["not asked", "unheard", "one", "no floor", "range", "top", "disagree", "not expected"],
)
def test_floors_in_words(raters: list[dict[str, Any]], asked: bool, expected: str) -> None:
    assert floor_of({"tree": 7, "asked": asked, "raters": raters}).text == expected


def test_a_tree_the_card_does_not_have_was_not_asked() -> None:
    assert floor_of(None).text == "not asked"


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_an_interval_has_caps_and_a_raw_value_has_none() -> None:
    interval = bar(dimension(2.0, (1.0, 3.0)), start=0, unit=10, y=8)
    raw = bar(dimension(2.0), start=0, unit=10, y=8)

    assert (interval.range_path, interval.dot_x, interval.raw_path) == ("M10 8H30", "20", "")
    assert interval.cap_path == "M10 4v8M30 4v8"
    assert (raw.range_path, raw.cap_path, raw.thin_path) == ("", "", "M15 8H25")
    assert raw.raw_path.startswith("M20 3")


def test_all_stand_on_one_axis_with_a_band_for_the_reference() -> None:
    plot = draw(lines(PEOPLE, TREES, "kim"), reference_intervals(PEOPLE, "kim"))

    assert plot.panels[0].band == ("345", "55.8")
    assert plot.panels[1].band is None
    assert [row.places[0].bar.range_path.partition("H")[0] for row in plot.rows] == [
        "M276.8 56",
        "M326.4 100",
        "M345 144",
        "M407 188",
    ]
    assert [row.strong for row in plot.rows] == [False, False, True, False]
    assert [row.places[0].under for row in plot.rows] == [
        "raw 1.9, below",
        "raw 2.7, overlaps",
        "raw 3.0",
        "raw 3.6, above",
    ]


# --- order ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*COLUMNS, *(f"-{column}" for column in COLUMNS)])
def test_nothing_is_sorted_where_something_is_sealed(text: str) -> None:
    assert read_order(text, sortable=False) == Order()
    assert read_order(text, sortable=True).code == text


@pytest.mark.parametrize("text", ["", "name", "--depth", "depth;", "-"])
def test_an_unknown_column_is_the_neutral_order(text: str) -> None:
    assert read_order(text, sortable=True) == Order()


def test_lines_sort_by_a_column_and_who_has_no_value_comes_last_either_way() -> None:
    found = lines([entry("None", depth=dimension(None)), *PEOPLE, entry("Raw", depth=dimension(4.0))], TREES)

    def names(order: Order) -> list[str]:
        return [line.name for line in in_order(found, order)]

    # A raw value is no calibrated one: the highest figure of all stands behind them.
    assert names(Order("depth", descending=True)) == ["Cal", "Kim", "Bea", "Abe", "None", "Raw"]
    assert names(Order("depth")) == ["Abe", "Bea", "Kim", "Cal", "None", "Raw"]
    assert names(Order()) == ["None", "Abe", "Bea", "Kim", "Cal", "Raw"]


def test_raw_values_sort_where_nobody_is_calibrated() -> None:
    found: list[Line] = lines([entry("Low", depth=dimension(1.0)), entry("High", depth=dimension(3.0))], TREES)

    assert [line.name for line in in_order(found, Order("depth", descending=True))] == ["High", "Low"]


def test_a_head_turns_the_order_round() -> None:
    first = Order().turned("why")
    again = first.turned("why")

    assert (first.code, again.code, again.turned("why").code) == ("-why", "why", "-why")
    assert (first.aria("why"), again.aria("why"), first.aria("depth")) == ("descending", "ascending", "none")
