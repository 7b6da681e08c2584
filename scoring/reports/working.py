"""From raw to calibrated, step by step and in words: who asked, what was asked, how little was seen. The steps add up,
in the figures shown too: each is the difference of two shown values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.labels import AIMS
from scoring.queries.panel_page import PanelNames
from scoring.reports.dimensions import missing, waits
from scoring.reports.sentences import one_decimal, signed, two_decimals
from scoring.rules.calibrated import AFTER_SEEING_OTHERS

Content = Mapping[str, Any]
HARDLY = 0.05
"""Points of the scale below which a step is called none."""


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the working: a cell for each dimension. `sum`: a value and no step."""

    label: str
    words: str
    cells: tuple[str, ...]
    sum: bool = False


@dataclass(frozen=True, slots=True)
class Working:
    """`says`: what stands over the table. `moved`: what allowing for who asked does, dimension by dimension."""

    says: str
    aims: tuple[str, ...]
    steps: tuple[Step, ...]
    moved: tuple[str, ...]


def working(content: Content, names: PanelNames, *, named: bool) -> Working:
    """`named`: the reader may know how strictly each person marks; others are told of the panel as a whole."""
    rows = [content["dimensions"][aim] for aim in AIMS]
    run = content["calibration"]
    seen = [step for row in rows if row["calibrated"] for step in row["calibrated"]["steps"]]
    steps = [
        Step(
            _("Raw"),
            _("Mean of the interviewers' values, each person once."),
            tuple(two_decimals(row["value"]) if row["value"] is not None else missing(row["missing"]) for row in rows),
            sum=True,
        ),
        *([_after_seeing_others(rows)] if any(step["step"] == AFTER_SEEING_OTHERS for step in seen) else []),
        Step(
            _("Who asked"),
            _who_asked(content, names, named=named) if run else _no_run_who(),
            _moves(rows, "who_asked"),
        ),
        Step(_("What was asked"), _what_was_asked(rows) if run else _no_run_what(), _moves(rows, "what_was_asked")),
        Step(_("How little was seen"), _how_little(rows), _moves(rows, "how_little_was_seen")),
        Step(
            _("Calibrated"),
            _("What an average interviewer would give on the position's reference set. The steps add up."),
            tuple(
                two_decimals(row["calibrated"]["value"]) if row["calibrated"] else waits(row["calibrated_missing"])
                for row in rows
            ),
            sum=True,
        ),
    ]
    return Working(
        says="" if run else _no_run(),
        aims=tuple(str(label) for label in AIMS.values()),
        steps=tuple(steps),
        moved=tuple(_allowing(content)) if run else (),
    )


def _after_seeing_others(rows: Sequence[Mapping[str, Any]]) -> Step:
    return Step(
        _("After seeing others"),
        _("What was submitted or amended after seeing others is left out: calibration rests on what each said alone."),
        _moves(rows, AFTER_SEEING_OTHERS),
    )


def _moves(rows: Sequence[Mapping[str, Any]], step: str) -> tuple[str, ...]:
    return tuple(
        signed(_shown_step(row, step)) if row["calibrated"] else waits(row["calibrated_missing"]) for row in rows
    )


def _shown_step(row: Mapping[str, Any], step: str) -> float:
    before, after = _before_and_after(row, step)
    return round(after, 2) - round(before, 2)


def _before_and_after(row: Mapping[str, Any], step: str) -> tuple[float, float]:
    """The values on both sides of a step; the same where the row has none by that name."""
    value = float(row["value"])
    for one in row["calibrated"]["steps"]:
        if one["step"] == step:
            return value, float(one["after"])
        value = float(one["after"])
    return value, value


def _step(rows: Sequence[Mapping[str, Any]], step: str) -> float:
    """The mean step over the dimensions that have one."""
    known = [_before_and_after(row, step) for row in rows if row["calibrated"]]
    return sum(after - before for before, after in known) / len(known) if known else 0.0


def _no_run() -> str:
    return _(
        "No calibration has been run yet, so there is no calibrated value and no interval. Raw values depend on who "
        "asked and what was asked; read them with that in mind."
    )


def _no_run_who() -> str:
    return _("Will allow for interviewers who mark lower or higher than others.")


def _no_run_what() -> str:
    return _("Will allow for probes that are harder or easier than the position's reference set.")


def _who_asked(content: Content, names: PanelNames, *, named: bool) -> str:
    if named:
        return " ".join(_severities(content, names))
    moves = _step([content["dimensions"][aim] for aim in AIMS], "who_asked")
    if abs(moves) < HARDLY:
        return _("This panel as a whole marks like the average interviewer.")
    words = _("This panel as a whole marks lower than the average interviewer.")
    return words if moves > 0 else _("This panel as a whole marks higher than the average interviewer.")


def _severities(content: Content, names: PanelNames) -> Iterator[str]:
    for row in content["calibration"]["severities"]:
        if row["person"] not in names.people:
            continue
        words = {
            "name": names.people[row["person"]].name,
            "points": one_decimal(abs(row["points"])),
            "count": row["interviews"],
        }
        if row["assumed"]:
            yield _("%(name)s shares too few ratings with others to tell and is taken as average.") % words
        elif abs(row["points"]) < HARDLY:
            yield _("%(name)s marks like the others.") % words
        else:
            yield _lower_or_higher(row) % words


def _lower_or_higher(row: Mapping[str, Any]) -> str:
    if row["points"] > 0:
        return ngettext(
            "%(name)s marks %(points)s lower than the others across %(count)s interview.",
            "%(name)s marks %(points)s lower than the others across %(count)s interviews.",
            row["interviews"],
        )
    return ngettext(
        "%(name)s marks %(points)s higher than the others across %(count)s interview.",
        "%(name)s marks %(points)s higher than the others across %(count)s interviews.",
        row["interviews"],
    )


def _allowing(content: Content) -> Iterator[str]:
    for aim, label in AIMS.items():
        row = content["dimensions"][aim]
        if row["calibrated"] and _shown_step(row, "who_asked"):
            before, after = _before_and_after(row, "who_asked")
            yield _("Allowing for who asked moves %(aim)s from %(before)s to %(after)s.") % {
                "aim": str(label).lower(),
                "before": two_decimals(before),
                "after": two_decimals(after),
            }


def _what_was_asked(rows: Sequence[Mapping[str, Any]]) -> str:
    moves = _step(rows, "what_was_asked")
    if abs(moves) < HARDLY:
        return _("The probes were about as hard as the position's reference set.")
    if moves > 0:
        return _("The probes were harder than the position's reference set.")
    return _("The probes were easier than the position's reference set.")


def _how_little(rows: Sequence[Mapping[str, Any]]) -> str:
    """Of the ratings that went in; where there is no calibrated value, of those that are on the card."""
    counts = [
        ngettext("%(count)s rating of %(aim)s", "%(count)s ratings of %(aim)s", count)
        % {"count": count, "aim": str(label).lower()}
        for label, row in zip(AIMS.values(), rows, strict=True)
        for count in [_ratings_of(row)]
    ]
    return _("%(counts)s. The fewer, the closer to the average candidate.") % {"counts": _(", ").join(counts)}


def _ratings_of(row: Mapping[str, Any]) -> int:
    if row["calibrated"]:
        return int(row["calibrated"]["ratings"])
    return sum(len(rater["ratings"]) for rater in row["by_rater"])
