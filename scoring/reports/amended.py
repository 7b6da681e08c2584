"""What amendments moved, in sentences: for each who amended, with the reason, and for the panel's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.labels import AIMS, RECOMMENDATIONS
from scoring.models import Revision
from scoring.queries.panel_page import PanelNames
from scoring.reports.sentences import one_decimal, two_decimals

Content = Mapping[str, Any]
Move = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Amended:
    """One amended card. `reasons`: None where the words are erased. `moved`: empty if no figure did."""

    name: str
    seat: Any
    reasons: tuple[str | None, ...]
    after_seeing_others: bool
    moved: tuple[str, ...]


def amended(content: Content, names: PanelNames) -> list[Amended]:
    """Everyone who amended, in the panel's order."""
    return [_amended(rater["person"], content, names) for rater in content["raters"] if rater["amended"]]


def _amended(person: int, content: Content, names: PanelNames) -> Amended:
    own = [row for row in names.revisions.values() if row.seat.person_id == person and row.number > 1]
    return Amended(
        name=names.people[person].name,
        seat=own[0].seat.code if own else None,
        reasons=tuple(_reason(row) for row in own),
        after_seeing_others=any(row.after_seeing_others for row in own),
        moved=tuple(_moved(row, names) for row in content["amendments"] if row["person"] == person),
    )


def _reason(revision: Revision) -> str | None:
    body: str | None = revision.amendment.body if revision.amendment else None
    return body


def _moved(row: Move, names: PanelNames) -> str:
    if row["kind"] == "value":
        words = {"what": AIMS[row["aim"]], "before": _value(row["before"]), "after": _value(row["after"])}
    elif row["kind"] == "boundary":
        title, _lang = names.titles.trees[row["tree"]]
        words = {"what": title, "before": _levels(row["before"]), "after": _levels(row["after"])}
    else:
        before, after = RECOMMENDATIONS[row["before"]], RECOMMENDATIONS[row["after"]]
        words = {"what": _("Recommendation"), "before": before, "after": after}
    return _("%(what)s: %(before)s, now %(after)s.") % words


def _value(value: float | None) -> str:
    return _("not enough evidence") if value is None else one_decimal(value)


def _levels(found: Mapping[str, Any]) -> str:
    if found["floor"] is None:
        return _("no floor")
    if found["ceiling"] is None:
        return _("floor %(floor)s, no ceiling") % found
    return _("floor %(floor)s, ceiling %(ceiling)s") % found


def panel_moved(content: Content) -> list[str]:
    """Which of the panel's raw values would be others if nobody had amended."""
    moved = []
    for aim, label in AIMS.items():
        row = content["dimensions"][aim]
        before, after = row["value_before_amendments"], row["value"]
        if before != after:
            said = [_("not enough evidence") if value is None else two_decimals(value) for value in (before, after)]
            moved.append(
                _("The panel's raw value of %(aim)s was %(before)s and is %(after)s.")
                % {"aim": str(label).lower(), "before": said[0], "after": said[1]}
            )
    return moved
