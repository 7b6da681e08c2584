"""Compiling the panel scorecard, and proving that a kept one can be compiled again."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from interviews.models import Application
from people.jobs import enqueue, enqueue_many
from scoring.models import PanelScorecard
from scoring.queries.panel import load_inputs, newest_panel
from scoring.rules import (
    CODE_VERSION,
    InputsUnreadable,
    PanelInputs,
    as_json,
    compile_panel,
    differences,
    digest,
    digest_of,
    from_json,
)

logger = logging.getLogger("sounding.panels")


def ask_for_panel(application: int) -> None:
    """Have the panel card of an application compiled; asked several times within a second, once.

    For whatever changes what a card is made of, in the transaction that changes it.
    """
    with transaction.atomic():
        enqueue("scoring.compile_panel", key=f"panel:{application}", delay=1, application=application)


EACH = 0.5
"""Seconds between two of the cards that are compiled after a calibration or a change of plan."""


def ask_for_panels(applications: Iterable[int]) -> None:
    """Have many panel cards compiled one after the other, while other work goes on."""
    jobs = {f"panel:{application}": {"application": application} for application in applications}
    with transaction.atomic():
        enqueue_many("scoring.compile_panel", jobs, delay=1, each=EACH)


def ask_for_panels_under(*, plan: int | None = None, position: int | None = None) -> None:
    """Have the panel cards compiled that stand under a plan, or under a position: coverage is read by the plan.

    Those that nobody's card made yet are compiled when one comes, and what is erased has no inputs any more.
    """
    compiled = PanelScorecard.objects.filter(application=OuterRef("pk"))
    applications = Application.objects.filter(Exists(compiled), erased_at__isnull=True)
    under = applications.filter(position=position) if plan is None else applications.filter(position__plan=plan)
    ask_for_panels(under.order_by("pk").values_list("pk", flat=True))


def ask_for_outdated() -> int:
    """Have the panel cards compiled that no run of this code has made, after an upgrade; return how many."""
    compiled = PanelScorecard.objects.filter(application=OuterRef("pk"))
    outdated = Application.objects.filter(
        Exists(compiled), ~Exists(compiled.filter(code_version=CODE_VERSION)), erased_at__isnull=True
    )
    found = list(outdated.order_by("pk").values_list("pk", flat=True))
    if found:
        ask_for_panels(found)
    return len(found)


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
            calibration_id=_run(inputs),
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
    """`places`: where what is kept and what is found now differ, each in words (scoring.rules.differences)."""

    card: PanelScorecard
    findings: tuple[Finding, ...]
    places: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.findings


def verify(card: PanelScorecard) -> Verification:
    """Compile a kept card again from its kept inputs, and the current one from the tables too; compare everything.

    A card of another code version is only held against its digest: inputs and content may rightly look otherwise.
    """
    findings = [] if digest_of(card.inputs) == card.digest else [Finding.DIGEST_DIFFERS]
    if card.code_version != CODE_VERSION:
        return Verification(card, (*findings, Finding.OTHER_CODE))
    try:
        inputs = from_json(card.inputs)
    except InputsUnreadable as error:
        logger.warning("panel card %s: %s", card.pk, error)
        return Verification(card, (*findings, Finding.UNREADABLE), (str(error),))
    places = differences(_whole(card.content, card.calibration_id), _whole(compile_panel(inputs), _run(inputs)))
    if places:
        findings.append(Finding.CONTENT_DIFFERS)
    newest = newest_panel(card.application_id)
    if newest is not None and newest.pk == card.pk:
        moved = differences(card.inputs, as_json(load_inputs(card.application_id)), "inputs")
        if moved and not findings:
            findings.append(Finding.INPUTS_MOVED)
            places += moved
    return Verification(card, tuple(findings), tuple(places))


def verify_all(application: int) -> list[Verification]:
    """Verify every card that was ever compiled for an application, oldest first."""
    return [verify(card) for card in PanelScorecard.objects.filter(application=application).order_by("number")]


def _whole(content: dict[str, Any], run: int | None) -> dict[str, Any]:
    return {"content": content, "calibration": run}


def _run(inputs: PanelInputs) -> int | None:
    return inputs.calibration.run if inputs.calibration else None
