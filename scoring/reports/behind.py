"""What stands behind each dimension's value: every interviewer's ratings, what counts of them and why, and what was
heard on the same answer. The sums are shown, so that anyone can add them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.labels import AIMS, STATEMENTS
from scoring.queries.panel_page import PanelNames
from scoring.queries.titles import Words
from scoring.reports.dimensions import missing
from scoring.reports.sentences import two_decimals, why_capped

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Heard:
    """`words` is None once erased."""

    type: str
    words: str | None


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating as given and as it counts; `why` says why they differ."""

    tree: Words
    probe: Words
    level: int
    given: int
    counts: int
    why: str
    heard: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class RaterRows:
    """`sum` says how the value comes about: "16 over 5 ratings: 3.20"."""

    letter: str
    name: str
    sum: str
    ratings: tuple[RatingRow, ...]


@dataclass(frozen=True, slots=True)
class Behind:
    aim: str
    label: str
    value: str
    mean: str
    raters: tuple[RaterRows, ...]


def behind(content: Content, names: PanelNames) -> list[Behind]:
    """One for each dimension, in the order of the plot."""
    heard: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for row in content["evidence"]:
        heard.setdefault((row["person"], row["asked"]), []).append(row)
    return [_behind(aim, str(label), content["dimensions"][aim], names, heard) for aim, label in AIMS.items()]


def _behind(
    aim: str,
    label: str,
    row: Mapping[str, Any],
    names: PanelNames,
    heard: Mapping[tuple[int, str], list[Mapping[str, Any]]],
) -> Behind:
    values = [rater["value"] for rater in row["by_rater"] if rater["value"] is not None]
    mean = ""
    if row["value"] is not None:
        mean = _("(%(values)s) / %(count)s = %(mean)s") % {
            "values": " + ".join(two_decimals(value) for value in values),
            "count": len(values),
            "mean": two_decimals(row["value"]),
        }
    return Behind(
        aim=aim,
        label=label,
        value=two_decimals(row["value"]) if row["value"] is not None else missing(row["missing"]),
        mean=mean,
        raters=tuple(
            RaterRows(
                letter=names.letters[rater["person"]],
                name=names.people[rater["person"]].name,
                sum=_sum(rater),
                ratings=tuple(
                    _rating(rating, aim, names, heard.get((rater["person"], rating["asked"]), []))
                    for rating in rater["ratings"]
                ),
            )
            for rater in row["by_rater"]
        ),
    )


def _sum(rater: Mapping[str, Any]) -> str:
    count, total = len(rater["ratings"]), sum(rating["counts"] for rating in rater["ratings"])
    if not count:
        return _("rated no probe of it")
    if rater["value"] is None:
        return _("one rating alone: not enough evidence")
    words = ngettext("%(total)s over %(count)s rating: %(value)s", "%(total)s over %(count)s ratings: %(value)s", count)
    return words % {"total": total, "count": count, "value": two_decimals(rater["value"])}


def _rating(rating: Mapping[str, Any], aim: str, names: PanelNames, heard: list[Mapping[str, Any]]) -> RatingRow:
    return RatingRow(
        tree=names.titles.trees[rating["tree"]],
        probe=names.titles.probe(rating["tree"], rating["probe"]),
        level=rating["level"],
        given=rating["given"],
        counts=rating["counts"],
        why=why_capped(rating["caps"]),
        # Depth is heard in whatever was said; why in the reasons, hands-on in the evidence.
        heard=tuple(
            Heard(str(STATEMENTS[row["type"]]), names.texts.get(row["statement"]))
            for row in heard
            if aim in {"depth", row["counts_for"]}
        ),
    )
