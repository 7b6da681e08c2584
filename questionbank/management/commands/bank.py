"""`manage.py bank import PATH... | export DIR`: the bank as text files (docs/tree-format.md)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.models import Person
from questionbank.exchange.files import read_paths
from questionbank.exchange.problems import Problem
from questionbank.rules import may_write
from questionbank.services.exporting import export_files
from questionbank.services.importing import ImportRefused, Report, TreeChange, import_readings


class Command(BaseCommand):
    help = "Bring question trees in from text files, or write them out."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, parser_class=argparse.ArgumentParser)
        bring = actions.add_parser("import", help="add and change trees; the same file twice changes nothing")
        bring.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder of .yaml files")
        bring.add_argument("--dry-run", action="store_true", help="say what would be done, change nothing")
        bring.add_argument("--publish", action="store_true", help="publish what is imported, instead of drafting it")
        bring.add_argument("--as", dest="email", metavar="EMAIL", help="the curator or administrator who does this")
        give = actions.add_parser("export", help="write one file per tree")
        give.add_argument("folder", type=Path, metavar="DIR")
        for action in (bring, give):
            action.add_argument("--json", metavar="PATH", help="write the result as JSON too; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        # With --json - the standard output is the JSON alone.
        self.words = self.stderr if options["json"] == "-" else self.stdout
        if options["action"] == "import":
            self._import(options)
        else:
            self._export(options)

    def _import(self, options: dict[str, Any]) -> None:
        person = _person(options["email"]) if options["email"] else None
        try:
            report = import_readings(
                read_paths(options["paths"]), by=person, publish=options["publish"], dry_run=options["dry_run"]
            )
        except ImportRefused as refused:
            self._json(options["json"], {"problems": [problem.as_json() for problem in refused.problems]})
            raise CommandError(_refusal(refused.problems)) from None
        self._say(report, dry_run=options["dry_run"])
        self._json(options["json"], report_json(report, dry_run=options["dry_run"]))

    def _say(self, report: Report, *, dry_run: bool) -> None:
        for change in report.changes:
            self.words.write(f"{change.file}: {in_words(change)}")
        for key in report.topics_renamed:
            self.words.write(_("topic %(key)s: new title") % {"key": key})
        for key, what in report.plans.items():
            self.words.write(f"plan {key}: {what}")
        self.words.write(
            f"topics {report.topics}, trees {report.trees}, probes {report.probes}: added {report.added}, "
            f"changed {report.changed}, left {report.left}, not placed {report.not_placed}"
        )
        if dry_run:
            self.words.write(_("Dry run: nothing was written."))

    def _export(self, options: dict[str, Any]) -> None:
        try:
            exported = export_files(options["folder"])
        except OSError as error:
            words = {"folder": options["folder"], "reason": error.strerror}
            raise CommandError(_("%(folder)s can't be written: %(reason)s.") % words) from None
        for file, probes in exported.items():
            self.words.write(f"{file}: probes {probes}")
        self.words.write(f"trees {len(exported)}, probes {sum(exported.values())}")
        self._json(options["json"], {"trees": len(exported), "probes": sum(exported.values()), "files": exported})

    def _json(self, path: str | None, data: dict[str, Any]) -> None:
        if not path:
            return
        text = json.dumps(data, ensure_ascii=False, indent=2)
        if path == "-":
            self.stdout.write(text)
            return
        try:
            Path(path).write_text(f"{text}\n", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"--json {path}: {error.strerror}") from None


def _person(email: str) -> Person:
    person = Person.objects.filter(email__iexact=email, is_active=True).first()
    if person is None:
        raise CommandError(_("Nobody active has the address %(email)s.") % {"email": email})
    if not may_write(person.roles):
        raise CommandError(_("%(email)s is neither curator nor administrator.") % {"email": email})
    return person


def _refusal(problems: Sequence[Problem]) -> str:
    count = ngettext("%(n)d problem; nothing was changed.", "%(n)d problems; nothing was changed.", len(problems))
    return "\n".join([*map(str, problems), count % {"n": len(problems)}])


def in_words(change: TreeChange) -> str:
    """Say in one line what an import does to one tree."""
    probes = change.probes
    if not change.new:
        parts = [f"{change.tree}: version {change.number} left as it is"]
    else:
        parts = [f"{change.tree}: version {change.number}"]
    for word, keys in (("added", probes.added), ("changed", probes.changed), ("removed", probes.removed)):
        if keys and change.number > 1:
            parts.append(f"{word} {', '.join(keys)}")
    if change.head_changed:
        parts.append("title, rule or order changed")
    if change.moved:
        parts.append("moved to its new topic")
    if change.published:
        parts.append("published")
    return "; ".join(parts)


def report_json(report: Report, *, dry_run: bool) -> dict[str, Any]:
    counts = ("topics", "trees", "probes", "added", "changed", "left", "not_placed")
    return {
        **{name: getattr(report, name) for name in counts},
        "dry_run": dry_run,
        "plans": report.plans,
        "topics_renamed": report.topics_renamed,
        "changes": [
            {
                "file": change.file,
                "tree": change.tree,
                "version": change.number,
                "new_version": change.new,
                "published": change.published,
                "moved": change.moved,
                "added": change.probes.added,
                "changed": change.probes.changed,
                "removed": change.probes.removed,
            }
            for change in report.changes
        ],
        "problems": [],
    }
