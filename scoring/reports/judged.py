"""What is said of automatic judges, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.queries.judges import Heard

FITS = (0.7, 1.4)
"""Within these mean squares a judge is as steady as the model expects."""


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """A judge's severity and fit, with what they mean."""

    strictness: str
    steadiness: str
    rests_on: str
    facts: tuple[tuple[str, str], ...]


def figures_in_words(row: Mapping[str, Any] | None) -> JudgeFigures | None:
    if row is None or row["estimate"] is None or row["se"] is None:
        return None
    far = abs(row["estimate"]) > 2 * row["se"]
    about = _("It marks about as interviewers do, as far as can be told.")
    return JudgeFigures(
        strictness=_strictness(row["estimate"]) if far else about,
        steadiness=_steadiness(row["outfit"]),
        rests_on=ngettext(
            "From %(n)s rating of closed applications.", "From %(n)s ratings of closed applications.", row["n"]
        )
        % {"n": number_format(row["n"])},
        facts=(
            (_("Severity, in logits"), f"{_shown(row['estimate'])} ± {_shown(1.96 * row['se'])}"),
            (_("Infit"), _shown(row["infit"])),
            (_("Outfit"), _shown(row["outfit"])),
        ),
    )


def _strictness(severity: float) -> str:
    return _("It is stricter than interviewers.") if severity > 0 else _("It is milder than interviewers.")


def _steadiness(outfit: float | None) -> str:
    if outfit is None:
        return ""
    low, high = FITS
    if outfit > high:
        return _("Its ratings jump about: it is often far from what everybody else's marks lead to expect.")
    if outfit < low:
        return _("Its ratings hardly differ: it tells people apart less than it should.")
    return _("Its ratings go with the others' as they should.")


def _shown(value: float | None) -> str:
    return "–" if value is None else number_format(value, decimal_pos=2)


def judged_note(heard: Heard | None) -> str:
    """Say on a panel card that automatic judges rated too, and whether that moved it; "" where none did."""
    if heard is None:
        return ""
    words = {"judges": ", ".join(heard.judges)}
    if heard.counts:
        return _("Automatic: %(judges)s. These ratings enter the calibrated values, and no raw value.") % words
    return _("Automatic: %(judges)s. These ratings change nothing on this card.") % words
