from __future__ import annotations

from scoring.models.calibration import CalibrationRun
from scoring.models.card import (
    Revision,
    RevisionBoundary,
    RevisionMark,
    RevisionStatement,
    Scorecard,
)
from scoring.models.figures import CountedApplication
from scoring.models.letter import FeedbackLetter
from scoring.models.panel import PanelScorecard
from scoring.models.reminder import Reminder

__all__ = [
    "CalibrationRun",
    "CountedApplication",
    "FeedbackLetter",
    "PanelScorecard",
    "Reminder",
    "Revision",
    "RevisionBoundary",
    "RevisionMark",
    "RevisionStatement",
    "Scorecard",
]
