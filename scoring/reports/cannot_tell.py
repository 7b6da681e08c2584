"""What a calibration can't tell, in words: who can't be compared with whom, and where ratings are too few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.models import Person
from scoring.queries.calibrated import FEWEST_RATERS
from scoring.reports.sentences import names_in_words

Content = Mapping[str, Any]
MOST_NAMED = 4
MOST_GROUPS = 5


def cannot_tell(content: Content, people: Mapping[str, Person]) -> Iterator[str]:
    """Yield a sentence for each; `people`: whom the reader may see named, by id as the run has it."""
    said = _cautions()
    yield from (said[code] for code in content.get("cautions", []) if code in said)
    yield from _islands(content, people)
    if alone := sum(row["interviewers"] < FEWEST_RATERS for row in content["candidates"]):
        yield ngettext(
            "%(count)s candidate met one interviewer alone: no value of theirs is calibrated.",
            "%(count)s candidates met one interviewer alone: no value of theirs is calibrated.",
            alone,
        ) % {"count": alone}
    yield _(
        "Leads choose the next question by what they heard: a probe's difficulty is that for those who came so far."
    )
    yield _("A value says how somebody did in these interviews, not how they will do at work.")


def _cautions() -> dict[str, str]:
    return {
        "not_settled": _("The fit did not come to rest: treat every figure as rough."),
        "variances_from_prior": _(
            "Ratings are too few, or too extreme, to tell how much people vary: what is usual elsewhere was assumed."
        ),
        "all_ratings_equal": _("All ratings are the same: nothing can be told from them."),
        "one_candidate": _("There is one candidate only: severity can't be told from capability."),
        "one_interviewer": _("There is one interviewer only: how strict they are can't be told."),
        "halo_from_prior": _(
            "Every candidate met one interviewer: the impression of a conversation can't be told from the candidate."
        ),
    }


def _islands(content: Content, people: Mapping[str, Person]) -> Iterator[str]:
    """The largest group is the house; whoever stands in another shares too little with it."""
    groups: dict[int, list[str]] = {}
    for row in content["interviewers"]:
        groups.setdefault(row["group"], []).append(row["id"])
    others = {group: members for group, members in groups.items() if group != 1}
    if len(others) > MOST_GROUPS:  # each asks questions of their own, or nearly
        yield _("%(count)s interviewers share too little with each other for their severities to be compared.") % {
            "count": len(content["interviewers"])
        }
        return
    for _group, members in sorted(others.items()):
        named = [people[one].name for one in members if one in people]
        if len(named) == len(members) <= MOST_NAMED:
            yield ngettext(
                "%(names)s shares too little with the others: no candidates and no probes tie the two together, so "
                "nothing is compared across.",
                "%(names)s share too little with the others: no candidates and no probes tie the two together, so "
                "nothing is compared across.",
                len(members),
            ) % {"names": names_in_words(named)}
        else:
            yield ngettext(
                "%(count)s interviewer shares too little with the others, so nothing is compared across.",
                "%(count)s interviewers share too little with the others, so nothing is compared across.",
                len(members),
            ) % {"count": len(members)}
