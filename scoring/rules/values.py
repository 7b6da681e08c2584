"""From marks to values: the rating that counts, with its caps, and one person's value of a dimension."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from interviews.enums import Aid, Aim, EvidenceType, Outcome
from scoring.enums import Cap, StatementKind
from scoring.rules.inputs import MarkIn, StatementIn

FEWEST_RATINGS = 2
"""Below this many ratings that count a dimension has no value: not enough evidence."""
CAPPED_AT = 1


@dataclass(frozen=True, slots=True)
class CountedRating:
    """A rating as given and as it counts; `caps` says why they differ and is empty when they don't."""

    asked: str
    tree: int
    probe: str
    level: int
    aim: Aim
    given: int
    counts: int
    caps: tuple[Cap, ...]


@dataclass(frozen=True, slots=True)
class DimensionValue:
    """One person's value of one dimension, exact; None with fewer than two ratings that count."""

    aim: Aim
    value: Fraction | None
    ratings: tuple[CountedRating, ...]


def evidence_types(statements: Iterable[StatementIn]) -> dict[str, set[EvidenceType]]:
    """Map each asking to the types of the evidence on it."""
    types: dict[str, set[EvidenceType]] = {}
    for statement in statements:
        if statement.kind == StatementKind.EVIDENCE and statement.asked is not None:
            types.setdefault(statement.asked, set()).add(EvidenceType(statement.type))
    return types


def caps_on(aim: Aim, mark: MarkIn, evidence: Collection[EvidenceType]) -> tuple[Cap, ...]:
    """Say which caps lie on a rating of `aim` given with this mark. No evidence at all is no cap."""
    caps = []
    if mark.aid == Aid.TOLD:
        caps.append(Cap.TOLD)
    if mark.outcome == Outcome.RECITED and aim in {Aim.DEPTH, Aim.WHY}:
        caps.append(Cap.RECITED)
    if aim == Aim.HANDS_ON and evidence and set(evidence) == {EvidenceType.READ_ABOUT}:
        caps.append(Cap.READ_ABOUT)
    return tuple(caps)


def counted_ratings(
    marks: Sequence[MarkIn],
    evidence: Mapping[str, Collection[EvidenceType]],
    *,
    excluded_trees: Collection[int] = (),
) -> tuple[CountedRating, ...]:
    """List the ratings that count, in asked order: scored probes, ad-hoc included; each probe once per aim.

    Out are trial, retracted and voided probes, trees not expected, aims the probe does not have, and ratings beside
    "not judged". Of a probe asked twice the later rating counts.
    """
    last: dict[tuple[int, str, Aim], CountedRating] = {}
    for mark in sorted(marks, key=lambda mark: (mark.interview, mark.order)):
        out = mark.retracted or mark.voided or not mark.scored or mark.tree in excluded_trees
        if out or mark.outcome == Outcome.NOT_JUDGED:
            continue
        for aim in mark.aims:
            given = mark.ratings.of(aim)
            if given is None:
                continue
            caps = caps_on(aim, mark, evidence.get(mark.asked, ()))
            counts = min(given, CAPPED_AT) if caps else given
            rating = CountedRating(
                mark.asked, mark.tree, mark.probe, mark.level, aim, given, counts, caps if counts < given else ()
            )
            last.pop((mark.tree, mark.probe, aim), None)
            last[mark.tree, mark.probe, aim] = rating
    return tuple(last.values())


def dimension_values(ratings: Iterable[CountedRating]) -> dict[Aim, DimensionValue]:
    """Return one person's value of every dimension."""
    ratings = tuple(ratings)
    values = {}
    for aim in Aim:
        own = tuple(rating for rating in ratings if rating.aim == aim)
        enough = len(own) >= FEWEST_RATINGS
        value = Fraction(sum(rating.counts for rating in own), len(own)) if enough else None
        values[aim] = DimensionValue(aim, value, own)
    return values


def mean(values: Sequence[Fraction]) -> Fraction | None:
    """The exact mean; None of nothing."""
    return sum(values, Fraction()) / len(values) if values else None


def number(value: Fraction | None) -> float | None:
    """Round an exact value to four decimals for keeping."""
    return None if value is None else round(float(value), 4)
