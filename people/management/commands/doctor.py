"""`manage.py doctor`: look at everything Sounding stands on, and say what to do about what is wrong."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from people import doctor


class Command(BaseCommand):
    help = "Check the installation. Each line is ok, warn or bad, with the remedy; exits with 1 when one is bad."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", metavar="PATH", help="also write the findings as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = doctor.examine()
        path = options["json"]
        if path != "-":
            for finding in findings:
                remedy = f"  -> {finding.remedy}" if finding.remedy else ""
                self.stdout.write(f"{finding.level:<4}  {finding.part:<12} {finding.says}{remedy}")
        if path:
            text = json.dumps([asdict(finding) for finding in findings], indent=2)
            try:
                self.stdout.write(text) if path == "-" else Path(path).write_text(f"{text}\n", encoding="utf-8")
            except OSError as error:
                raise CommandError(f"--json {path}: {error.strerror}") from None
        if any(finding.level == doctor.Level.BAD for finding in findings):
            sys.exit(1)
