"""The anchors of a question that no tree has: what each rating of an aim means whatever was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from interviews.enums import Aim

GENERIC: Mapping[Aim, tuple[object, ...]] = {
    Aim.DEPTH: (
        _("Nothing right"),
        _("Right words, not understood"),
        _("Right in part"),
        _("Right, and explained"),
        _("Explained with its limits"),
    ),
    Aim.WHY: (
        _("No reason"),
        _("The textbook’s reason"),
        _("A reason, no alternative"),
        _("Alternatives, weighed"),
        _("Weighed, and what it cost"),
    ),
    Aim.HANDS_ON: (
        _("Never done"),
        _("Read about it"),
        _("Done, no details"),
        _("Done, with details"),
        _("In production, with figures"),
    ),
}


def generic_anchors(aims: Iterable[Aim | str]) -> list[dict[str, Any]]:
    """One text for each rating 0-4 of each aim, in the reader's language, as a probe's own anchors are given."""
    tag = get_language() or "en"
    return [
        {"aim": Aim(aim).value, "rating": rating, "lang": tag, "text": text}
        for aim in aims
        for rating, text in enumerate(GENERIC[Aim(aim)])
    ]
