"""The closed lists of scoring. Pure values."""

from __future__ import annotations

from enum import StrEnum


class Recommendation(StrEnum):
    """An interviewer's advice, best last; `no_decision` needs a reason and stands outside the order."""

    STRONG_NO = "strong_no"
    NO = "no"
    YES = "yes"
    STRONG_YES = "strong_yes"
    NO_DECISION = "no_decision"


class CardStatus(StrEnum):
    DRAFT = "draft"
    SUBMITTED = "submitted"


class ReminderKind(StrEnum):
    """When an author is reminded of a card that is owed."""

    FIRST = "first"
    LATE = "late"


class Cap(StrEnum):
    """Why a rating counts for less than what was given."""

    RECITED = "recited"
    TOLD = "told"
    READ_ABOUT = "read_about"


class NoValue(StrEnum):
    """Why a figure is absent. A missing figure is never a zero."""

    NOT_ENOUGH_EVIDENCE = "not_enough_evidence"
    NO_RATERS = "no_raters"
    NO_CALIBRATION_RUN = "no_calibration_run"
    CANNOT_BE_TOLD = "cannot_be_told"


class StatementKind(StrEnum):
    """What a revision's statement was in the room."""

    EVIDENCE = "evidence"
    REASON = "reason"
    NOTE = "note"


class MarkingCause(StrEnum):
    """Why somebody marks from the timeline without names. Never shown to who marks: the request reads the same."""

    RANDOM = "random"
    DISAGREEMENT = "disagreement"
    NORMING = "norming"


class DebriefPhase(StrEnum):
    """Where a debrief stands; they follow each other in this order."""

    GATHERING = "gathering"
    READING = "reading"
    VOTING = "voting"
    DISCUSSING = "discussing"
    DECIDED = "decided"


class VoteRound(StrEnum):
    """Which vote: the one on the card, as it stood when the debrief began, or the second one."""

    BEFORE = "before"
    AFTER = "after"


class JudgeKind(StrEnum):
    """What an automatic judge is."""

    MODEL = "model"
    TEST_SUITE = "test_suite"
