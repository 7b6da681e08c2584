"""The closed lists of the question bank. Values are stored and travel on the wire: never renamed, only added to."""

from __future__ import annotations

from enum import StrEnum


class Aim(StrEnum):
    DEPTH = "depth"
    WHY = "why"
    HANDS_ON = "hands_on"


class ProbeKind(StrEnum):
    CHECK = "check"
    PROBE = "probe"
    RESCUE = "rescue"


class Purpose(StrEnum):
    BOUNDARY = "boundary"
    BREADTH = "breadth"


class VersionState(StrEnum):
    DRAFT = "draft"
    IN_REVIEW = "in_review"
    PUBLISHED = "published"
    RETIRED = "retired"


class ReviewStepKind(StrEnum):
    """What was done with a version; what it says then is in `VersionState`."""

    SENT = "sent"
    TAKEN_BACK = "taken_back"
    RETURNED = "returned"
    PUBLISHED = "published"
    RETIRED = "retired"


class SignalKind(StrEnum):
    STRONG = "strong"
    RECITED = "recited"
    WEAK = "weak"


class Scoring(StrEnum):
    SCORED = "scored"
    TRIAL = "trial"


class BranchOutcome(StrEnum):
    """On which outcome of its parent a follow-up is asked; none of them means any."""

    SUSTAINED = "sustained"
    PARTIAL = "partial"
    RECITED = "recited"
    NOT_SUSTAINED = "not_sustained"
