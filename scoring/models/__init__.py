from __future__ import annotations

from scoring.models.blind import BlindMark, BlindMarking, MarkingDraw, MarkingTerms, NormingInterview
from scoring.models.calibration import CalibrationRun
from scoring.models.card import (
    Revision,
    RevisionBoundary,
    RevisionMark,
    RevisionStatement,
    Scorecard,
)
from scoring.models.debrief import (
    Debrief,
    DebriefCommand,
    DebriefDecision,
    DebriefLine,
    DebriefNote,
    DebriefSeat,
    DebriefVote,
)
from scoring.models.figures import CountedApplication, CountedForPerson, InterviewerFigures
from scoring.models.judge import Judge, JudgeBatch, JudgeRating, JudgeTerms
from scoring.models.letter import FeedbackLetter
from scoring.models.panel import PanelScorecard
from scoring.models.reminder import Reminder

__all__ = [
    "BlindMark",
    "BlindMarking",
    "CalibrationRun",
    "CountedApplication",
    "CountedForPerson",
    "Debrief",
    "DebriefCommand",
    "DebriefDecision",
    "DebriefLine",
    "DebriefNote",
    "DebriefSeat",
    "DebriefVote",
    "FeedbackLetter",
    "InterviewerFigures",
    "Judge",
    "JudgeBatch",
    "JudgeRating",
    "JudgeTerms",
    "MarkingDraw",
    "MarkingTerms",
    "NormingInterview",
    "PanelScorecard",
    "Reminder",
    "Revision",
    "RevisionBoundary",
    "RevisionMark",
    "RevisionStatement",
    "Scorecard",
]
