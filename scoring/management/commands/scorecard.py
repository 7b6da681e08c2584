"""manage.py scorecard rebuild ID [--verify] [--json PATH]: compile a panel card again, or prove that it can be."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from interviews.models import Application
from people.json_results import STANDARD_OUTPUT, check_json_path, write_json
from scoring.models import PanelScorecard
from scoring.queries.panel import newest_panel
from scoring.services.panels import compile_application, verify


class Command(BaseCommand):
    help = "Compile a panel scorecard again; with --verify, change nothing and say whether it is reproduced."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["rebuild"])
        parser.add_argument("id", help="number of a panel card, or code of an application (its current card)")
        parser.add_argument("--verify", action="store_true", help="compare only; exit 1 if anything differs")
        parser.add_argument("--json", metavar="PATH", help="write the result as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        check_json_path(options["json"])
        application, card = find(options["id"])
        if not options["verify"]:
            card = compile_application(application.pk)
        if card is None:
            raise CommandError(f"{options['id']}: no panel card was compiled yet; run without --verify to make one")
        findings = list(verify(card).findings)
        answer = {
            "application": str(application.code),
            "card": card.pk,
            "number": card.number,
            "digest": card.digest,
            "code_version": card.code_version,
            "verified": not findings,
            "findings": [finding.value for finding in findings],
        }
        self.answer(answer, options["json"])
        if findings:
            raise CommandError(f"panel card {card.pk} is not reproduced: {', '.join(findings)}")

    def answer(self, answer: dict[str, Any], path: str | None) -> None:
        write_json(path, json.dumps(answer), self.stdout)
        if path == STANDARD_OUTPUT:
            return
        word = "reproduced" if answer["verified"] else "NOT reproduced"
        self.stdout.write(f"panel card {answer['number']} of application {answer['application']}: {word}")


def find(name: str) -> tuple[Application, PanelScorecard | None]:
    """Find a card by its number, or an application by its code."""
    if name.isdecimal():
        card = PanelScorecard.objects.select_related("application").filter(pk=int(name)).first()
        if card is None:
            raise CommandError(f"{name}: there is no such panel card")
        return card.application, card
    try:
        code = UUID(name)
    except ValueError:
        raise CommandError(f"{name}: give the number of a panel card or the code of an application") from None
    application = Application.objects.filter(code=code).first()
    if application is None:
        raise CommandError(f"{name}: there is no such application")
    return application, newest_panel(application.pk)
