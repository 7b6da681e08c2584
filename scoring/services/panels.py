"""Compiling the panel scorecard, and proving that a kept one can be compiled again."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction

from interviews.models import Application
from scoring.models import PanelScorecard
from scoring.queries.panel import load_inputs, newest_panel
from scoring.rules import CODE_VERSION, InputsUnreadable, as_json, compile_panel, digest, from_json

logger = logging.getLogger("sounding.panels")


def compile_application(application: int) -> PanelScorecard | None:
    """Compile the panel card of an application and return the current one; None if there is no such application.

    The same inputs make one card, however often this runs: two workers wait for each other at the application's row,
    and the second finds the first one's digest.
    """
    with transaction.atomic():
        if not Application.objects.select_for_update(no_key=True).filter(pk=application).exists():
            logger.info("no application %s to compile a panel card for", application)
            return None
        inputs = load_inputs(application)
        found = digest(inputs)
        newest = newest_panel(application)
        if newest is not None and (newest.digest, newest.code_version) == (found, CODE_VERSION):
            return newest
        return PanelScorecard.objects.create(
            application_id=application,
            number=newest.number + 1 if newest else 1,
            digest=found,
            code_version=CODE_VERSION,
            inputs=as_json(inputs),
            content=compile_panel(inputs),
        )


class Finding(StrEnum):
    """What is wrong with a kept card; nothing found means it is reproduced."""

    UNREADABLE = "unreadable"
    DIGEST_DIFFERS = "digest_differs"
    CONTENT_DIFFERS = "content_differs"
    OTHER_CODE = "other_code"
    INPUTS_MOVED = "inputs_moved"


@dataclass(frozen=True, slots=True)
class Verification:
    card: PanelScorecard
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        return not self.findings


def verify(card: PanelScorecard) -> Verification:
    """Compile a kept card again from its kept inputs, and the current one from the tables too; compare everything.

    A card of another code version is only compared by its inputs: its content may rightly differ.
    """
    try:
        inputs = from_json(card.inputs)
    except InputsUnreadable as error:
        logger.warning("panel card %s: %s", card.pk, error)
        return Verification(card, (Finding.UNREADABLE,))
    findings = []
    if digest(inputs) != card.digest:
        findings.append(Finding.DIGEST_DIFFERS)
    if card.code_version != CODE_VERSION:
        findings.append(Finding.OTHER_CODE)
    elif compile_panel(inputs) != card.content:
        findings.append(Finding.CONTENT_DIFFERS)
    newest = newest_panel(card.application_id)
    if newest is not None and newest.pk == card.pk and digest(load_inputs(card.application_id)) != card.digest:
        findings.append(Finding.INPUTS_MOVED)
    return Verification(card, tuple(findings))
