"""Many candidates of a position with panel cards, without playing an interview for each."""

from __future__ import annotations

import copy
from typing import Any

from interviews.models import Application, Candidate, CandidateIdentity, Position
from scoring.models import PanelScorecard
from scoring.queries.panel import newest_panel


def copy_card(model: Application, position: Position, count: int, *, name: str = "Copy") -> list[Application]:
    """Make `count` candidates of the position whose panel card says what `model`'s does, all in and readable."""
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
    return applications


def calibrate(application: Application, **aims: tuple[float, float, float]) -> PanelScorecard:
    """Give the application a panel card with calibrated values: aim -> (value, low, high)."""
    card = newest_panel(application.pk)
    assert card is not None
    content: dict[str, Any] = copy.deepcopy(card.content)
    for aim, (value, low, high) in aims.items():
        content["dimensions"][aim] |= {
            "calibrated": {"value": value, "low": low, "high": high},
            "calibrated_missing": None,
        }
    fields = {"digest": card.digest, "code_version": card.code_version, "inputs": card.inputs, "content": content}
    return PanelScorecard.objects.create(application=application, number=card.number + 1, **fields)
