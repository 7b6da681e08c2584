"""What a curator should look at before a tree is asked to people. Pure: outlines in, findings out, no words.

Editor, import and command line share it. The words for each code stand in `questionbank.exchange.problems`.
"""

from __future__ import annotations

from questionbank.lint.findings import Finding, Severity
from questionbank.lint.similar import NEAR, near_duplicates, normalised, similarity
from questionbank.lint.structure import flaws
from questionbank.lint.trees import gaps, lint, lint_one, looks

__all__ = [
    "NEAR",
    "Finding",
    "Severity",
    "flaws",
    "gaps",
    "lint",
    "lint_one",
    "looks",
    "near_duplicates",
    "normalised",
    "similarity",
]
