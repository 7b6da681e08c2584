"""Many candidates of a position with panel cards, without playing an interview for each."""

from __future__ import annotations

import copy
import uuid
from typing import Any

from interviews.enums import InterviewStatus
from interviews.models import Application, Candidate, CandidateIdentity, Interview, Position, Room, Seat
from scoring.models import PanelScorecard
from scoring.queries.panel import newest_panel
from scoring.rules.calibrated import STEPS


def copy_card(model: Application, position: Position, count: int, *, name: str = "Copy") -> list[Application]:
    """Make `count` candidates of the position whose panel card says what `model`'s does, all in and readable.

    Each has an interview that is over, with the seats of `model`'s first; nothing was asked there.
    """
    card = newest_panel(model.pk)
    assert card is not None
    candidates = Candidate.objects.bulk_create(Candidate() for _ in range(count))
    CandidateIdentity.objects.bulk_create(
        CandidateIdentity(candidate=candidate, name=f"{name} {number}")
        for number, candidate in enumerate(candidates, start=1)
    )
    applications = Application.objects.bulk_create(
        Application(position=position, candidate=candidate) for candidate in candidates
    )
    PanelScorecard.objects.bulk_create(
        PanelScorecard(
            application=application,
            number=1,
            digest=card.digest,
            code_version=card.code_version,
            inputs=card.inputs,
            content=card.content,
        )
        for application in applications
    )
    _hold(model, applications)
    return applications


def _hold(model: Application, applications: list[Application]) -> None:
    held = model.interviews.earliest("pk")
    codes = [uuid.uuid4() for _ in applications]
    rooms = Room.objects.bulk_create(Room(kind="interview", code=code) for code in codes)
    interviews = Interview.objects.bulk_create(
        Interview(
            code=room.code,
            application=application,
            room=room,
            status=InterviewStatus.ENDED,
            starts_at=held.starts_at,
            started_at=held.started_at,
            ended_at=held.ended_at,
        )
        for room, application in zip(rooms, applications, strict=True)
    )
    Seat.objects.bulk_create(
        Seat(
            interview=interview,
            person=seat.person,
            role=seat.role,
            card_owed=seat.card_owed,
            card_submitted_at=seat.card_submitted_at,
        )
        for interview in interviews
        for seat in held.seats.all()
    )


def calibrate(application: Application, **aims: tuple[float, float, float]) -> PanelScorecard:
    """Give the application a panel card with calibrated values: aim -> (value, low, high)."""
    card = newest_panel(application.pk)
    assert card is not None
    content: dict[str, Any] = copy.deepcopy(card.content)
    for aim, (value, low, high) in aims.items():
        steps = [{"step": step, "after": value, "moves": 0.0} for step in STEPS]
        given = {"value": value, "low": low, "high": high, "ratings": 9, "steps": steps}
        content["dimensions"][aim] |= {"calibrated": given, "calibrated_missing": None}
    fields = {"digest": card.digest, "code_version": card.code_version, "inputs": card.inputs, "content": content}
    return PanelScorecard.objects.create(application=application, number=card.number + 1, **fields)
