"""`manage.py simulate SCRIPT`: scripted people hold an interview at a running server (docs/simulation.md)."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from people.json_results import check_json_path, write_json
from scoring.simulation.browser import Unreachable, Unsure
from scoring.simulation.pages import CODE, CannotPlay, Places
from scoring.simulation.play import Stage, play
from scoring.simulation.reading import BadScript, load
from scoring.simulation.report import report

UNUSABLE = 2


class Command(BaseCommand):
    help = (
        "Play a script's people against a running server, over HTTP and WebSocket alone. "
        "Exits with 0 when all that the script expects holds, 1 when not or if it can't be played, 2 for a bad script."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("script", type=Path, help="a YAML file; docs/simulation.md has an example")
        parser.add_argument("--url", type=site, default=settings.SITE_URL, help="the server (default: %(default)s)")
        parser.add_argument("--interview", type=code, metavar="CODE", help="play in this one, make none")
        parser.add_argument("--link", default="", metavar="URL", help="the candidate's link, if nobody can make one")
        parser.add_argument("--password", default="", help="of all these people (default: DEMO_PASSWORD)")
        parser.add_argument("--pace", type=pace, metavar="N", help="N times faster than life; 0 = wait for no time")
        parser.add_argument("--patience", type=float, default=60.0, metavar="S", help="give up after S idle seconds")
        parser.add_argument("--json", metavar="PATH", help="write the outcome as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        check_json_path(options["json"])
        try:
            script = load(options["script"])
        except BadScript as bad:
            raise CommandError(str(bad), returncode=UNUSABLE) from None
        quiet = options["json"] == "-"
        stage = Stage(
            site=options["url"],
            places=places(),
            password=options["password"] or demo_password(),
            interview=options["interview"] or "",
            link=options["link"],
            pace=options["pace"],
            patience=options["patience"],
            say=lambda line: self.stderr.write(line, self.style.NOTICE) if options["verbosity"] > 1 else None,
        )
        try:
            outcome = asyncio.run(play(script, stage))
        except (CannotPlay, Unreachable, Unsure) as error:
            raise CommandError(str(error)) from None
        if not quiet:
            self.stdout.write(report(outcome))
        write_json(options["json"], json.dumps(outcome.as_json(), ensure_ascii=False, indent=2), self.stdout)
        if outcome.failures:
            raise CommandError("\n".join(outcome.failures) if quiet else "the outcome is not what the script expects")


def places() -> Places:
    """The paths of this version of the site; a server of another version may have others."""
    return Places(
        sign_in=reverse("account_login"),
        preferences=reverse("people:preferences"),
        position_create=reverse("interviews:position-create"),
        application_create=reverse("interviews:application-create", args=[UUID(CODE)]),
        interview_create=reverse("interviews:interview-create", args=[UUID(CODE)]),
        interview=reverse("interviews:interview-detail", args=[UUID(CODE)]),
        link_reissue=reverse("interviews:link-reissue", args=[UUID(CODE)]),
        my_card=reverse("scoring:my-card", args=[UUID(CODE)]),
        panel=reverse("scoring:panel", args=[UUID(CODE)]),
        socket=f"/ws/interviews/{CODE}/",
    )


def demo_password() -> str:
    """DEMO_PASSWORD, or else the one that `make demo` keeps in VAR for whoever may read it."""
    if settings.DEMO_PASSWORD:
        return str(settings.DEMO_PASSWORD)
    try:
        return (settings.VAR / "demo-password").read_text(encoding="utf-8").strip()
    except OSError:
        raise CommandError("no password: give --password, or set DEMO_PASSWORD") from None


def site(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ArgumentTypeError(f"{value!r} is no site: write it like http://127.0.0.1:8000")
    return f"{parts.scheme}://{parts.netloc}"


def code(value: str) -> str:
    try:
        return str(UUID(value))
    except ValueError:
        raise ArgumentTypeError(f"{value!r} is no code of an interview: it stands in the address of its page") from None


def pace(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise ArgumentTypeError(f"{value!r} is no pace: 1 is life, 60 a minute in a second, 0 no waiting")
    return number
