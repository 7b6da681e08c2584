"""This app's word beside the seats of an interview that is being made. Importing this module adds it
(ScoringConfig.ready)."""

from __future__ import annotations

from people import lifecycle
from people.lifecycle import Called
from scoring.queries.pairing import pairing_advice
from scoring.reports.pairing import sentences


def pairing(seated: Called, free: Called, trees: Called) -> tuple[str, dict[str, object]] | None:
    advice = pairing_advice(list(seated), list(free), list(trees))
    return "scoring/pairing.html", {"sentences": sentences(advice, {**seated, **free}, trees)}


lifecycle.pairing_hints.append(pairing)
