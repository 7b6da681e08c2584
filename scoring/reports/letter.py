"""The draft of a feedback letter: how deep each subject went and what to look at again, in words a candidate can use.

No score, rating, level or count, no name of an interviewer, and no question of the bank ever stands in it: titles of
trees are all it takes from there. The manager edits it and answers for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

from scoring.queries.letters import Ground
from scoring.rules.readings import lower_median


class Reached(StrEnum):
    """How far the panel as a whole followed a subject; the middle of its floors, as breadth reads them."""

    TO_THE_END = "to_the_end"
    CUT_SHORT = "cut_short"
    DEEP = "deep"
    BASICS = "basics"
    START = "start"
    UNKNOWN = "unknown"


def draft(ground: Ground, *, name: str, position: str, writer: str) -> str:
    """Return the letter in the language that is active."""
    trees = {tree["tree"]: reached(tree) for tree in ground.content["trees"]}
    titles = {tree: title for tree, (title, _language) in ground.titles.trees.items()}
    found = [(titles[tree], how) for tree, how in trees.items()]
    firm = [_firm(title, how) for title, how in found if how in {Reached.TO_THE_END, Reached.DEEP}]
    open_ = [_open(title, how) for title, how in found if how in {Reached.BASICS, Reached.START}]
    unknown = [_unknown(title, how) for title, how in found if how in {Reached.CUT_SHORT, Reached.UNKNOWN}]
    again = [_again(titles[spot["tree"]], spot) for spot in ground.content["weak_spots"] if _is_missed(spot)]
    parts = [
        _("Dear %(name)s,") % {"name": name},
        _(
            "Thank you for the time and thought you gave to our conversations about the position “%(position)s”. "
            "In each subject we keep asking until the answers run out. Everybody gets there; this letter says where."
        )
        % {"position": position},
        _section(_("Where you stood firm"), firm),
        _section(_("Where it became less certain"), open_),
        _section(_("What we can't tell"), unknown),
        _section(_("What may be worth another look"), again),
        _("We hope some of this is of use to you."),
        _("With kind regards,") + f"\n{writer}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def reached(tree: Mapping[str, Any]) -> Reached:
    """`tree`: one of a panel card's trees."""
    raters = [row for row in tree["raters"] if not row["excluded"] and row["floor"] is not None]
    if not raters:
        return Reached.UNKNOWN
    floor = lower_median([row["floor"] for row in raters])
    if floor and floor >= tree["top_level"]:
        return Reached.TO_THE_END
    if 2 * sum(row["at_least"] for row in raters) > len(raters):
        return Reached.CUT_SHORT
    if floor >= 2:
        return Reached.DEEP
    return Reached.BASICS if floor else Reached.START


def _is_missed(spot: Mapping[str, Any]) -> bool:
    """What nobody asked is no weakness of the candidate's."""
    return bool(spot["kind"] != "unknown_above")


def _section(heading: str, lines: list[str]) -> str:
    return "\n".join([heading, *(f"- {line}" for line in lines)]) if lines else ""


def _firm(tree: str, how: Reached) -> str:
    if how == Reached.TO_THE_END:
        return _("%(tree)s: your answers held to the end of our questions.") % {"tree": tree}
    return _("%(tree)s: your answers held well beyond the basics, before they became less certain.") % {"tree": tree}


def _open(tree: str, how: Reached) -> str:
    if how == Reached.BASICS:
        return _("%(tree)s: the basics held; the questions that followed from them did not yet.") % {"tree": tree}
    return _("%(tree)s: here we would begin with the basics.") % {"tree": tree}


def _unknown(tree: str, how: Reached) -> str:
    if how == Reached.CUT_SHORT:
        return _("%(tree)s: your answers held as far as we came; we left before they ended.") % {"tree": tree}
    return _("%(tree)s: we did not come to it far enough to say anything.") % {"tree": tree}


def _again(tree: str, spot: Mapping[str, Any]) -> str:
    if spot["level"] <= 1:
        return _("%(tree)s: what it is for and how it works at its simplest.") % {"tree": tree}
    if spot["level"] == 2:
        return _("%(tree)s: the first step beyond the basics, and why it is done so.") % {"tree": tree}
    return _("%(tree)s: what happens further down, in use and when something goes wrong.") % {"tree": tree}
