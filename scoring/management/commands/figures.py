"""`manage.py figures [--json PATH]`: take the nightly snapshot now."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from scoring.services.figures import write_figures


class Command(BaseCommand):
    help = "Write what closed applications say about probes down to the bank, as every night."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", metavar="PATH", help="write the result as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        moved = write_figures(timezone.now().date())
        answer = json.dumps({"moved": moved})
        if options["json"] == "-":
            self.stdout.write(answer)
            return
        if options["json"]:
            Path(options["json"]).write_text(answer + "\n", encoding="utf-8")
        self.stdout.write(f"figures of {moved} probes moved")
