"""Our rows as the engine's ratings: candidates are applications, items probes as they were worded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.rules.linked import TOP, RatingRow
from scoring.stats.ratings import Ratings

JUDGE = "judge "


def item_name(tree: int, probe: str, wording: str) -> str:
    """Name what was asked as it was worded: a difficulty belongs to the words. An own question has one wording."""
    return f"{tree}/{probe}/{wording}"


def rater_name(person: int) -> str:
    """Name who rated: people by their id, an automatic judge by its own, which rows have with a minus."""
    return str(person) if person > 0 else f"{JUDGE}{-person}"


def ratings_of(rows: Sequence[RatingRow], wordings: Mapping[str, str]) -> Ratings:
    """Code ratings for the engine. `wordings`: {asking: hash of the wording}."""
    return Ratings.from_columns(
        [str(row.application) for row in rows],
        [rater_name(row.person) for row in rows],
        [item_name(row.tree, row.probe, wordings.get(row.asked, "")) for row in rows],
        np.array([row.rating for row in rows], np.int64),
        dimension=[row.aim.value for row in rows],
        answer=[row.asked for row in rows],
        interview=[str(row.interview) for row in rows],
        top={"": TOP},
    )
