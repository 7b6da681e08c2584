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
    PUBLISHED_UNREVIEWED = "published_unreviewed"
    RETIRED = "retired"


class DraftOp(StrEnum):
    """What an edit did to a draft."""

    CHANGE = "change"
    HEAD = "head"
    LANGUAGE = "language"
    ADD = "add"
    INSERT = "insert"
    MOVE = "move"
    DUPLICATE = "duplicate"
    REMOVE = "remove"
    UNDO = "undo"
    REDO = "redo"


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


class SuggestionKind(StrEnum):
    EDIT = "edit"
    FOLLOW_UP = "follow_up"


class SuggestionState(StrEnum):
    """`CHANGED`: taken up in other words than it came in."""

    OPEN = "open"
    ACCEPTED = "accepted"
    CHANGED = "changed"
    DECLINED = "declined"


class PairVerdict(StrEnum):
    """What a curator said of two probes that look alike."""

    OPEN = "open"
    DIFFERENT = "different"


class LastUsed(StrEnum):
    """When a probe was last asked, as far as its figures say; they are told by the month."""

    QUARTER = "quarter"
    YEAR = "year"
    NOT_YEAR = "not_year"
    NEVER = "never"


class UploadState(StrEnum):
    """Where files stand that somebody brings in by the browser."""

    UPLOADED = "uploaded"
    READING = "reading"
    PREVIEW = "preview"
    IMPORTING = "importing"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class UploadFailure(StrEnum):
    TOO_LONG = "too_long"
    CRASHED = "crashed"
    NO_RIGHT = "no_right"
