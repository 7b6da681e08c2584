"""`manage.py doctor`: look at everything Sounding stands on, and say what to do about what is wrong."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from people import doctor
from people.json_results import check_json_path, write_json


class Command(BaseCommand):
    help = "Check the installation. Each line is ok, warn or bad, with the remedy; exits with 1 when one is bad."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", metavar="PATH", help="also write the findings as JSON; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        check_json_path(options["json"])
        findings = doctor.examine()
        path = options["json"]
        if path != "-":
            for finding in findings:
                remedy = f"  -> {finding.remedy}" if finding.remedy else ""
                self.stdout.write(f"{finding.level:<4}  {finding.part:<12} {finding.says}{remedy}")
        if path:
            write_json(path, json.dumps([asdict(finding) for finding in findings], indent=2), self.stdout)
        if any(finding.level == doctor.Level.BAD for finding in findings):
            sys.exit(1)
