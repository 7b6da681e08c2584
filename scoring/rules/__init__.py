"""The rules of scoring, pure: from marks to values, from cards to the panel scorecard."""

from __future__ import annotations

from scoring.rules.canonical import InputsUnreadable, as_json, digest, digest_of, from_json, in_order
from scoring.rules.differences import differences
from scoring.rules.inputs import (
    AskedIn,
    CalibratedIn,
    CalibrationIn,
    EndingIn,
    MarkIn,
    PanelInputs,
    ProbeIn,
    RaterIn,
    Ratings,
    RevisionIn,
    SeverityIn,
    StatementIn,
    TreeIn,
)
from scoring.rules.panel import CODE_VERSION, boundary_content, compile_panel, rating_content
from scoring.rules.readings import Reading, breadth, read, read_rater, tree_boundary
from scoring.rules.values import CountedRating, DimensionValue, counted_ratings, dimension_values, number

__all__ = [
    "CODE_VERSION",
    "AskedIn",
    "CalibratedIn",
    "CalibrationIn",
    "CountedRating",
    "DimensionValue",
    "EndingIn",
    "InputsUnreadable",
    "MarkIn",
    "PanelInputs",
    "ProbeIn",
    "RaterIn",
    "Ratings",
    "Reading",
    "RevisionIn",
    "SeverityIn",
    "StatementIn",
    "TreeIn",
    "as_json",
    "boundary_content",
    "breadth",
    "compile_panel",
    "counted_ratings",
    "differences",
    "digest",
    "digest_of",
    "dimension_values",
    "from_json",
    "in_order",
    "number",
    "rating_content",
    "read",
    "read_rater",
    "tree_boundary",
]
