"""What a calibration is made from: the panel cards of closed applications."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from scoring.models import PanelScorecard
from scoring.queries.panel import load_inputs
from scoring.rules import InputsUnreadable, PanelInputs, from_json


def load_panels(applications: Collection[int], *, by: datetime | None = None) -> list[PanelInputs]:
    """Return the inputs of each application's current panel card, or of its card at the moment `by`, in the order of
    applications; one query.

    A card kept in a shape of before is read from the tables instead. Applications without a card are left out.
    """
    compiled = PanelScorecard.objects.filter(application__in=applications)
    if by is not None:
        compiled = compiled.filter(compiled_at__lte=by)
    cards = compiled.order_by("application", "-number").distinct("application").values_list("application", "inputs")
    return [_inputs(application, kept) for application, kept in cards.iterator(chunk_size=200)]


def _inputs(application: int, kept: object) -> PanelInputs:
    try:
        return from_json(kept)
    except InputsUnreadable:
        return load_inputs(application)
