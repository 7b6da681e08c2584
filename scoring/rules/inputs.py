"""What a panel scorecard is compiled from: ids, enumerations, numbers and salted digests of texts, nothing else.

Every list may come in any order; `canonical.in_order` puts them into the one that digests and readings use.
"""

from __future__ import annotations

from dataclasses import dataclass

from interviews.enums import Aid, Aim, Confidence, Ended, Outcome, Role
from scoring.enums import Recommendation, StatementKind

FORMAT = 3


@dataclass(frozen=True, slots=True)
class Ratings:
    """0 to 4, as given; None = not given."""

    depth: int | None = None
    why: int | None = None
    hands_on: int | None = None

    def of(self, aim: Aim) -> int | None:
        return {Aim.DEPTH: self.depth, Aim.WHY: self.why, Aim.HANDS_ON: self.hands_on}[aim]


@dataclass(frozen=True, slots=True)
class MarkIn:
    """One person's mark on one asking.

    `interview`, `order`: the interview's place in the loop and the asked order in it. `probe`: its key in the tree, so
    that asking it twice is seen; an ad-hoc probe's is its own id.
    """

    asked: str
    interview: int
    order: int
    tree: int
    probe: str
    level: int
    aims: tuple[Aim, ...]
    scored: bool = True
    retracted: bool = False
    voided: bool = False
    outcome: Outcome | None = None
    aid: Aid | None = None
    ratings: Ratings = Ratings()
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class StatementIn:
    """Evidence, a reason or a note. `type` is blank for notes; `text` is a salted digest."""

    id: int
    kind: StatementKind
    asked: str | None
    type: str
    aid: str
    text: str


@dataclass(frozen=True, slots=True)
class EndingIn:
    """What a person said about where a tree ended; `override_reason` is a salted digest."""

    tree: int
    interview: int
    reason: Ended | None
    override_floor: int | None = None
    override_ceiling: int | None = None
    override_reason: str | None = None


@dataclass(frozen=True, slots=True)
class RevisionIn:
    """One revision of one card. `summary`, `reason` and `amendment` are salted digests."""

    id: int
    number: int
    interview: int
    recommendation: Recommendation
    independent: bool
    summary: str | None = None
    reason: str | None = None
    amendment: str | None = None
    marks: tuple[MarkIn, ...] = ()
    statements: tuple[StatementIn, ...] = ()
    endings: tuple[EndingIn, ...] = ()


@dataclass(frozen=True, slots=True)
class RaterIn:
    """A person who judged; `order` gives the letter. A person with two interviews has revisions of both.

    `latest`: the newest revision of each interview. `last_independent`: the newest of each made without seeing others.
    `first`: what was submitted first of each, against which it is said what amendments moved.
    """

    person: int
    role: Role
    order: int
    latest: tuple[RevisionIn, ...]
    last_independent: tuple[RevisionIn, ...]
    first: tuple[RevisionIn, ...]


@dataclass(frozen=True, slots=True)
class ProbeIn:
    key: str
    level: int
    aims: tuple[Aim, ...]
    minutes: int
    scored: bool = True


@dataclass(frozen=True, slots=True)
class TreeIn:
    """A tree of the plan or of an interview, by the newest version pinned. `top_level`: deepest with a scored probe."""

    id: int
    topic: int
    order: int
    top_level: int
    misses_to_end: int = 2
    retry_unclear: bool = True
    optional: bool = False
    required: bool = False
    probes: tuple[ProbeIn, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedIn:
    """One asking that stands, whoever marked it."""

    asked: str
    interview: int
    order: int
    tree: int
    probe: str
    level: int
    aims: tuple[Aim, ...]
    scored: bool = True
    voided: bool = False


@dataclass(frozen=True, slots=True)
class CalibratedIn:
    """One dimension by a calibration run: points of the scale 0 to 4, on the position's reference set.

    `ratings`: how many went in. `raw`: the raw value that they give, which is not the panel card's where somebody
    submitted or amended after seeing others. `who_allowed`: allowing for who asked; `what_allowed`: and for what was
    asked; `value`: and for how little was seen. So the steps between them add up. `low` to `high` is 95%.
    """

    aim: Aim
    ratings: int
    raw: float
    who_allowed: float
    what_allowed: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SeverityIn:
    """How many points lower than the others a person marks (negative: higher), over so many interviews, as the run
    counts them.

    `assumed`: too little of it on candidates whom others rated too, so it was taken as average.
    """

    person: int
    points: float
    interviews: int
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class CalibrationIn:
    """What a calibration run says about the application. A dimension that it can't tell is left out."""

    run: int
    dimensions: tuple[CalibratedIn, ...]
    severities: tuple[SeverityIn, ...]


@dataclass(frozen=True, slots=True)
class PanelInputs:
    application: int
    required_aims: tuple[Aim, ...]
    trees: tuple[TreeIn, ...]
    asked: tuple[AskedIn, ...]
    raters: tuple[RaterIn, ...]
    calibration: CalibrationIn | None = None
    format: int = FORMAT
