"""manage.py scorecard rebuild ID [--verify] [--json PATH]: compile a panel card again, or prove that it can be."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from interviews.models import Application
from people.json_results import STANDARD_OUTPUT, check_json_path, write_json
from scoring.models import PanelScorecard
from scoring.rules import CODE_VERSION
from scoring.services.panels import Finding, Verification, compile_application, verify, verify_all


class Code(IntEnum):
    """Exit codes beside 0, all reproduced."""

    DIFFERS = 1
    NOT_FOUND = 2
    OTHER_CODE = 3


SAID = {
    Finding.UNREADABLE: "its inputs can't be read",
    Finding.DIGEST_DIFFERS: "its inputs are not those of its digest",
    Finding.CONTENT_DIFFERS: "its content is not what its inputs give",
    Finding.INPUTS_MOVED: "what it was compiled from has changed since; if no compile is under way, rebuild it",
}


class Command(BaseCommand):
    help = (
        "Compile a panel scorecard again; with --verify, change nothing and say of every card of an application whether"
        " it is reproduced. Exit codes: 0 all are, 1 something differs, 2 no such card, 3 made by other code, which"
        " alone can compare it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["rebuild"])
        named = "code of an application (all its cards), or id of one panel card (card in --json)"
        parser.add_argument("id", help=named)
        parser.add_argument("--verify", action="store_true", help="change nothing, only compare")
        parser.add_argument("--json", metavar="PATH", help="write the result as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        check_json_path(options["json"])
        application, card = find(options["id"])
        if not options["verify"]:
            card = compile_application(application.pk)
        found = [verify(card)] if card is not None else verify_all(application.pk)
        if not found:
            words = f"{options['id']}: no panel card was compiled yet; run without --verify to make one"
            raise CommandError(words, returncode=Code.NOT_FOUND)
        self.answer(application, found, options["json"])
        self.judge(found)

    def answer(self, application: Application, found: Sequence[Verification], path: str | None) -> None:
        answer = {
            "application": str(application.code),
            "verified": all(one.holds for one in found),
            "cards": [_as_json(one) for one in found],
        }
        write_json(path, json.dumps(answer), self.stdout)
        if path == STANDARD_OUTPUT:
            return
        for one in found:
            self.stdout.write(f"panel card {one.card.number} of application {application.code}: {in_words(one)}")
            for place in one.places:
                self.stdout.write(f"  {place}")

    def judge(self, found: Iterable[Verification]) -> None:
        failed = [one for one in found if not one.holds]
        wrong = [one for one in failed if one.findings != (Finding.OTHER_CODE,)]
        if wrong:
            raise CommandError(f"{_named(wrong)} not reproduced: {_codes(wrong)}", returncode=Code.DIFFERS)
        if failed:
            words = f"{_named(failed)} made by other code, which alone can compare it: {_codes(failed)}"
            raise CommandError(words, returncode=Code.OTHER_CODE)


def in_words(one: Verification) -> str:
    if one.holds:
        return "reproduced"
    said = [SAID[finding] for finding in one.findings if finding in SAID]
    if said:
        return f"NOT reproduced: {'; '.join(said)}"
    return f"inputs whole; made by {one.card.code_version}, can't be compared by {CODE_VERSION}"


def _named(found: Sequence[Verification]) -> str:
    numbers = ", ".join(str(one.card.number) for one in found)
    return f"panel card{'s' if len(found) > 1 else ''} {numbers}"


def _codes(found: Iterable[Verification]) -> str:
    return ", ".join(dict.fromkeys(finding.value for one in found for finding in one.findings))


def _as_json(one: Verification) -> dict[str, Any]:
    card = one.card
    return {
        "card": card.pk,
        "number": card.number,
        "digest": card.digest,
        "code_version": card.code_version,
        "calibration": card.calibration_id,
        "verified": one.holds,
        "findings": [finding.value for finding in one.findings],
        "places": list(one.places),
    }


def find(name: str) -> tuple[Application, PanelScorecard | None]:
    """Find one card by its id, or an application by its code; then no card in particular is meant."""
    if name.isdecimal():
        card = PanelScorecard.objects.select_related("application").filter(pk=int(name)).first()
        if card is None:
            raise CommandError(f"{name}: there is no such panel card", returncode=Code.NOT_FOUND)
        return card.application, card
    try:
        code = UUID(name)
    except ValueError:
        words = f"{name}: give the code of an application or the number of a panel card"
        raise CommandError(words, returncode=Code.NOT_FOUND) from None
    application = Application.objects.filter(code=code).first()
    if application is None:
        raise CommandError(f"{name}: there is no such application", returncode=Code.NOT_FOUND)
    return application, None
