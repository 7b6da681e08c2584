"""The spread of the interviewers' recommendations, from strong no to strong yes, with *no decision* beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.enums import Recommendation
from scoring.labels import RECOMMENDATIONS
from scoring.queries.panel_page import PanelNames
from scoring.reports.sentences import names_in_words

FOR = {Recommendation.YES, Recommendation.STRONG_YES}
AGAINST = {Recommendation.NO, Recommendation.STRONG_NO}


@dataclass(frozen=True, slots=True)
class Voice:
    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """One recommendation and who gave it. `apart`: *no decision*, which stands outside the order."""

    code: str
    label: str
    voices: tuple[Voice, ...]
    apart: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """`says`: whether they agree, in words; `each`: who recommends what, as a sentence."""

    places: tuple[Place, ...]
    says: str
    each: str


def spread(content: Mapping[str, Any], names: PanelNames) -> Spread:
    given = content["recommendations"]["by_rater"]
    places = tuple(
        Place(
            code=code.value,
            label=str(RECOMMENDATIONS[code]),
            voices=tuple(
                Voice(names.letters[row["person"]], names.people[row["person"]].name)
                for row in given
                if row["recommendation"] == code
            ),
            apart=code == Recommendation.NO_DECISION,
        )
        for code in Recommendation
    )
    each = " ".join(
        _("%(recommendation)s: %(names)s.")
        % {"recommendation": place.label, "names": names_in_words([voice.name for voice in place.voices])}
        for place in places
        if place.voices
    )
    return Spread(places, says=_says([row["recommendation"] for row in given]), each=each)


def _says(given: Sequence[str]) -> str:
    decided = [one for one in given if one != Recommendation.NO_DECISION]
    if not given:
        return _("No card yet.")
    if not decided:
        return _("Nobody could decide.")
    if len(decided) == 1:
        return _("One recommendation alone.")
    if any(one in FOR for one in decided) and any(one in AGAINST for one in decided):
        return _("The panel is split.")
    if len(set(decided)) == 1:
        return _("Whoever decided says the same.") if len(decided) < len(given) else _("All say the same.")
    return _("All lean the same way.") if len(decided) == len(given) else _("Whoever decided leans the same way.")
