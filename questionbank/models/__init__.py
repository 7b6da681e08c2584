from __future__ import annotations

from questionbank.models.figures import ProbeFigures
from questionbank.models.plan import Plan, PlanTree
from questionbank.models.probe import Anchor, Probe, Signal
from questionbank.models.review import BankRules, ReviewComment, ReviewStep, VersionAuthor
from questionbank.models.tree import Topic, Tree, TreeVersion, VersionStatus

__all__ = [
    "Anchor",
    "BankRules",
    "Plan",
    "PlanTree",
    "Probe",
    "ProbeFigures",
    "ReviewComment",
    "ReviewStep",
    "Signal",
    "Topic",
    "Tree",
    "TreeVersion",
    "VersionAuthor",
    "VersionStatus",
]
