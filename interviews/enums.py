"""The closed lists of an interview. Pure values: no Django, so the rules and the wire share them.

`Aim` and `ProbeKind` belong to the bank; they are re-exported because every judgement speaks of them.
"""

from __future__ import annotations

from enum import StrEnum

from questionbank.enums import Aim, ProbeKind

__all__ = [
    "ASKERS",
    "JUDGES",
    "Aid",
    "Aim",
    "Confidence",
    "ConsentWord",
    "Decision",
    "Ended",
    "EvidenceType",
    "InterviewStatus",
    "Outcome",
    "ProbeKind",
    "ReasonType",
    "RevealRule",
    "Revealed",
    "Role",
    "SealingPolicy",
    "Shape",
    "StatementAid",
    "TextKind",
    "TreeOp",
]


class Outcome(StrEnum):
    """What one person heard in the answer to one asked probe."""

    SUSTAINED = "sustained"
    PARTIAL = "partial"
    RECITED = "recited"
    NOT_SUSTAINED = "not_sustained"
    NOT_JUDGED = "not_judged"


class Aid(StrEnum):
    """How much help the answer needed."""

    UNAIDED = "unaided"
    CLARIFIED = "clarified"
    HINTED = "hinted"
    TOLD = "told"


class Ended(StrEnum):
    """Why one person's boundary on one tree ended."""

    NO_ANSWER = "no_answer"
    WRONG = "wrong"
    RECITED_ONLY = "recited_only"
    DECLINED = "declined"
    TIME = "time"
    MOVED_ON = "moved_on"
    TOP_OF_TREE = "top_of_tree"
    NOT_EXPECTED = "not_expected"
    NOT_ASKED = "not_asked"


class Confidence(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ConsentWord(StrEnum):
    """How the lead knows that the candidate accepted what is recorded, where no link was used."""

    HEARD = "heard"


class EvidenceType(StrEnum):
    """What stands behind an answer, from hands on to books only."""

    RAN_IN_PRODUCTION = "ran_in_production"
    BUILT = "built"
    DEBUGGED = "debugged"
    MEASURED = "measured"
    READ_ABOUT = "read_about"


class ReasonType(StrEnum):
    """The parts of a "why": what else was possible, by what measure, what was chosen, what one would undo."""

    ALTERNATIVE = "alternative"
    CRITERION = "criterion"
    CHOICE = "choice"
    REGRET = "regret"


class StatementAid(StrEnum):
    """Whether a piece of evidence or a reason was volunteered or asked for."""

    UNAIDED = "unaided"
    PROMPTED = "prompted"


class Role(StrEnum):
    """What a seat may do in a room."""

    LEAD = "lead"
    INTERVIEWER = "interviewer"
    SHADOW = "shadow"
    OBSERVER = "observer"
    CANDIDATE = "candidate"


JUDGES = (Role.LEAD, Role.INTERVIEWER, Role.SHADOW)
"""Who marks what was heard."""
ASKERS = (Role.LEAD, Role.INTERVIEWER)
"""Who asks, or may come to: they owe a card."""


class InterviewStatus(StrEnum):
    SCHEDULED = "scheduled"
    LIVE = "live"
    PAUSED = "paused"
    ENDED = "ended"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class SealingPolicy(StrEnum):
    """When a rater may read the others' judgements: after the own card, or after all cards."""

    AFTER_OWN = "after_own"
    AFTER_ALL = "after_all"


class Revealed(StrEnum):
    """What the ledger says was seen: a card, figures over the panel, judgements on the timeline, a debrief's second
    votes; lines of the chat."""

    CARD = "card"
    PANEL = "panel"
    TIMELINE = "timeline"
    VOTES = "votes"
    CHAT = "chat"


class RevealRule(StrEnum):
    """By what right: one's own card was in, all were, the application was opened early; a seat in the room (chat)."""

    AFTER_OWN = "after_own"
    ALL_IN = "all_in"
    OPENED = "opened"
    SEAT = "seat"


class Shape(StrEnum):
    """Several interviewers in one room, or one of several rooms, each alone with the candidate."""

    PANEL = "panel"
    LOOP = "loop"


class TextKind(StrEnum):
    """What a row of free text is, so that exports and erasure can tell."""

    NOTE = "note"
    EVIDENCE = "evidence"
    REASON = "reason"
    OVERRIDE = "override"
    SUMMARY = "summary"
    RECOMMENDATION = "recommendation"
    AMENDMENT = "amendment"
    AD_HOC = "ad_hoc"
    SHARED = "shared"
    CLAIM = "claim"
    OPENING = "opening"
    EXCUSE = "excuse"
    CHANGE = "change"
    PREPARATION = "preparation"
    CHAT = "chat"
    LETTER = "letter"
    DEBRIEF = "debrief"


class Decision(StrEnum):
    """What the manager decides about an application; written down here by the debrief, which decides."""

    OFFER = "offer"
    NO_OFFER = "no_offer"
    MORE = "another_interview"


class TreeOp(StrEnum):
    """What an interview may change of a pinned tree, for itself alone."""

    TEXT = "text"
    ADD = "add"
    MOVE = "move"
