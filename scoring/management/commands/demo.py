"""`manage.py demo --prepare`: the data that `make demo` shows. Called at every start, before the web server is up."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from interviews.services.refusal import Refusal
from people.refusal import Refused
from questionbank.services.importing import ImportRefused
from scoring.demo.people import PEOPLE
from scoring.demo.prepare import prepare
from scoring.simulation.browser import is_loopback


class Command(BaseCommand):
    help = "Bring the demo's people, bank and interviews to where they should be; what is there stays."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--prepare", action="store_true", required=True, help="make what is missing")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_strangers()
        if not settings.DEMO_PASSWORD:
            raise CommandError("DEMO_PASSWORD is not set: it is the password that the demo people get.")
        try:
            prepared = prepare(settings.DEMO_PASSWORD)
        except (ImportRefused, Refused, Refusal) as refused:
            raise CommandError(f"the demo's data could not be made: {refused}") from None
        self.stdout.write(f"people: {', '.join(one.email for one in PEOPLE)}")
        self.stdout.write(f"finished interview: {prepared.finished.code}")
        self.stdout.write(f"running interview: {prepared.live.code if prepared.live else 'none'}")
        for note in prepared.notes:
            self.stdout.write(note)


def refuse_strangers() -> None:
    """The demo people's password is printed on a screen: only for this machine, or for somebody debugging."""
    if not settings.DEBUG and not is_loopback(settings.SITE_URL):
        raise CommandError(
            f"The demo accounts can't be loaded for {urlsplit(settings.SITE_URL).hostname} with DEBUG off: "
            "they are for one machine. Unset SITE_URL, or make people with `manage.py createsuperuser` and the pages."
        )
