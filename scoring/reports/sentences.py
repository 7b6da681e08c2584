"""Boundaries and ratings in words: what a drawing shows is also said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from interviews.rules.boundaries import Problem
from scoring.labels import CAPS, ENDED

# A boundary here is its content (scoring.rules.boundary_content), as kept in panel cards.
Boundary = Mapping[str, Any]


def reached(found: Boundary) -> str:
    """How deep the person went: "floor 3, ceiling 4", "at least 4", "not asked"."""
    if found["excluded"]:
        return _("not expected") if found["ended"] == "not_expected" else _("not asked")
    if found["floor"] is None:
        return _("no floor: nothing passed or missed")
    if found["at_least"]:
        return _("at least %(floor)s") % {"floor": found["floor"]}
    if found["ceiling"] is None:
        return _("floor %(floor)s, no ceiling") % {"floor": found["floor"]}
    return _("floor %(floor)s, ceiling %(ceiling)s") % {"floor": found["floor"], "ceiling": found["ceiling"]}


def ended(found: Boundary) -> str:
    """Why it ended; empty for a tree that nobody ended."""
    return str(ENDED[found["ended"]]) if found["ended"] else ""


def remarks(found: Boundary) -> list[str]:
    """What else must be said of a boundary: gaps, doubts, an override. Each a sentence."""
    said = []
    if found["gaps"]:
        levels = _(", ").join(str(level) for level in found["gaps"])
        said.append(
            ngettext("Level %(levels)s not judged.", "Levels %(levels)s not judged.", len(found["gaps"]))
            % {"levels": levels}
        )
    for row in found["out_of_order"]:
        passed = _("Level %(level)s passed above the ceiling: ask level %(again)s again.")
        missed = _("Level %(level)s missed below the floor: ask it again.")
        words = passed if row["credit"] == "pass" else missed
        said.append(words % {"level": row["level"], "again": row["ask_again"]})
    if found["firm"]:
        said.append(_("Missed despite help."))
    if found["problem"]:
        said.append(problem(found["problem"]))
    if found["override"]:
        said.append(override(found["override"]))
    return said


def problem(code: str) -> str:
    return {
        Problem.NEEDS_MISS: _("The ending needs a miss, and none is marked."),
        Problem.NOT_OPTIONAL: _("The tree is not optional, so it counts."),
        Problem.HAS_MARKS: _("Answers were judged, so the tree counts."),
    }[Problem(code)]


def override(values: Mapping[str, Any]) -> str:
    if values["ceiling"] is None:
        return _("Set by hand, beside the marks: floor %(floor)s.") % values
    return _("Set by hand, beside the marks: floor %(floor)s, ceiling %(ceiling)s.") % values


def whole(found: Boundary) -> str:
    """The boundary as one or two sentences: "Floor 3, ceiling 4. Wrong."."""
    start = reached(found)
    if found["excluded"]:
        return ended(found)
    start = f"{start[:1].upper()}{start[1:]}"
    return (_("%(reached)s. %(ended)s") % {"reached": start, "ended": ended(found)}).strip()


def reading_of(ratings: Sequence[Mapping[str, Any]]) -> str:
    """How many probes a value stands on, and which ratings count for less than given."""
    count = ngettext("%(count)s probe.", "%(count)s probes.", len(ratings)) % {"count": len(ratings)}
    capped = [
        _("One counts as %(counts)s: %(why)s, given %(given)s.")
        % {"counts": row["counts"], "given": row["given"], "why": why_capped(row["caps"])}
        for row in ratings
        if row["caps"]
    ]
    return " ".join([count, *capped])


def why_capped(caps: Sequence[str]) -> str:
    return _(", ").join(str(CAPS[cap]) for cap in caps)


def one_decimal(value: float) -> str:
    return f"{value:.1f}"


def two_decimals(value: float) -> str:
    return f"{value:.2f}"


def interval(low: float, high: float) -> str:
    return _("%(low)s to %(high)s") % {"low": one_decimal(low), "high": one_decimal(high)}


def signed(value: float) -> str:
    """A step with its sign, a true minus sign: +0.12, −0.21, 0.00."""
    if round(value, 2) == 0:
        return two_decimals(0)
    return f"{'+' if value > 0 else '−'}{two_decimals(abs(value))}"


def names_in_words(names: Sequence[str]) -> str:
    """Ana; Ana and Bo; Ana, Bo and Chen."""
    if len(names) < 2:
        return "".join(names)
    return _("%(some)s and %(last)s") % {"some": _(", ").join(names[:-1]), "last": names[-1]}
