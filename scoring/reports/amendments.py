"""What an amendment moved, in words: each of the card's figures that differs between two revisions, or in the draft."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from interviews.enums import Aim
from scoring.labels import AIMS, RECOMMENDATIONS
from scoring.models import Revision
from scoring.queries.card_page import CardData
from scoring.queries.titles import Words
from scoring.reports.sentences import one_decimal, reached
from scoring.rules import DimensionValue, Reading, boundary_content, number


@dataclass(frozen=True, slots=True)
class Move:
    """`what` moved (words, language; "" = the page's), and how."""

    what: Words
    how: str


@dataclass(frozen=True, slots=True)
class Handed:
    """One revision as the card lists it. `reason` None: erased; `moved` is empty for the first."""

    number: int
    at: datetime
    after_seeing_others: bool
    reason: str | None
    moved: tuple[Move, ...]


def draw_revisions(data: CardData) -> list[Handed]:
    """What was handed in, in order; nothing for a card that was never amended."""
    if len(data.revisions) < 2:
        return []
    moves = [(), *(tuple(_between(data, one, other)) for one, other in pairwise(data.revisions))]
    return [
        Handed(
            number=revision.number,
            at=revision.submitted_at,
            after_seeing_others=revision.after_seeing_others,
            reason=revision.amendment.body if revision.amendment else "",
            moved=moved,
        )
        for revision, moved in zip(data.revisions, moves, strict=True)
    ]


def moved_so_far(data: CardData) -> list[Move]:
    """What the amendment that is being written moves, beside the revision that counts until it is in."""
    if not data.amending:
        return []
    last = data.revisions[-1]
    moves = [*_figures(data, data.readings[last.pk], data.reading)]
    if data.recommendation and data.recommendation != last.recommendation:
        moves.insert(0, _advice(last.recommendation, data.recommendation))
    return moves


def _between(data: CardData, one: Revision, other: Revision) -> Iterator[Move]:
    if one.recommendation != other.recommendation:
        yield _advice(one.recommendation, other.recommendation)
    if _body(one) != _body(other):
        yield Move((_("Summary"), ""), _("rewritten"))
    yield from _figures(data, data.readings[one.pk], data.readings[other.pk])


def _body(revision: Revision) -> str | None:
    return revision.summary.body if revision.summary else ""


def _advice(before: str, after: str) -> Move:
    return _move((_("Recommendation"), ""), str(RECOMMENDATIONS[before]), str(RECOMMENDATIONS[after]))


def _figures(data: CardData, before: Reading, after: Reading) -> Iterator[Move]:
    for aim in Aim:
        one, other = _value(before.values[aim]), _value(after.values[aim])
        if one != other:
            yield _move((str(AIMS[aim]), ""), one, other)
    for tree in data.trees:
        one, other = _boundary(before, tree.id), _boundary(after, tree.id)
        if one != other:
            yield _move(data.titles.trees[tree.id], one, other)
    changed = _marks_changed(before, after)
    if changed:
        said = ngettext("%(count)s changed", "%(count)s changed", changed) % {"count": changed}
        yield Move((_("Marks"), ""), said)


def _move(what: Words, before: str, after: str) -> Move:
    return Move(what, _("from %(before)s to %(after)s") % {"before": before, "after": after})


def _value(value: DimensionValue) -> str:
    known = number(value.value)
    return _("not enough evidence") if known is None else one_decimal(known)


def _boundary(reading: Reading, tree: int) -> str:
    found = reading.boundaries.get(tree)
    return _("not judged") if found is None else reached(boundary_content(found))


def _marks_changed(before: Reading, after: Reading) -> int:
    """Marks with another outcome, aid, rating or confidence, and those on one side alone."""
    one, other = before.marks, after.marks
    return sum(
        key not in one or key not in other or _said(one, key) != _said(other, key) for key in one.keys() | other.keys()
    )


def _said(marks: object, key: str) -> tuple[object, ...]:
    mark = marks[key]  # type: ignore[index]
    return mark.outcome, mark.aid, mark.ratings, mark.confidence
