"""Fitting what was read, and what a reader of the result has to know about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.calibration.problems import BadInput, counted, listed
from scoring.calibration.sheet import Sheet
from scoring.stats.boundary import Depth, HeldOut, calibrate_fused, fuse, held_out_gain
from scoring.stats.cautions import interviewers_met
from scoring.stats.connectedness import Connectedness, connectedness
from scoring.stats.facets import Options, Progress, calibrate
from scoring.stats.jml import JointOptions, calibrate_jointly
from scoring.stats.layout import Terms
from scoring.stats.ratings import Ratings, RatingsError
from scoring.stats.results import Calibration

MODELS = ("laplace", "jml")
FEW_RATINGS = 50
INFORMED = 0.7
"""Share of the prior's standard deviation below which a severity's own says something of the interviewer."""


@dataclass(frozen=True)
class Choice:
    """How to fit. `fuse`: "auto" lets boundaries in only where they lower held-out error, "always" whatever."""

    model: str = "laplace"
    halo: bool = True
    answer: bool = True
    center: tuple[str, str] = ("candidates", "items")
    fuse: str = "auto"
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class Fitted:
    """A sheet with its calibration. `held_out` says whether boundaries foretell ratings, None where there are none;
    `fused` whether they went in, as rows after those of the sheet."""

    sheet: Sheet
    found: Calibration
    connected: Connectedness
    held_out: HeldOut | None
    fused: bool
    warnings: tuple[str, ...]


def fit_sheet(sheet: Sheet, choice: Choice, depths: Sequence[Depth] = ()) -> Fitted:
    """Calibrate. Raises BadInput where the ratings can't carry the model."""
    try:
        if choice.model == "jml":
            _check_categories(sheet)
        held_out, fused, found = _fit(sheet.ratings, choice, depths)
    except RatingsError as error:
        words = error.message + (
            f" (rows {', '.join(str(sheet.rows[row]) for row in error.rows)})" if error.rows else ""
        )
        raise BadInput(words) from None
    except ValueError as error:
        raise BadInput(str(error)) from None
    except MemoryError:
        raise BadInput(
            "There is not enough memory for this file. Calibrate some of the candidates at a time."
        ) from None
    connected = connectedness(found.ratings)
    warnings = (*_warnings(found, connected), *_boundary_warnings(held_out, fused=fused))
    return Fitted(sheet, found, connected, held_out, fused, warnings)


def _fit(ratings: Ratings, choice: Choice, depths: Sequence[Depth]) -> tuple[HeldOut | None, bool, Calibration]:
    if choice.model == "jml":
        return None, False, calibrate_jointly(ratings, JointOptions(center=choice.center))
    options = Options(terms=Terms(halo=choice.halo, answer=choice.answer), progress=choice.progress)
    if not depths:
        return None, False, calibrate(ratings, options)
    both = fuse(ratings, depths)
    if len(both) == len(ratings):
        return None, False, calibrate(ratings, options)
    several = bool((np.bincount(both.session_candidate, minlength=both.candidates) > 1).any())
    held_out = held_out_gain(both) if several else None
    if choice.fuse == "always" or (held_out is not None and held_out.worth_it):
        return held_out, True, calibrate_fused(both, options)
    return held_out, False, calibrate(ratings, options)


def _check_categories(sheet: Sheet) -> None:
    """Joint maximum likelihood has no threshold for a category that was never given; say so in the file's numbers."""
    for number, scale in enumerate(sheet.scales):
        seen = set((sheet.ratings.rating[sheet.ratings.scale == number] + scale.lowest).tolist())
        never = [str(value) for value in range(scale.lowest, scale.highest + 1) if value not in seen]
        if never:
            raise BadInput(
                f"On the scale {scale} nobody was ever given {listed(never, 20)}, and joint maximum likelihood has no "
                "threshold for that. Use --model laplace, or give a --range that leaves these out."
            )


def _warnings(found: Calibration, connected: Connectedness) -> list[str]:
    ratings = found.ratings
    said = []
    if not found.converged:
        said.append("The fit did not come to rest: treat every figure as rough.")
    if ratings.candidates == 1:
        said.append("There is one candidate only: nobody to compare with, and no severity can be told from ability.")
    if ratings.interviewers == 1:
        said.append("There is one interviewer only: how strict they are can't be told.")
    if found.model == "jml":
        said.append(
            "Joint maximum likelihood is for comparing with other programs: its intervals are too narrow where one "
            "conversation has a halo, and its estimates too far apart where ratings are few."
        )
        said += _extreme(found)
    else:
        said += _laplace_warnings(found)
    if connected.unidentified > 0:
        said.append(
            f"The design leaves {counted(connected.unidentified, 'comparison')} open (see what can't be compared). "
            "Estimates are to be compared within a group only."
        )
    return said


def _laplace_warnings(found: Calibration) -> list[str]:
    ratings = found.ratings
    said = []
    if not found.laplace_term:
        said.append("Ratings are too few or too extreme to tell how much people vary: what is usual was assumed.")
    elif len(ratings) < FEW_RATINGS:
        said.append(f"There are only {counted(len(ratings), 'rating')}: how much people vary is mostly assumed.")
    if interviewers_met(ratings).max() == 1 and ratings.interviewers > 1:
        said.append(
            "Every candidate met one interviewer: the halo of a conversation can't be told from the candidate, and the "
            "split between them is assumed. Two interviewers for each candidate are the practical least."
        )
    prior = float(np.sqrt(found.variances.severity))
    vague = int((found.severity_se > INFORMED * prior).sum())
    if vague and ratings.interviewers > 1:
        said.append(
            f"Of {vague} of {counted(ratings.interviewers, 'interviewer')} the ratings say little how strict they are: "
            "these severities are drawn far towards the average of all, with wide intervals."
        )
    return said


def _extreme(found: Calibration) -> list[str]:
    ratings = found.ratings
    top = np.array(ratings.top)[ratings.scale]
    facets = {"candidate": ratings.candidate, "interviewer": ratings.interviewer, "item": ratings.column}
    said = []
    for name, codes in facets.items():
        counts = np.bincount(codes)
        lowest, highest = (np.bincount(codes, ratings.rating == end, len(counts)) == counts for end in (0, top))
        many = int((lowest | highest).sum())
        if many:
            said.append(
                f"{counted(many, name)} with only lowest or only highest ratings: no finite estimate exists, and what "
                "stands here is for a score drawn in by 0.3."
            )
    return said


def _boundary_warnings(held_out: HeldOut | None, *, fused: bool) -> list[str]:
    if held_out is None:
        return ["Boundaries were let in without a test whether they help."] if fused else []
    change = -held_out.gain / held_out.without if held_out.without else 0.0
    words = f"With boundaries the error of held-out ratings changes by {change:+.1%}"
    if fused:
        return [f"{words}; they are part of this calibration."]
    return [f"{words}, which is no gain beyond chance: boundaries were left out. --fuse always lets them in."]
