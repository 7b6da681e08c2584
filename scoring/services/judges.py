"""Making automatic judges and their tokens, and saying where they count."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.db.models import Case, F, PositiveIntegerField, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.models import Position
from interviews.queries.links import token_hash
from people import audit
from people.models import Person
from people.refusal import Refused
from scoring.enums import JudgeKind
from scoring.models import Judge, JudgeTerms, PanelScorecard
from scoring.rules.judging import REQUESTS, WINDOW
from scoring.services.panels import ask_for_panel


def make_judge(*, by: Person, name: str, kind: JudgeKind, version: str) -> tuple[Judge, str]:
    """Make a judge, and return it with its token, which is kept nowhere. Raises Refused for a version that exists."""
    name, version = " ".join(name.split()), " ".join(version.split())
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        judge, made = Judge.objects.get_or_create(
            name=name,
            version=version,
            defaults={"kind": kind, "created_by": by, "token_hash": token_hash(token)},
        )
        if not made:
            raise Refused(_("There is a judge of this name and version already."), field="version")
        audit.record(by, "judge.made", judge)
    return judge, token


def renew_token(*, judge: Judge, by: Person) -> str:
    """Give a judge another token; the one before is worth nothing any more. Raises Refused for a closed judge."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        now = timezone.now()
        open_ones = Judge.objects.filter(pk=judge.pk, closed_at__isnull=True)
        if not open_ones.update(token_hash=token_hash(token), token_made_at=now):
            raise Refused(_("This judge is closed. Make another one."))
        audit.record(by, "judge.token", judge)
    return token


def close_judge(*, judge: Judge, by: Person) -> None:
    """Take no more ratings of a judge. What it said stays."""
    with transaction.atomic():
        if Judge.objects.filter(pk=judge.pk, closed_at__isnull=True).update(closed_at=timezone.now()):
            audit.record(by, "judge.closed", judge)


def admit(judge: Judge) -> bool:
    """Count a request of a judge; False once there were too many in the last minute. One statement, no lock kept."""
    now = timezone.now()
    fresh = When(metered_from__lte=now - WINDOW, then=Value(1))
    Judge.objects.filter(pk=judge.pk).update(
        metered=Case(fresh, default=F("metered") + 1, output_field=PositiveIntegerField()),
        metered_from=Case(When(metered_from__lte=now - WINDOW, then=Value(now)), default=F("metered_from")),
    )
    return Judge.objects.filter(pk=judge.pk, metered__lte=REQUESTS).exists()


def let_judges_count(*, position: Position, by: Person, counts: bool) -> None:
    """Say whether judges' ratings count in the calibrated values of a position; its panel cards are compiled again.

    The caller fetched the position with the right to it (views.access.managed_position).
    """
    with transaction.atomic():
        terms, _made = JudgeTerms.objects.get_or_create(position=position)
        if terms.counts == counts:
            return
        JudgeTerms.objects.filter(pk=terms.pk).update(counts=counts)
        audit.record(by, "judge.counts", position, counts=counts)
        compiled = PanelScorecard.objects.filter(application__position=position)
        for application in compiled.values_list("application", flat=True).distinct():
            ask_for_panel(application)
