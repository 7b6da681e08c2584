"""`manage.py figures [--json PATH]`: take the nightly snapshot now."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from people.json_results import STANDARD_OUTPUT, check_json_path, write_json
from scoring.services.figures import write_figures


class Command(BaseCommand):
    help = "Write what closed applications say about probes down to the bank, as every night."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", metavar="PATH", help="write the result as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        check_json_path(options["json"])
        moved = write_figures(timezone.now().date())
        write_json(options["json"], json.dumps({"moved": moved}), self.stdout)
        if options["json"] != STANDARD_OUTPUT:
            self.stdout.write(f"figures of {moved} probes moved")
