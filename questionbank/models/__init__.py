from __future__ import annotations

from questionbank.models.duplicates import NearPair, Redirect
from questionbank.models.edit import DraftEdit
from questionbank.models.figures import ProbeFigures
from questionbank.models.plan import Plan, PlanTree
from questionbank.models.probe import Anchor, Probe, Signal
from questionbank.models.review import BankRules, ReviewComment, ReviewStep, VersionAuthor
from questionbank.models.search import ProbeText
from questionbank.models.suggestion import Suggestion
from questionbank.models.tree import Topic, Tree, TreeVersion, VersionStatus
from questionbank.models.upload import Upload, UploadFile

__all__ = [
    "Anchor",
    "BankRules",
    "DraftEdit",
    "NearPair",
    "Plan",
    "PlanTree",
    "Probe",
    "ProbeFigures",
    "ProbeText",
    "Redirect",
    "ReviewComment",
    "ReviewStep",
    "Signal",
    "Suggestion",
    "Topic",
    "Tree",
    "TreeVersion",
    "Upload",
    "UploadFile",
    "VersionAuthor",
    "VersionStatus",
]
