"""An interviewer's figures in words: their own beside the others', who are never named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from interviews.enums import Aim
from scoring.labels import AIMS
from scoring.queries.interviewer_figures import Compared
from scoring.reports.interviewer_calibrated import Said, agreement, drift, halo, lead_effect, severity
from scoring.rules.interviewer import Spread, spread_of

NARROW = 0.75
"""A spread below this part of the group's is said to be narrow."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what it is, one's own, the others', and a sentence. Blank where there is none."""

    name: str
    own: str
    group: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A figure that needs a calibration. `says` is why there is none, or what there is; `figures` stand behind it."""

    name: str | Promise
    means: str | Promise
    says: str
    figures: str = ""


MEANS = {
    "severity": (
        gettext_lazy("Severity"),
        gettext_lazy("How much lower or higher than the others these marks lie on the same answers."),
    ),
    "agreement": (
        gettext_lazy("Agreement"),
        gettext_lazy(
            "How near these marks come to others’ of the same answers, and to panels’ when marked without names."
        ),
    ),
    "halo": (
        gettext_lazy("Halo"),
        gettext_lazy("How far one impression of a candidate colours all marks of a conversation."),
    ),
    "lead_effect": (
        gettext_lazy("Lead effect"),
        gettext_lazy("Whether answers to one’s own questions are marked otherwise than others’ mark them."),
    ),
    "drift": (gettext_lazy("Drift"), gettext_lazy("Whether severity moves as months go by.")),
}


def draw_rows(compared: Compared) -> list[Row]:
    """The figures that need no calibration."""
    own = compared.own.content if compared.own else None
    group = compared.group
    return [
        _spread_row(own, group),
        _middle_row(own, group),
        _share_row(_("Answers marked, of those heard"), "marked", "heard", own, group),
        _share_row(_("Trees asked, of those planned to be asked"), "asked", "planned", own, group),
        _share_row(_("Cards more than a day late"), "late", "cards", own, group),
    ]


def _spread_row(own: Mapping[str, Any] | None, group: Mapping[str, Any] | None) -> Row:
    mine, theirs = _spread(own), _spread(group)
    says = ""
    if mine and theirs and mine.deviation < NARROW * theirs.deviation:
        says = _("These ratings keep closer together than the others’. Use the ends of the scale where they fit.")
    return Row(_("Spread of ratings"), _deviation(mine), _deviation(theirs), says)


def _middle_row(own: Mapping[str, Any] | None, group: Mapping[str, Any] | None) -> Row:
    mine, theirs = _spread(own), _spread(group)
    return Row(
        _("Ratings of 2, the middle"),
        _percent(mine.middle) if mine else "",
        _percent(theirs.middle) if theirs else "",
    )


def _share_row(name: str, part: str, whole: str, own: Mapping[str, Any] | None, group: Mapping[str, Any] | None) -> Row:
    return Row(name, _share(own, part, whole, count=True), _share(group, part, whole, count=False))


def _share(content: Mapping[str, Any] | None, part: str, whole: str, *, count: bool) -> str:
    """Of a group its share alone is said: from counts that grow by one person's, theirs could be told."""
    if not content or not content[whole]:
        return ""
    percent = _percent(content[part] / content[whole])
    if not count:
        return percent
    return _("%(percent)s (%(part)s of %(whole)s)") % {
        "percent": percent,
        "part": content[part],
        "whole": content[whole],
    }


def _spread(content: Mapping[str, Any] | None) -> Spread | None:
    return spread_of(content["ratings"]) if content else None


def _deviation(spread: Spread | None) -> str:
    if spread is None:
        return ""
    return _("%(deviation)s around %(mean)s") % {
        "deviation": _one(spread.deviation),
        "mean": _one(spread.mean),
    }


def _one(number: float) -> str:
    """One decimal, rounded: the format alone would cut it off."""
    return number_format(round(number, 1), 1)


def _percent(share: float) -> str:
    return _("%(number)s %%") % {"number": round(share * 100)}


def draw_ratings(compared: Compared) -> list[dict[str, Any]]:
    """How often each rating was given, as shares."""
    own = _spread(compared.own.content) if compared.own else None
    group = _spread(compared.group)
    return [
        {
            "rating": rating,
            "own": _of(compared.own.content if compared.own else None, own, rating),
            "group": _of(compared.group, group, rating),
        }
        for rating in range(5)
    ]


def _of(content: Mapping[str, Any] | None, spread: Spread | None, rating: int) -> str:
    return _percent(content["ratings"][str(rating)] / spread.count) if content and spread else ""


def draw_places(compared: Compared) -> list[Place]:
    """What the calibration says, from the person's own snapshot; agreement without names stands beside the panels'."""
    found = (compared.own.content.get("calibrated") if compared.own else None) or {}
    said = {
        "severity": severity(found.get("severity")),
        "agreement": agreement(found.get("agreement")),
        "halo": halo(found.get("halo")),
        "lead_effect": lead_effect(found.get("lead_effect")),
        "drift": drift(found.get("drift")),
    }
    return [_place(name, one, _blind(compared) if name == "agreement" else "") for name, one in said.items()]


def _place(name: str, said: Said, more: str) -> Place:
    says = " ".join(part for part in (said.says, more) if part)
    return Place(*MEANS[name], says or _("No calibration says anything of it yet."), said.figures)


def _blind(compared: Compared) -> str:
    agreed = compared.own.content.get("agreement") if compared.own else None
    if not agreed:
        return _("Five markings without names are needed to say how near these come to panels’.")
    parts = [
        _("%(aim)s: %(distance)s apart on average") % {"aim": AIMS[aim], "distance": _one(found["distance"])}
        for aim in Aim
        if (found := agreed["dimensions"][aim.value])["pairs"]
    ]
    head = ngettext("Without names, %(count)s marking.", "Without names, %(count)s markings.", agreed["markings"]) % {
        "count": agreed["markings"]
    }
    return " ".join([head, _("; ").join(parts)])
