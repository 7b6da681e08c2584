"""The map of every rater's boundary on every tree: a lane each, in a drawing, in words and in a table.

Two shapes of it: a wide one with a sentence beside each lane, and one for narrow pages with the title above its lanes
and the fewest words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from people.drawing import fit
from scoring.reports.levels import LevelDrawing, Scale, draw
from scoring.reports.sentences import reached, remarks, whole

LANE, PAD, TOP = 20, 10, 34
ARROW = 26


@dataclass(frozen=True, slots=True)
class Shape:
    """`first`: x of level 1; `room`: the width that all levels share, `step` at most each. `*_units`: what fits, a
    wide character takes two. `over`: the title stands over its lanes, and they say the least."""

    width: int
    letter_x: int
    start: int
    first: int
    room: int
    step: int
    words_x: int
    title_x: int
    title_units: int
    words_units: int
    over: bool = False


WIDE = Shape(
    width=1184, letter_x=250, start=268, first=346, room=312, step=78, words_x=712, title_x=12, title_units=33,
    words_units=68,
)  # fmt: skip
NARROW = Shape(
    width=388, letter_x=18, start=30, first=66, room=168, step=42, words_x=276, title_x=12, title_units=52,
    words_units=19, over=True,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lane:
    person: int
    letter: str
    name: str
    text_y: int
    drawing: LevelDrawing
    sentence: str
    remarks: tuple[str, ...]
    floor: str
    ceiling: str


@dataclass(frozen=True, slots=True)
class TreeRow:
    title: str
    short: str
    lang: str
    title_y: int
    clash: str
    clash_y: int
    bar_height: int
    bar_y: int
    nobody_y: int
    rule_y: int
    grid: tuple[str, ...]
    end_path: str
    nobody: str
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Map:
    shape: Shape
    height: int
    levels: tuple[tuple[str, int], ...]
    rows: tuple[TreeRow, ...]


@dataclass(frozen=True, slots=True)
class _Names:
    titles: Mapping[int, tuple[str, str]]
    letters: Mapping[int, str]
    names: Mapping[int, str]


def draw_map(
    trees: Sequence[Mapping[str, Any]],
    *,
    titles: Mapping[int, tuple[str, str]],
    letters: Mapping[int, str],
    names: Mapping[int, str],
    clashes: Mapping[int, str],
    shape: Shape = WIDE,
) -> Map:
    """`trees`: a panel card's. `titles`: tree -> (words, language). `clashes`: tree -> words, where floors differ."""
    deepest = max([5, *(level for tree in trees for level in _levels(tree))])
    scale = Scale(start=shape.start, first=shape.first, step=min(float(shape.step), shape.room / (deepest - 1)))
    known = _Names(titles, letters, names)
    rows, y = [], TOP
    for tree in trees:
        row = _row(tree, y, scale, known, clashes.get(tree["tree"], ""), shape)
        rows.append(row)
        y = row.rule_y + 6
    return Map(
        shape=shape,
        height=y + 2,
        levels=tuple((f"{scale.x(level):.0f}", level) for level in range(1, deepest + 1)),
        rows=tuple(rows),
    )


def _levels(tree: Mapping[str, Any]) -> list[int]:
    return [tree["top_level"], *(row[name] for row in tree["raters"] for name in ("floor", "ceiling") if row[name])]


def _row(tree: Mapping[str, Any], y: int, scale: Scale, known: _Names, clash: str, shape: Shape) -> TreeRow:
    raters = [row for row in tree["raters"] if not row["excluded"]]
    excluded = [row for row in tree["raters"] if row["excluded"]]
    head = (2 if clash else 1) * LANE if shape.over else 0
    lanes = tuple(_lane(row, y + PAD + head + LANE * place, scale, known, shape) for place, row in enumerate(raters))
    height = head + max(1, len(lanes), 2 if clash and not shape.over else 1) * LANE
    title, lang = known.titles[tree["tree"]]
    top, above = scale.x(tree["top_level"]) + 14, y + head
    return TreeRow(
        title=title,
        short=fit(title, shape.title_units),
        lang=lang,
        title_y=y + PAD + 4,
        clash=clash,
        clash_y=y + PAD + 22,
        bar_height=height + 4,
        bar_y=y,
        nobody_y=y + PAD + head + 4,
        rule_y=y + height + PAD,
        grid=tuple(f"M{scale.x(level):.0f} {above}V{y + height + 4}" for level in range(1, tree["top_level"] + 1)),
        end_path=f"M{top:.0f} {above + 2}V{y + height + 2}" if tree["top_level"] else "",
        nobody="" if raters else _nobody(tree, excluded),
        lanes=lanes,
    )


def _nobody(tree: Mapping[str, Any], excluded: Sequence[Mapping[str, Any]]) -> str:
    if excluded:
        return whole(excluded[0])
    return _("asked, judged by nobody") if tree["asked"] else _("not asked")


def _lane(row: Mapping[str, Any], y: int, scale: Scale, known: _Names, shape: Shape) -> Lane:
    said, extra = whole(row), remarks(row)
    name = known.names[row["person"]]
    words = reached(row) if shape.over else _(": ").join((name, " ".join([said, *extra])))
    return Lane(
        person=row["person"],
        letter=known.letters[row["person"]],
        name=name,
        text_y=y + 4,
        drawing=draw(row, scale, y, arrow=min(ARROW, scale.step * 2 / 3)),
        sentence=fit(words, shape.words_units),
        remarks=(said, *extra),
        floor="" if row["floor"] is None else str(row["floor"]),
        ceiling=_ceiling(row),
    )


def _ceiling(row: Mapping[str, Any]) -> str:
    if row["ceiling"] is not None:
        return str(row["ceiling"])
    return _("at least %(floor)s") % {"floor": row["floor"]} if row["at_least"] else ""
