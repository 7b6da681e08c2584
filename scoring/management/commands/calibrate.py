"""`manage.py calibrate RATINGS.csv`: fair scores with honest intervals of any file of ratings (docs/calibration.md)."""

from __future__ import annotations

import csv
import json
import os
import sys
import time
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.calibration.columns import PARTS, WIDE_AS, Naming
from scoring.calibration.depths import read_depths
from scoring.calibration.files import Results
from scoring.calibration.fitting import MODELS, Choice, fit_sheet
from scoring.calibration.memory import most_ratings
from scoring.calibration.page import page
from scoring.calibration.problems import BadInput
from scoring.calibration.report import report
from scoring.calibration.scales import ScaleRange, read_range
from scoring.calibration.sheet import DUPLICATES, Reading, read_sheet
from scoring.calibration.tables import as_csv, as_text, summary, tables
from scoring.stats.jml import FACETS, JointOptions

UNUSABLE, INTERRUPTED = 2, 130
QUIET_FOR, SPEAK_EVERY = 2.0, 2.0
STANDARD_OUTPUT = "-"


class Command(BaseCommand):
    help = (
        "Calibrate a file of ratings: who is how capable, who is how strict, what is how hard, with intervals. Needs "
        "no database. Exits with 2 for a file or an option that can't be used, and then writes nothing."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "ratings", type=Path, metavar="RATINGS.csv", help="CSV or TSV with a header; a rating a row"
        )
        for part in PARTS:
            parser.add_argument(f"--{part}-column", metavar="NAME", help=f"the column that holds the {part}")
        parser.add_argument(
            "--wide",
            action="append",
            type=names,
            default=[],
            metavar="COLUMNS",
            help="columns of ratings, separated by commas; * is all that have no other part",
        )
        parser.add_argument("--wide-as", choices=WIDE_AS, default="item", help="what such a column stands for")
        parser.add_argument(
            "--range",
            action="append",
            type=scale_range,
            default=[],
            metavar="[SCALE=]LOW-HIGH",
            help="lowest and highest rating; without it those that occur",
        )
        parser.add_argument(
            "--delimiter", type=delimiter, metavar="C", help="what separates cells, if it isn't found out"
        )
        parser.add_argument(
            "--duplicates",
            choices=DUPLICATES,
            default="refuse",
            help="which of several ratings of the same thing count",
        )
        parser.add_argument("--skip-missing", action="store_true", help="leave out rows without a rating")
        parser.add_argument("--boundary", type=Path, metavar="FILE", help="how far candidates got on trees")
        parser.add_argument(
            "--fuse",
            choices=("auto", "always"),
            default="auto",
            help="let boundaries in where they lower held-out error, or always",
        )
        parser.add_argument("--model", choices=MODELS, default="laplace", help="jml is for comparing with FACETS")
        parser.add_argument("--no-halo", action="store_true", help="no candidate x interviewer effect")
        parser.add_argument("--no-answer", action="store_true", help="no candidate x answer effect")
        parser.add_argument(
            "--center", type=center, metavar="A,B", help="of jml: the facets with mean 0 (default: candidates,items)"
        )
        parser.add_argument("--json", metavar="PATH", help="write the result as JSON; - is standard output")
        parser.add_argument("--csv", type=Path, metavar="DIR", help="write every table into this folder")
        parser.add_argument("--html", type=Path, metavar="PATH", help="write a page with drawings")
        parser.add_argument("--rows", type=int, default=40, metavar="N", help="rows of each table to print (40)")
        parser.add_argument("--memory", type=gigabytes, metavar="GB", help="memory to reckon with, if not what is free")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._calibrate(options)
        except BadInput as bad:
            raise CommandError("\n".join(bad.problems), returncode=UNUSABLE) from None
        except KeyboardInterrupt:
            raise CommandError("Interrupted: nothing was written.", returncode=INTERRUPTED) from None
        except BrokenPipeError:  # whoever read our output has had enough, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _calibrate(self, options: dict[str, Any]) -> None:
        check_together(options)
        results = expected_results(options)
        speaker = Speaker(self, on=options["verbosity"] > 0)
        most = most_ratings(options["memory"])
        sheet = read_sheet(options["ratings"], reading(options, most, speaker))
        depths = []
        if options["boundary"]:
            depths = read_depths(
                options["boundary"], sheet.ratings.labels, delimiter=options["delimiter"] or "", most_rows=most
            )
        choice = Choice(
            model=options["model"],
            halo=not options["no_halo"],
            answer=not options["no_answer"],
            center=options["center"] or JointOptions().center,
            fuse=options["fuse"],
            progress=speaker.passed,
        )
        found = report(fit_sheet(sheet, choice, depths))
        self._give(found, options, results)

    def _give(self, found: dict[str, Any], options: dict[str, Any], results: Results) -> None:
        text = json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False)
        if options["json"] and options["json"] != STANDARD_OUTPUT:
            results.add(Path(options["json"]), f"{text}\n")
        if options["csv"]:
            for table in tables(found):
                results.add(options["csv"] / f"{table.name}.csv", as_csv(table))
        if options["html"]:
            results.add(options["html"], page(found, options["ratings"].name))
        results.write()
        for words in (*found["notes"], *found["warnings"]):
            self.stderr.write(words, self.style.WARNING)
        if options["json"] == STANDARD_OUTPUT:
            self.stdout.write(text)
            return
        self.stdout.write(summary(found))
        for table in tables(found):
            self.stdout.write(f"\n{as_text(table, options['rows'])}")


class Speaker:
    """Says how far a long run is, on standard error, now and then."""

    def __init__(self, command: BaseCommand, *, on: bool) -> None:
        self.command, self.on = command, on
        self.next = time.monotonic() + QUIET_FOR

    def read(self, rows: int) -> None:
        self._say(f"{rows:,} rows read")

    def passed(self, number: int, distance: float) -> None:
        self._say(f"pass {number}: variances still move by {distance:.1%}")

    def _say(self, words: str) -> None:
        if self.on and time.monotonic() >= self.next:
            self.next = time.monotonic() + SPEAK_EVERY
            self.command.stderr.write(words, self.command.style.NOTICE)
            self.command.stderr.flush()


def check_together(options: dict[str, Any]) -> None:
    """Refuse options that have no meaning together, rather than pass over one."""
    joint = options["model"] == "jml"
    if options["center"] and not joint:
        raise BadInput("--center is for --model jml. --model laplace reports deviations from prior means of 0.")
    if joint and options["boundary"]:
        raise BadInput("--boundary is for --model laplace.")
    if joint and (options["no_halo"] or options["no_answer"]):
        raise BadInput("--no-halo and --no-answer are for --model laplace; jml has neither effect.")
    if options["wide_as"] == "dimension" and not options["wide"]:
        raise BadInput("--wide-as says what the columns of --wide stand for: name them.")


def expected_results(options: dict[str, Any]) -> Results:
    """Check where results are to go, before anything is read."""
    inputs = tuple(path for path in (options["ratings"], options["boundary"]) if path is not None)
    folders = [options["csv"]] if options["csv"] else []
    results = Results(inputs, folders=folders)
    if options["json"] and options["json"] != STANDARD_OUTPUT:
        results.expect("--json", Path(options["json"]))
    if options["html"]:
        results.expect("--html", options["html"])
    if options["csv"]:
        results.expect("--csv", options["csv"], folder=True)
    return results


def reading(options: dict[str, Any], most: int | None, speaker: Speaker) -> Reading:
    given = {part: options[f"{part}_column"] for part in PARTS if options[f"{part}_column"]}
    ranges: list[ScaleRange] = options["range"]
    return Reading(
        naming=Naming(given, tuple(name for group in options["wide"] for name in group), options["wide_as"]),
        delimiter=options["delimiter"] or "",
        ranges={one.name: one for one in ranges},
        duplicates=options["duplicates"],
        skip_missing=options["skip_missing"],
        most_ratings=most,
        tell=speaker.read,
    )


def names(value: str) -> list[str]:
    found = [name.strip() for name in next(csv.reader([value]), []) if name.strip()]
    if not found:
        raise ArgumentTypeError("name at least one column")
    return found


def scale_range(value: str) -> ScaleRange:
    try:
        return read_range(value)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def delimiter(value: str) -> str:
    found = {"tab": "\t", "\\t": "\t"}.get(value.casefold(), value)
    if len(found) != 1 or found in '"\r\n':
        raise ArgumentTypeError("one character, or the word tab")
    return found


def center(value: str) -> tuple[str, str]:
    one, _, other = (part.strip() for part in value.partition(","))
    if {one, other} - set(FACETS) or one == other:
        raise ArgumentTypeError(f"two of {', '.join(FACETS)}, separated by a comma")
    return one, other


def gigabytes(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0.0 < number < 1e6:
        raise ArgumentTypeError(f"{value!r} is no amount of memory in GB")
    return number
