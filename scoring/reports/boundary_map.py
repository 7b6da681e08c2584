"""The map of every rater's boundary on every tree: a lane each, in a drawing, in words and in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from people.drawing import fit
from scoring.reports.levels import LevelDrawing, Scale, draw
from scoring.reports.sentences import remarks, whole

LANE, PAD, TOP = 20, 10, 34
FIRST, ROOM = 346, 312  # x of level 1, and the width all levels share
TITLE_UNITS, SENTENCE_UNITS = 33, 68  # what fits; a wide character takes two


@dataclass(frozen=True, slots=True)
class Lane:
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
    rule_y: int
    grid: tuple[str, ...]
    end_path: str
    nobody: str
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Map:
    height: int
    levels: tuple[tuple[str, int], ...]
    rows: tuple[TreeRow, ...]


def draw_map(
    trees: Sequence[Mapping[str, Any]],
    *,
    titles: Mapping[int, tuple[str, str]],
    letters: Mapping[int, str],
    names: Mapping[int, str],
    clashes: Mapping[int, str],
) -> Map:
    """`trees`: a panel card's. `titles`: tree -> (words, language). `clashes`: tree -> words, where floors differ."""
    deepest = max([5, *(level for tree in trees for level in _levels(tree))])
    step = min(78.0, ROOM / (deepest - 1))
    scale = Scale(start=268, first=FIRST, step=step)
    rows, y = [], TOP
    for tree in trees:
        row = _row(tree, y, scale, titles, letters, names, clashes.get(tree["tree"], ""))
        rows.append(row)
        y = row.rule_y + 6
    return Map(
        height=y + 2,
        levels=tuple((f"{scale.x(level):.0f}", level) for level in range(1, deepest + 1)),
        rows=tuple(rows),
    )


def _levels(tree: Mapping[str, Any]) -> list[int]:
    return [tree["top_level"], *(row[name] for row in tree["raters"] for name in ("floor", "ceiling") if row[name])]


def _row(
    tree: Mapping[str, Any],
    y: int,
    scale: Scale,
    titles: Mapping[int, tuple[str, str]],
    letters: Mapping[int, str],
    names: Mapping[int, str],
    clash: str,
) -> TreeRow:
    raters = [row for row in tree["raters"] if not row["excluded"]]
    excluded = [row for row in tree["raters"] if row["excluded"]]
    lanes = tuple(
        _lane(row, y + PAD + LANE * place, scale, letters[row["person"]], names[row["person"]])
        for place, row in enumerate(raters)
    )
    height = max(1, len(lanes), 2 if clash else 1) * LANE
    title, lang = titles[tree["tree"]]
    top = scale.x(tree["top_level"]) + 14
    return TreeRow(
        title=title,
        short=fit(title, TITLE_UNITS),
        lang=lang,
        title_y=y + PAD + 4,
        clash=clash,
        clash_y=y + PAD + 22,
        bar_height=height + 4,
        bar_y=y,
        rule_y=y + height + PAD,
        grid=tuple(f"M{scale.x(level):.0f} {y}V{y + height + 4}" for level in range(1, tree["top_level"] + 1)),
        end_path=f"M{top:.0f} {y + 2}V{y + height + 2}" if tree["top_level"] else "",
        nobody="" if raters else _nobody(tree, excluded),
        lanes=lanes,
    )


def _nobody(tree: Mapping[str, Any], excluded: Sequence[Mapping[str, Any]]) -> str:
    if excluded:
        return whole(excluded[0])
    return _("asked, judged by nobody") if tree["asked"] else _("not asked")


def _lane(row: Mapping[str, Any], y: int, scale: Scale, letter: str, name: str) -> Lane:
    said = whole(row)
    extra = remarks(row)
    return Lane(
        letter=letter,
        name=name,
        text_y=y + 4,
        drawing=draw(row, scale, y),
        sentence=fit(_(": ").join((name, " ".join([said, *extra]))), SENTENCE_UNITS),
        remarks=(said, *extra),
        floor="" if row["floor"] is None else str(row["floor"]),
        ceiling=_ceiling(row),
    )


def _ceiling(row: Mapping[str, Any]) -> str:
    if row["ceiling"] is not None:
        return str(row["ceiling"])
    return _("at least %(floor)s") % {"floor": row["floor"]} if row["at_least"] else ""
