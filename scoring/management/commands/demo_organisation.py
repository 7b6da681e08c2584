"""`manage.py demo_organisation`: forty interviewers and three hundred candidates, simulated, to look at calibration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from people.refusal import Refused
from questionbank.services.importing import ImportRefused
from scoring.demo.organisation import FEWEST, load_organisation
from scoring.demo.simulated import Size
from scoring.management.commands.demo import refuse_strangers


class Command(BaseCommand):
    help = "Load a simulated organisation, clearly marked, with its figures and its calibration; once."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        usual = Size()
        parser.add_argument("--interviewers", type=int, default=usual.interviewers, help="how many (%(default)s)")
        parser.add_argument("--candidates", type=int, default=usual.candidates, help="how many (%(default)s)")
        parser.add_argument("--seed", type=int, default=usual.seed, help="another seed tells another story")

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_strangers()
        size = replace(Size(), **{name: options[name] for name in ("interviewers", "candidates", "seed")})
        if size.interviewers < FEWEST.interviewers or size.candidates < FEWEST.candidates:
            raise CommandError(
                f"Too small to say anything: at least {FEWEST.interviewers} interviewers and {FEWEST.candidates} "
                "candidates are needed."
            )
        if size.seed < 0:
            raise CommandError("The seed must be 0 or more.")
        try:
            loaded = load_organisation(size, settings.DEMO_PASSWORD)
        except (ImportRefused, Refused) as refused:
            raise CommandError(f"the organisation could not be made: {refused}") from None
        if not loaded.fresh:
            self.stdout.write("The simulated organisation is there already: nothing was changed.")
            return
        self.stdout.write(
            f"simulated: {loaded.interviewers} interviewers, {loaded.candidates} candidates, {loaded.ratings} ratings"
        )
        self.stdout.write("sign in as manager@simulated.example; calibration: /calibration/")
