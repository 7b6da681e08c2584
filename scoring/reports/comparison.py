"""People side by side, in words and drawings: what may be said about their order, and what may not.

An order is never said: intervals that overlap are said to overlap, and a value without an interval is compared with
nobody's. The same for a position's candidates and for one candidate's applications.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from scoring.enums import Recommendation
from scoring.labels import AIMS, DECISIONS, RECOMMENDATIONS
from scoring.queries.comparison import TreeColumn
from scoring.reports import comparison_plot
from scoring.reports.comparison_plot import CELL_BAR, Bar, Plot, Said, Subject
from scoring.reports.floors import Floor, floor_of
from scoring.reports.sentences import one_decimal
from scoring.rules.intervals import Interval, Relation, calibrated, relation

Content = Mapping[str, Any]
BEST_FIRST = (
    Recommendation.STRONG_YES,
    Recommendation.YES,
    Recommendation.NO,
    Recommendation.STRONG_NO,
    Recommendation.NO_DECISION,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """Who is compared: a candidate, or an application of one. `content`: a panel card's, None where there is none to
    be read; then `readable` says whether that is the seal. `decision`: what was decided last, only where readable."""

    code: str
    name: str
    readable: bool
    content: Content | None
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One dimension. `figure` and `spread` (interval, or lowest to highest where it is raw); `note` where none is.

    `aside`: the spread as it stands behind the figure. `said`: how the interval lies to the reference's, in a word.
    `beside`: the raw value of a calibrated one, in words.
    """

    bar: Bar
    figure: str = ""
    spread: str = ""
    aside: str = ""
    raw: bool = False
    provisional: bool = False
    relation: Relation | None = None
    said: str = ""
    note: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """What was not covered, under a tree's title (with its language) or a dimension's name."""

    head: str
    lang: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table. Words are empty where nothing may be or can be read; `state` says why."""

    code: str
    name: str
    state: str
    reference: bool
    readable: bool
    content: Content | None
    raters: str
    cells: tuple[Cell, ...]
    floors: tuple[Floor, ...]
    breadth: int
    gap_count: int
    recommendations: str
    decision: str | None

    @property
    def decided(self) -> str:
        return str(DECISIONS[self.decision]) if self.decision else ""


def lines(entries: Sequence[Entry], trees: Sequence[TreeColumn], reference: str = "") -> list[Line]:
    """Draw each entry; `reference` is the code of the one that the others are measured against."""
    against = reference_intervals(entries, reference)
    return [_line(entry, trees, against, reference) for entry in entries]


def reference_intervals(entries: Sequence[Entry], reference: str) -> dict[str, Interval | None]:
    """Return the reference's interval by dimension; None where it has none."""
    content = next((entry.content for entry in entries if entry.code == reference), None)
    return {aim: calibrated(content["dimensions"][aim]) if content else None for aim in AIMS}


def _line(entry: Entry, trees: Sequence[TreeColumn], against: Mapping[str, Interval | None], reference: str) -> Line:
    content = entry.content
    is_reference = entry.code == reference
    if content is None:
        return Line(
            code=entry.code,
            name=entry.name,
            state=_("no card yet") if entry.readable else _("sealed"),
            reference=False,
            readable=entry.readable,
            content=None,
            raters="",
            cells=(),
            floors=(),
            breadth=0,
            gap_count=0,
            recommendations="",
            decision=entry.decision,
        )
    rows = {tree["tree"]: tree for tree in content["trees"]}
    measured = dict.fromkeys(AIMS) if is_reference else against
    return Line(
        code=entry.code,
        name=entry.name,
        state="",
        reference=is_reference,
        readable=True,
        content=content,
        raters=raters_of(content),
        cells=tuple(_cell(content["dimensions"][aim], measured[aim]) for aim in AIMS),
        floors=tuple(floor_of(rows.get(tree.pk)) for tree in trees),
        breadth=content["breadth"]["count"],
        gap_count=len(content["not_covered"]),
        recommendations=recommendations_of(content),
        decision=entry.decision,
    )


def _cell(dimension: Mapping[str, Any], against: Interval | None) -> Cell:
    interval = calibrated(dimension)
    drawn = comparison_plot.bar(dimension, **CELL_BAR)
    if interval:
        lies = relation(interval, against)
        spread = _spread(get_language(), one_decimal(interval.low), one_decimal(interval.high))
        return Cell(
            drawn,
            one_decimal(interval.value),
            spread,
            f"({spread})",
            provisional=dimension["provisional"],
            relation=lies,
            said=_word(get_language(), lies) if lies else "",
            beside=_raw_beside(get_language(), dimension["value"]),
        )
    if dimension["value"] is None:
        none = {"not_enough_evidence": _("not enough evidence"), "no_raters": _("no card yet")}
        return Cell(drawn, note=none[dimension["missing"]])
    low, high = (one_decimal(dimension[name]) for name in ("lowest", "highest"))
    spread = _spread(get_language(), low, high) if dimension["raters"] > 1 else ""
    return Cell(
        drawn,
        one_decimal(dimension["value"]),
        spread,
        _raw(get_language(), spread),
        raw=True,
        provisional=dimension["provisional"],
    )


# Two hundred people are told apart by a few dozen words: each is put together once for a language, not once a cell.


@lru_cache(maxsize=4096)
def _spread(_language: str | None, low: str, high: str) -> str:
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


@lru_cache(maxsize=4096)
def _raw_beside(_language: str | None, value: float | None) -> str:
    return _("raw %(value)s") % {"value": one_decimal(value)} if value is not None else ""


@lru_cache(maxsize=4096)
def _raw(_language: str | None, spread: str) -> str:
    return f"{_('raw')}{pgettext('clause', ', ')}{spread}" if spread else _("raw")


@lru_cache(maxsize=64)
def _word(_language: str | None, lies: Relation) -> str:
    return {Relation.OVERLAPS: _("overlaps"), Relation.ABOVE: _("above"), Relation.BELOW: _("below")}[lies]


def raters_of(content: Content) -> str:
    """How many judged, and whether all their values are provisional."""
    given = [row for row in content["dimensions"].values() if row["value"] is not None]
    provisional = bool(given) and all(row["provisional"] for row in given)
    return _raters(get_language(), len(content["raters"]), provisional)


@lru_cache(maxsize=256)
def _raters(_language: str | None, count: int, provisional: bool) -> str:
    if provisional:
        return _("%(count)s, provisional") % {"count": count}
    return ngettext("%(count)s interviewer", "%(count)s interviewers", count) % {"count": count}


def recommendations_of(content: Content) -> str:
    counts = content["recommendations"]["counts"]
    return _recommendations(get_language(), tuple((word, counts[word]) for word in BEST_FIRST if word in counts))


@lru_cache(maxsize=1024)
def _recommendations(_language: str | None, counts: tuple[tuple[str, int], ...]) -> str:
    return _(", ").join(f"{RECOMMENDATIONS[word]} {count}" for word, count in counts)


def gaps_of(content: Content, trees: Mapping[int, TreeColumn]) -> tuple[Gap, ...]:
    """What was not covered, gathered by tree; dimensions without enough evidence last."""
    found = sorted(content["not_covered"], key=lambda row: row.get("tree", 0))
    gathered = []
    for tree, group in groupby(found, key=lambda row: row.get("tree", 0)):
        rows = list(group)
        if not tree:
            gathered += [Gap(str(AIMS[row["aim"]]), "", (_("not enough evidence"),)) for row in rows]
        elif tree in trees:
            head, lang = trees[tree].words
            gathered.append(Gap(head, lang, tuple(_gap_words(rows))))
    return tuple(sorted(gathered, key=lambda gap: not gap.lang))


def _gap_words(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    said = []
    if any(row["kind"] == "tree_not_asked" for row in rows):
        said.append(_("not asked"))
    said += [_("%(aim)s not asked") % {"aim": AIMS[row["aim"]]} for row in rows if row["kind"] == "aim_not_asked"]
    said += [_("%(aim)s not rated") % {"aim": AIMS[row["aim"]]} for row in rows if row["kind"] == "aim_not_rated"]
    if unheard := sum(row["kind"] == "not_judged" for row in rows):
        said.append(
            ngettext("%(count)s question not judged", "%(count)s questions not judged", unheard) % {"count": unheard}
        )
    return said


def draw(found: Sequence[Line], against: Mapping[str, Interval | None]) -> Plot:
    """Draw the figure of a few on one axis for each dimension, with a band for the reference's interval."""
    subjects = [
        Subject(
            name=line.name,
            under=line.raters or line.state,
            strong=line.reference,
            dimensions=line.content["dimensions"] if line.content else None,
            said=[_beside(cell) for cell in line.cells] or [Said(note=line.state)] * len(AIMS),
        )
        for line in found
    ]
    return comparison_plot.draw(subjects, against)


def _beside(cell: Cell) -> Said:
    if cell.note:
        return Said(note=cell.note)
    words = [_("raw") if cell.raw else cell.beside, cell.said, _("provisional") if cell.provisional else ""]
    return Said(figure=cell.figure, under=_(", ").join(word for word in words if word))
