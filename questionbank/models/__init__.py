from __future__ import annotations

from questionbank.models.figures import ProbeFigures
from questionbank.models.plan import Plan, PlanTree
from questionbank.models.probe import Anchor, Probe, Signal
from questionbank.models.tree import Topic, Tree, TreeVersion, VersionStatus

__all__ = [
    "Anchor",
    "Plan",
    "PlanTree",
    "Probe",
    "ProbeFigures",
    "Signal",
    "Topic",
    "Tree",
    "TreeVersion",
    "VersionStatus",
]
