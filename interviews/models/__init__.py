from __future__ import annotations

from interviews.models.chat import ChatLine
from interviews.models.hiring import Application, Attachment, Candidate, CandidateIdentity, Claim, Position
from interviews.models.interview import (
    Attendance,
    CandidateLink,
    Consent,
    Interview,
    PinnedTree,
    PlannedSeat,
    Seat,
)
from interviews.models.judgement import (
    AdHocProbe,
    Asked,
    Boundary,
    Evidence,
    Mark,
    Note,
    Reason,
    Reveal,
    Unsealed,
    Void,
)
from interviews.models.log import Command, Event, Room, Stream
from interviews.models.preparing import PreparationNote
from interviews.models.text import Text
from interviews.models.tree_edit import TreeEdit

__all__ = [
    "AdHocProbe",
    "Application",
    "Asked",
    "Attachment",
    "Attendance",
    "Boundary",
    "Candidate",
    "CandidateIdentity",
    "CandidateLink",
    "ChatLine",
    "Claim",
    "Command",
    "Consent",
    "Event",
    "Evidence",
    "Interview",
    "Mark",
    "Note",
    "PinnedTree",
    "PlannedSeat",
    "Position",
    "PreparationNote",
    "Reason",
    "Reveal",
    "Room",
    "Seat",
    "Stream",
    "Text",
    "TreeEdit",
    "Unsealed",
    "Void",
]
