"""Inputs of a panel card, written by hand: "2+d3w1" is level 2, sustained, depth 3, why 1."""

from __future__ import annotations

from typing import Any

from interviews.enums import Aid, Aim, Outcome, Role
from scoring.enums import Recommendation
from scoring.rules import AskedIn, EndingIn, MarkIn, PanelInputs, ProbeIn, RaterIn, Ratings, RevisionIn, TreeIn

ANA, BO, CHEN, SIM = 11, 12, 13, 14
DATA_PARALLEL, ZERO, EVALUATION, AGENTS = 1, 2, 3, 4
AIMS = {"d": Aim.DEPTH, "w": Aim.WHY, "h": Aim.HANDS_ON}
OUTCOMES = {
    "+": (Outcome.SUSTAINED, Aid.UNAIDED),
    "p": (Outcome.PARTIAL, Aid.UNAIDED),
    "r": (Outcome.RECITED, Aid.UNAIDED),
    "-": (Outcome.NOT_SUSTAINED, Aid.UNAIDED),
    "T": (Outcome.SUSTAINED, Aid.TOLD),
    "?": (Outcome.NOT_JUDGED, None),
}


def tree(number: int, *, top: int = 4, **more: Any) -> TreeIn:
    probes = tuple(ProbeIn(f"p{level}", level, (Aim.DEPTH, Aim.WHY), 3) for level in range(1, top + 1))
    return TreeIn(id=number, topic=number * 10, order=number, top_level=top, required=True, probes=probes, **more)


def mark(tree: int, said: str, *, interview: int = 0, **more: Any) -> MarkIn:
    """Read "2+d3w1": level 2, sustained, depth 3, why 1."""
    outcome, aid = OUTCOMES[said[1]]
    pairs = dict(zip(said[2::2], map(int, said[3::2]), strict=True))
    fields: dict[str, Any] = {
        "asked": f"{interview}-{tree}-{said[0]}",
        "interview": interview,
        "order": tree * 10 + int(said[0]),
        "tree": tree,
        "probe": f"p{said[0]}",
        "level": int(said[0]),
        "aims": tuple(AIMS[aim] for aim in pairs) or (Aim.DEPTH,),
        "outcome": outcome,
        "aid": aid,
        "ratings": Ratings(depth=pairs.get("d"), why=pairs.get("w"), hands_on=pairs.get("h")),
    }
    return MarkIn(**(fields | more))


def revision(number: int, *marks: MarkIn, endings: tuple[EndingIn, ...] = (), **more: Any) -> RevisionIn:
    fields: dict[str, Any] = {
        "id": number,
        "number": 1,
        "interview": 0,
        "recommendation": Recommendation.YES,
        "independent": True,
        "marks": marks,
        "endings": endings,
    }
    return RevisionIn(**(fields | more))


def rater(person: int, *revisions: RevisionIn, role: Role = Role.INTERVIEWER, **more: Any) -> RaterIn:
    fields: dict[str, Any] = {
        "person": person,
        "role": role,
        "order": person,
        "latest": revisions,
        "last_independent": tuple(r for r in revisions if r.independent),
        "first": revisions,
    }
    return RaterIn(**(fields | more))


def panel(*raters: RaterIn, trees: tuple[TreeIn, ...] = (tree(1), tree(2)), **more: Any) -> PanelInputs:
    marks = {m.asked: m for r in raters for v in r.latest for m in v.marks}
    asked = tuple(
        AskedIn(m.asked, m.interview, m.order, m.tree, m.probe, m.level, m.aims, m.scored, m.voided)
        for m in marks.values()
    )
    fields: dict[str, Any] = {"application": 7, "required_aims": (), "trees": trees, "asked": asked, "raters": raters}
    return PanelInputs(**(fields | more))


THREE = panel(
    rater(ANA, revision(101, mark(1, "1+d4w4"), mark(1, "2+d3w3"), mark(2, "1+d4"), mark(2, "2+d4")), role=Role.LEAD),
    rater(BO, revision(102, mark(1, "1+d2w1"), mark(1, "2-d2w1"), mark(2, "1+d2"), mark(2, "2Td4"))),
    rater(CHEN, revision(103, mark(1, "1+d3"), mark(1, "2rd3w2"), mark(2, "1+d4"))),
)
