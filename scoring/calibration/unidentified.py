"""What a design can't compare, in words."""

from __future__ import annotations

from collections.abc import Callable

from scoring.calibration.problems import listed
from scoring.stats.connectedness import Connectedness, Contrast, Facet
from scoring.stats.ratings import Ratings

SHOWN = 3


def sentences(connected: Connectedness, ratings: Ratings) -> list[str]:
    """A sentence for every two groups that can't be compared: "Ana and Bo share no candidate and no probe"."""
    labels = ratings.labels

    def column(code: int) -> str:
        item, dimension = labels.item[ratings.column_item[code]], labels.dimension[ratings.column_dimension[code]]
        return f"{item} ({dimension})" if dimension else item

    names: dict[Facet, Callable[[int], str]] = {
        Facet.INTERVIEWER: labels.interviewer.__getitem__,
        Facet.ITEM: column,
        Facet.CANDIDATE: labels.candidate.__getitem__,
    }
    return [sentence(contrast, names[contrast.facet]) for contrast in connected.contrasts]


def sentence(contrast: Contrast, name: Callable[[int], str]) -> str:
    """Say of two groups what they lack."""
    left, right = (
        listed([name(code) for code in group[:SHOWN]] + ["" for _ in group[SHOWN:]], SHOWN)
        for group in (contrast.left, contrast.right)
    )
    first, second = {
        Facet.INTERVIEWER: ("candidate", "probe"),
        Facet.ITEM: ("candidate", "interviewer"),
        Facet.CANDIDATE: ("interviewer", "probe"),
    }[contrast.facet]
    what = _lacking(first, second, contrast)
    who = {Facet.INTERVIEWER: "", Facet.ITEM: "Probes ", Facet.CANDIDATE: "Candidates "}[contrast.facet]
    if len(contrast.left) == len(contrast.right) == 1:
        return f"{who}{left} and {right} share {what}"
    return (
        f"{who}{left} share {what} with {right}" if len(contrast.left) > 1 else f"{who}{right} share {what} with {left}"
    )


def _lacking(first: str, second: str, contrast: Contrast) -> str:
    if contrast.shares_candidates and contrast.shares_items:
        return f"{first}s and {second}s, but too few to be compared,"
    if contrast.shares_items:
        return f"{second}s but no {first}"
    if contrast.shares_candidates:
        return f"{first}s but no {second}"
    return f"no {first} and no {second}"
