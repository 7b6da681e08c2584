"""`manage.py bank import PATH... | export DIR | lint PATH...`: the bank as text files (docs/tree-format.md)."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.json_results import check_json_path, write_json
from people.models import Person
from questionbank.exchange.files import FORMATS, read_paths
from questionbank.exchange.problems import Problem
from questionbank.exchange.readings import Reading, findings
from questionbank.lint import Severity
from questionbank.outline import difference
from questionbank.rules import may_write
from questionbank.services.counts import Counts
from questionbank.services.exporting import ExportReport, UnknownVersions, export_files, versions
from questionbank.services.importing import ImportRefused, Report, TreeChange, import_readings
from questionbank.services.repeats import repeats_of

MOST_ALIKE: Final = 5
"""Findings of one kind that an import prints: outlines bring the same gap with every question."""


class Command(BaseCommand):
    help = "Bring question trees in from text files, write them out, or look them over."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, parser_class=argparse.ArgumentParser)
        bring = actions.add_parser("import", help="add and change trees; the same file twice changes nothing")
        bring.add_argument("--dry-run", action="store_true", help="say what would be done, change nothing")
        bring.add_argument("--publish", action="store_true", help="publish what is imported, instead of drafting it")
        bring.add_argument("--as", dest="email", metavar="EMAIL", help="the curator or administrator who does this")
        check = actions.add_parser("lint", help="look files over; needs no database")
        for action in (bring, check):
            action.add_argument(
                "paths", nargs="+", type=_path, metavar="PATH", help="a file, or a folder of such files"
            )
            action.add_argument("--format", choices=sorted(FORMATS), help="what the files are, whatever their ending")
        give = actions.add_parser("export", help="write one file per tree")
        give.add_argument("folder", type=_path, metavar="DIR")
        give.add_argument("trees", nargs="*", metavar="TREE", help="key of a tree; none = all")
        which = give.add_mutually_exclusive_group()
        which.add_argument("--published", action="store_true", help="the newest published version, not the newest")
        which.add_argument("--number", type=int, metavar="N", help="version N")
        for action in (bring, check, give):
            action.add_argument("--json", metavar="PATH", help="write the result as JSON too; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        check_json_path(options["json"])
        # With --json - the standard output is the JSON alone.
        self.words = self.stderr if options["json"] == "-" else self.stdout
        {"import": self._import, "export": self._export, "lint": self._lint}[options["action"]](options)

    def _import(self, options: dict[str, Any]) -> None:
        person = _person(options["email"]) if options["email"] else None
        readings = read_paths(options["paths"], format=options["format"])
        dry_run: bool = options["dry_run"]
        try:
            report = import_readings(readings, by=person, publish=options["publish"], dry_run=dry_run)
        except ImportRefused as refused:
            self._json(options["json"], {"problems": [problem.as_json() for problem in refused.problems]})
            raise CommandError(_refusal(refused.problems)) from None
        found = [*findings(readings), *repeats_of(readings)]
        self._say(readings, report, found, dry_run=dry_run)
        said = readings_json(readings, found)
        said["notices"] += [notice.as_json() for notice in report.notices]
        self._json(options["json"], {**report_json(report, dry_run=dry_run), **said})

    def _say(self, readings: Sequence[Reading], report: Report, found: Sequence[Problem], *, dry_run: bool) -> None:
        for change in report.changes:
            self.words.write(f"{change.file}: {in_words(change)}")
        for key in report.topics_renamed:
            self.words.write(_("topic %(key)s: new title") % {"key": key})
        for key, what in report.plans.items():
            self.words.write(f"plan {key}: {what}")
        self._say_rows(readings)
        for line in _shortened([*report.notices, *found]):
            self.words.write(line)
        self.words.write(report.line)
        if dry_run:
            self.words.write(_("Dry run: nothing was written."))

    def _say_rows(self, readings: Iterable[Reading]) -> None:
        for reading in readings:
            for notice in reading.notices:
                self.words.write(str(notice))
            for row in reading.unplaced:
                self.words.write(row.said(reading.file))

    def _lint(self, options: dict[str, Any]) -> None:
        readings = read_paths(options["paths"], format=options["format"])
        problems = [problem for reading in readings for problem in reading.problems]
        found = findings(readings)
        counts = _counts(readings)
        self._say_rows(readings)
        for one in [*problems, *found]:
            self.words.write(f"{one} [{one.severity}: {one.code}]")
        self.words.write(counts.line)
        self._json(
            options["json"],
            {
                **counts.as_json(),
                **readings_json(readings, found),
                "problems": [problem.as_json() for problem in problems],
            },
        )
        stopping = len(problems) + sum(one.severity is Severity.STOPS for one in found)
        if stopping:
            words = ngettext("%(n)d finding stops publishing.", "%(n)d findings stop publishing.", stopping)
            raise CommandError(words % {"n": stopping})

    def _export(self, options: dict[str, Any]) -> None:
        try:
            chosen = versions(options["trees"], published=options["published"], number=options["number"])
            report = export_files(options["folder"], chosen)
        except UnknownVersions as unknown:
            keys = ", ".join(unknown.keys)
            raise CommandError(_("No such version of: %(keys)s. Nothing was written.") % {"keys": keys}) from None
        except OSError as error:
            words = {"folder": options["folder"], "reason": error.strerror}
            raise CommandError(_("%(folder)s can't be written: %(reason)s.") % words) from None
        for file in report.files:
            self.words.write(f"{file.file}: {file.tree}: version {file.number}")
        self.words.write(report.line)
        self._json(options["json"], export_json(report))
        if report.not_written:
            raise CommandError(_not_written(report))

    def _json(self, path: str | None, data: dict[str, Any]) -> None:
        write_json(path, json.dumps(data, ensure_ascii=False, indent=2), self.stdout)


def _path(given: str) -> Path:
    if not given.strip():
        raise argparse.ArgumentTypeError(_("an empty path"))
    return Path(given)


def _not_written(report: ExportReport) -> str:
    lines = [f"{file}: {reason}" for file, reason in report.not_written.items()]
    count = ngettext(
        "%(n)d file was not written; those listed before were.",
        "%(n)d files were not written; those listed before were.",
        len(lines),
    )
    return "\n".join([*lines, count % {"n": len(lines)}])


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


def _shortened(found: Sequence[Problem]) -> list[str]:
    """Say findings with their codes; of one kind the first few, and how many more there are."""
    told: Counter[str] = Counter()
    lines: list[str] = []
    for one in found:
        told[one.code] += 1
        if told[one.code] <= MOST_ALIKE:
            lines.append(f"{one} [{one.severity}: {one.code}]")
    for code, count in told.items():
        if count > MOST_ALIKE:
            lines.append(_("%(count)d more like these: %(code)s") % {"count": count - MOST_ALIKE, "code": code})
    return lines


def _counts(readings: Iterable[Reading]) -> Counts:
    """Count files that are only looked at: every probe is left as it is."""
    counts = Counts()
    topics: set[str] = set()
    for reading in readings:
        counts.not_placed += len(reading.unplaced)
        topics.update(topic.key for topic in reading.topics)
        for tree in reading.trees:
            counts.count(difference(tree, tree))
            topics.add(tree.topic.key)
    counts.topics = len(topics)
    return counts


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
    return {
        **report.as_json(),
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


def readings_json(readings: Iterable[Reading], found: Iterable[Problem]) -> dict[str, Any]:
    readings = list(readings)
    return {
        "findings": [one.as_json() for one in found],
        "notices": [notice.as_json() for reading in readings for notice in reading.notices],
        "unplaced": [row.as_json(reading.file) for reading in readings for row in reading.unplaced],
    }


def export_json(report: ExportReport) -> dict[str, Any]:
    return {
        **report.as_json(),
        "not_written": report.not_written,
        "files": [
            {
                "file": file.file,
                "tree": file.tree,
                "version": file.number,
                "added": file.probes.added,
                "changed": file.probes.changed,
                "removed": file.probes.removed,
            }
            for file in report.files
        ],
    }
