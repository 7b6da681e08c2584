"""Asking and judging in tests, as the room's services leave the rows; and handing cards in by the real service."""

from __future__ import annotations

import uuid
from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from interviews.enums import (
    Aid,
    Ended,
    EvidenceType,
    InterviewStatus,
    Outcome,
    ReasonType,
    StatementAid,
    TextKind,
    TreeOp,
)
from interviews.models import AdHocProbe, Asked, Boundary, Evidence, Interview, Mark, Note, Reason, Seat, TreeEdit
from interviews.sealed import OWING
from questionbank.models import Probe
from scoring.enums import Recommendation
from scoring.models import Revision
from scoring.queries.cards import working_card
from scoring.services.scorecards import submit_card
from tests.support.factories import Scene, make_text

_seqs = count(1)


def ask(by: Seat, probe: Probe | AdHocProbe, **fields: Any) -> Asked:
    seq = next(_seqs)
    source = {"adhoc": probe} if isinstance(probe, AdHocProbe) else {"probe": probe}
    made_at = fields.pop("made_at", by.interview.starts_at + timedelta(seconds=seq))
    return Asked.objects.create(
        id=uuid.uuid4(), interview=by.interview, by=by, seq=seq, made_at=made_at, **source, **fields
    )


def adhoc(
    scene: Scene, parent: Probe, *, aims: list[str], level: int, words: str = "And on your own machine?"
) -> AdHocProbe:
    text = make_text(scene.application, words, kind=TextKind.AD_HOC, author=scene.ana)
    own: AdHocProbe = AdHocProbe.objects.create(
        interview=scene.interview, parent=parent, kind="probe", aims=aims, level=level, text=text, language="en"
    )
    TreeEdit.objects.create(
        id=own.pk,
        interview=scene.interview,
        by=scene.ana,
        seq=next(_seqs),
        op=TreeOp.ADD,
        probe=f"{parent.version.tree.key}/{own.pk}",
        own=own,
    )
    Interview.objects.filter(pk=scene.interview.pk).update(has_own=True)
    return own


def judge(
    seat: Seat,
    asked: Asked,
    outcome: Outcome | None = Outcome.SUSTAINED,
    aid: Aid | None = Aid.UNAIDED,
    **ratings: int,
) -> Mark:
    mark = Mark(
        seat=seat,
        asked=asked,
        outcome=outcome,
        aid=aid,
        version=1,
        made_at=timezone.now(),
        judged_at=timezone.now(),
        **ratings,
    )
    mark.save(force_insert=True)
    return mark


def hear(
    seat: Seat, asked: Asked, what: EvidenceType | ReasonType, words: str, aid: StatementAid = StatementAid.UNAIDED
) -> Evidence | Reason:
    model, kind = (Evidence, TextKind.EVIDENCE) if isinstance(what, EvidenceType) else (Reason, TextKind.REASON)
    text = make_text(seat.interview.application, words, kind=kind, author=seat)
    row = model(
        id=uuid.uuid4(), seat=seat, asked=asked, type=what, aid=aid, text=text, version=1, made_at=timezone.now()
    )
    row.save(force_insert=True)
    return row


def note(seat: Seat, words: str, asked: Asked | None = None) -> Note:
    text = make_text(seat.interview.application, words, kind=TextKind.NOTE, author=seat)
    row = Note(seat=seat, interview=seat.interview, asked=asked, text=text, version=1, made_at=timezone.now())
    row.save(force_insert=True)
    return row


def end_tree(seat: Seat, asked: Asked, why: Ended, **override: Any) -> Boundary:
    assert asked.probe is not None
    row = Boundary(
        seat=seat,
        tree=asked.probe.version.tree,
        asked=asked,
        ended=why,
        said_at_seq=asked.seq,
        version=1,
        made_at=timezone.now(),
        **override,
    )
    row.save(force_insert=True)
    return row


def end(interview: Interview) -> None:
    """End an interview as conduct does for a panel where everyone was there."""
    interview.status, interview.ended_at = InterviewStatus.ENDED, timezone.now()
    interview.started_at = interview.started_at or interview.starts_at
    interview.save(update_fields=["status", "ended_at", "started_at"])
    Seat.objects.filter(interview=interview, role__in=OWING).update(card_owed=True)


def submit(
    seat: Seat,
    recommendation: Recommendation = Recommendation.YES,
    *,
    summary: str = "Counts before answering.",
    reason: str = "",
) -> Revision:
    """Hand the seat's card in."""
    seat = Seat.objects.select_related("interview__application__position", "person").get(pk=seat.pk)
    return submit_card(
        seat=seat,
        version=working_card(seat).version,
        summary=summary,
        recommendation=recommendation,
        reason=reason,
    )


def judged_scene(scene: Scene) -> dict[str, Asked]:
    """Three probes of the first tree and two of the second, judged by Ana, Bo and Chen, and the interview ended.

    Data-parallel: Ana 4, 3, 3 with a floor of 3 (time); Bo 2, 2, 1 missing level 2; Chen 3, 3 and a recital of level 3.
    Zero-stages: Ana alone. Why: Ana 4 and 3, Bo 1, so Bo has not enough.
    """
    root, l2, l3 = (ask(scene.ana, scene.probe(key)) for key in ("root", "l2", "l3"))
    zero, zero2 = (ask(scene.ana, scene.probe(key, 1)) for key in ("root", "l2"))
    judge(scene.ana, root, depth=4)
    judge(scene.ana, l2, depth=3, why=4)
    judge(scene.ana, l3, depth=3, hands_on=3)
    judge(scene.ana, zero, depth=4)
    judge(scene.ana, zero2, Outcome.PARTIAL, depth=2, why=3)
    hear(scene.ana, l3, EvidenceType.DEBUGGED, "Pinned the network interface after three days.")
    hear(scene.ana, l2, ReasonType.CHOICE, "Looks at the slowest link first.", StatementAid.PROMPTED)
    note(scene.ana, "Corrected 2x to 1.5x alone.", l2)
    end_tree(scene.ana, l3, Ended.TIME)
    judge(scene.bo, root, depth=2)
    judge(scene.bo, l2, Outcome.NOT_SUSTAINED, depth=2, why=1)
    judge(scene.bo, l3, Outcome.NOT_SUSTAINED, depth=1, hands_on=2)
    end_tree(scene.bo, l2, Ended.WRONG)
    judge(scene.chen, root, depth=3)
    judge(scene.chen, l2, depth=3, why=2)
    judge(scene.chen, l3, Outcome.RECITED, depth=4, hands_on=4)
    hear(scene.chen, l3, EvidenceType.READ_ABOUT, "From a blog post.")
    end_tree(scene.chen, l3, Ended.RECITED_ONLY)
    end(scene.interview)
    return {"root": root, "l2": l2, "l3": l3, "zero": zero, "zero2": zero2}
