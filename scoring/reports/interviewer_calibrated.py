"""What the calibration says of one interviewer, in words: severity, agreement, halo, lead effect, drift.

From their own kept figures, which move when five applications of theirs are closed. A sentence, and the figures
behind it for who wants them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.queries.calibrated import LINKED_CANDIDATES, LINKED_RATINGS
from scoring.reports.points import HARDLY, between, beyond_chance, known, lower_or_higher
from scoring.reports.sentences import one_decimal, two_decimals

Content = Mapping[str, Any]
MORE, LESS = 1.25, 0.8
"""Shares of what is usual above and below which a halo is said to be larger or smaller."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, and its figures; empty where there is nothing to say."""

    says: str = ""
    figures: str = ""


def severity(found: Content | None) -> Said:
    if not found:
        return Said()
    ratings, candidates = found["linked"]
    counts = _linked(ratings, candidates)
    if not found["tied"]:
        return Said(_("Can't be told: too few candidates and probes are shared with the others."), counts)
    if not known(found):
        words = _(
            "Taken as average: it takes %(ratings)s ratings of answers or candidates shared with others, and "
            "%(candidates)s candidates."
        )
        return Said(words % {"ratings": LINKED_RATINGS, "candidates": LINKED_CANDIDATES}, counts)
    value = found["points"][0]
    if not beyond_chance(found["points"]):
        says = _("About like the others: %(lower)s, which may be chance.") % {"lower": lower_or_higher(value)}
        if abs(value) < HARDLY:
            says = _("Like the others.")
    else:
        says = _("Marks %(lower)s than an average interviewer on the same answers.") % {"lower": lower_or_higher(value)}
    return Said(
        says, _("95%% interval %(interval)s; %(counts)s") % {"interval": between(found["points"]), "counts": counts}
    )


def _linked(ratings: int, candidates: int) -> str:
    return _("%(ratings)s linked ratings of %(candidates)s candidates") % {"ratings": ratings, "candidates": candidates}


def agreement(found: Content | None) -> Said:
    if not found:
        return Said()
    says = _(
        "On answers that others rated too, %(same)s %% are the same and %(within)s %% at most one point apart."
    ) % {
        "same": round(100 * found["same"]),
        "within": round(100 * found["within_one"]),
    }
    counts = ngettext("%(count)s answer", "%(count)s answers", found["answers"]) % {"count": found["answers"]}
    if found["kappa"] is None:
        return Said(says, counts)
    kappa = _("weighted kappa %(value)s") % {"value": two_decimals(found["kappa"])}
    return Said(says, _(", ").join((kappa, counts)))


def halo(found: Content | None) -> Said:
    if not found:
        return Said()
    words = {"points": one_decimal(abs(found["points"]))}
    if found["of_usual"] > MORE:
        says = _("An impression moves all marks of a conversation by %(points)s points, more than is usual here.")
    elif found["of_usual"] < LESS:
        says = _("An impression moves all marks of a conversation by %(points)s points, less than is usual here.")
    else:
        says = _("An impression moves all marks of a conversation by %(points)s points, as is usual here.")
    figures = _("%(share)s %% of what is usual, from %(talks)s conversations") % {
        "share": round(100 * found["of_usual"]),
        "talks": found["talks"],
    }
    return Said(says % words, figures)


def lead_effect(found: Content | None) -> Said:
    if not found:
        return Said()
    points = found["points"]
    if not beyond_chance(points) or abs(points[0]) < HARDLY:
        says = _("Answers to one's own questions are marked like those to others'.")
    elif points[0] > 0:
        says = _("Answers to one's own questions are marked %(points)s points higher than those to others'.")
    else:
        says = _("Answers to one's own questions are marked %(points)s points lower than those to others'.")
    figures = _(
        "95%% interval %(low)s to %(high)s points; %(asking)s ratings when asking, %(listening)s when listening"
    ) % {
        "low": _signed(points[1]),
        "high": _signed(points[2]),
        "asking": found["asking"],
        "listening": found["listening"],
    }
    return Said(says % {"points": one_decimal(abs(points[0]))}, figures)


def drift(found: Content | None) -> Said:
    if not found:
        return Said()
    since = {"month": _month(found["since"])}
    if found["points"] is None:
        return Said(_("No change that would be more than chance since %(month)s.") % since)
    value: float = found["points"][0]
    if value > 0:
        words = _("Seems to mark %(points)s points lower than before since %(month)s: a reason to look, not a verdict.")
    else:
        words = _(
            "Seems to mark %(points)s points higher than before since %(month)s: a reason to look, not a verdict."
        )
    return Said(words % (since | {"points": one_decimal(abs(value))}), _interval(found["points"]))


def _interval(points: Sequence[float]) -> str:
    return _("95%% interval %(interval)s") % {"interval": between(points)}


def _month(text: str) -> str:
    return date_format(date.fromisoformat(f"{text}-01"), "YEAR_MONTH_FORMAT")


def _signed(points: float) -> str:
    return f"{'−' if points < 0 else '+'}{one_decimal(abs(points))}"
