from __future__ import annotations

from questionbank.models.duplicates import NearPair, Redirect
from questionbank.models.plan import Plan, PlanTree
from questionbank.models.probe import Anchor, Probe, ProbeFigures, Signal
from questionbank.models.search import ProbeText
from questionbank.models.tree import Topic, Tree, TreeVersion, VersionStatus

__all__ = [
    "Anchor",
    "NearPair",
    "Plan",
    "PlanTree",
    "Probe",
    "ProbeFigures",
    "ProbeText",
    "Redirect",
    "Signal",
    "Topic",
    "Tree",
    "TreeVersion",
    "VersionStatus",
]
