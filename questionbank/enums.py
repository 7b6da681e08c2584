"""The closed lists of the question bank. Pure values: no Django, so readers, rules and the wire share them.

Members stand in the order in which pages and files show them.
"""

from __future__ import annotations

from enum import StrEnum


class Aim(StrEnum):
    """What a probe is asked for: how deep, for which reasons, from which practice."""

    DEPTH = "depth"
    WHY = "why"
    HANDS_ON = "hands_on"


class ProbeKind(StrEnum):
    """What a probe does to the level: `check` asks whether it holds, `probe` pushes one up, `rescue` tries it again."""

    CHECK = "check"
    PROBE = "probe"
    RESCUE = "rescue"


class SignalKind(StrEnum):
    """What a signal speaks for."""

    STRONG = "strong"
    RECITED = "recited"
    WEAK = "weak"


class Purpose(StrEnum):
    """What a tree is for: to find one edge, or to see how many fields a person has walked."""

    BOUNDARY = "boundary"
    BREADTH = "breadth"


class BranchOutcome(StrEnum):
    """On which outcome of its parent a follow-up is asked; an empty set of them means any."""

    SUSTAINED = "sustained"
    PARTIAL = "partial"
    RECITED = "recited"
    NOT_SUSTAINED = "not_sustained"


class Status(StrEnum):
    """The life of a version, in its order."""

    DRAFT = "draft"
    IN_REVIEW = "in_review"
    PUBLISHED = "published"
    RETIRED = "retired"
