"""How deep a panel saw somebody go on a tree, in a few words: one figure, or the lowest to the highest floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.rules.findings import FLOORS_DIFFER_BY


@dataclass(frozen=True, slots=True)
class Floor:
    """`lowest`, `highest`: None where nothing is known, which is not zero; `text` says why."""

    text: str
    lowest: int | None = None
    highest: int | None = None


def floor_of(tree: Mapping[str, Any] | None) -> Floor:
    """Say a panel card's tree: "3", "at least 4", "5, top", "1 to 3, disagree", "not asked". None: not in the card."""
    if tree is None or (not tree["asked"] and not tree["raters"]):
        return Floor(_("not asked"))
    counted = [row for row in tree["raters"] if not row["excluded"]]
    if tree["raters"] and not counted:
        return Floor(_("not expected") if tree["raters"][0]["ended"] == "not_expected" else _("not asked"))
    known = sorted((row["floor"], row["at_least"], row["ended"] or "") for row in counted if row["floor"] is not None)
    if not known:
        return Floor(_("not judged"))
    (low, *_rest), (high, at_least, ended) = known[0], known[-1]
    return _said(get_language(), low, high, at_least, ended)


@lru_cache(maxsize=4096)
def _said(_language: str | None, low: int, high: int, at_least: bool, ended: str) -> Floor:
    """The words are put together once for a language: a comparison of two hundred says the same few over and over."""
    if low == high:
        return Floor(_one(high, at_least=at_least, ended=ended), low, high)
    words = _("%(low)s to %(high)s") % {"low": low, "high": _one(high, at_least=at_least, ended=ended)}
    if high - low >= FLOORS_DIFFER_BY:
        words = _("%(floors)s, disagree") % {"floors": words}
    return Floor(words, low, high)


def _one(floor: int, *, at_least: bool, ended: str) -> str:
    if at_least and ended == "top_of_tree":
        return _("%(floor)s, top") % {"floor": floor}
    return _("at least %(floor)s") % {"floor": floor} if at_least else str(floor)
