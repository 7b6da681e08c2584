"""manage.py judge import FILE --judge NAME: take an automatic judge's ratings from a file, all of it or nothing."""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.calibration.problems import BadInput, counted, listed
from scoring.calibration.table import describe, read_table
from scoring.models import Judge
from scoring.rules.judging import COLUMNS, MAY_BE, Problem, Refusal, read_key, read_rows
from scoring.services.judging import MOST_RATINGS, KeyUsed, take_ratings

NO_SUCH_JUDGE, REFUSED = 2, 1
Cells = dict[str, object]


class Command(BaseCommand):
    help = (
        "Take the ratings of an automatic judge from a CSV file with the columns reference (code of an interview or an"
        " application), probe (tree/probe), dimension, rating, and if wanted note and time. All of the file or nothing;"
        " the same file again changes nothing. Exit codes: 1 refused, 2 no such judge."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["import"])
        parser.add_argument("file", type=Path)
        parser.add_argument("--judge", required=True, metavar="NAME", help="name of the judge, or its code")
        parser.add_argument("--version-of-judge", default="", metavar="VERSION", help="where several have the name")
        parser.add_argument("--key", metavar="KEY", help="name of this batch; by default made from what is in the file")

    def handle(self, *args: Any, **options: Any) -> None:
        judge = find(options["judge"], options["version_of_judge"])
        try:
            rows = list(read(options["file"]))
            key = read_key(options["key"]) if options["key"] is not None else key_of(rows)
            taken = take_ratings(judge=judge, key=key, said=read_rows(rows))
        except BadInput as bad:
            raise CommandError(f"Nothing was taken. {bad}", returncode=REFUSED) from None
        except Refusal as refusal:
            raise CommandError(f"Nothing was taken.\n{refusal}", returncode=REFUSED) from None
        except KeyUsed:
            words = "Nothing was taken. The key stands for other ratings of this judge: give another --key."
            raise CommandError(words, returncode=REFUSED) from None
        before = f", {counted(taken.known, 'rating')} known before" if taken.known else ""
        again = " This file came before; nothing changed." if taken.repeated else ""
        self.stdout.write(f"{judge}: {counted(taken.taken, 'rating')} taken{before}.{again}")


def find(name: str, version: str) -> Judge:
    """Find an open judge by name, and version where several have it. Raises CommandError."""
    known = list(Judge.objects.filter(closed_at__isnull=True).select_related("created_by"))
    found = [
        judge for judge in known if str(judge.code) == name or (judge.name == name and version in {"", judge.version})
    ]
    if len(found) == 1:
        return found[0]
    if found:
        versions = listed([judge.version for judge in found], 20)
        words = f"{name}: there are several versions ({versions}). Say which by --version-of-judge."
    else:
        others = listed([str(judge) for judge in known], 20)
        words = f"{name}: there is no such judge. " + (f"There are {others}." if known else "None was made yet.")
    raise CommandError(words, returncode=NO_SUCH_JUDGE)


def read(path: Path) -> Iterator[tuple[int, Cells]]:
    """Read the file's rows, numbered as a spreadsheet does. Raises BadInput and Refusal."""
    places: dict[str, int] = {}

    def choose(header: Sequence[str]) -> list[int]:
        folded = [name.casefold() for name in header]
        missing = [name for name in COLUMNS if name not in folded]
        if missing:
            raise BadInput(f"The file has no column {listed(missing, 9)}. It has: {describe(header)}.")
        double = [name for name in (*COLUMNS, *MAY_BE) if folded.count(name) > 1]
        if double:
            raise BadInput(f"The column {listed(double, 9)} is there twice. Leave one of them.")
        places.update({name: folded.index(name) for name in (*COLUMNS, *MAY_BE) if name in folded})
        return list(places.values())

    try:
        table = read_table(path, choose, most_rows=MOST_RATINGS)
    except BadInput as bad:
        if "--memory" in str(bad):
            words = f"The file has more than {MOST_RATINGS:,} rows."
            raise Refusal(Problem(None, words, "Take it in parts.")) from None
        raise
    for place, row in enumerate(table.rows.tolist()):
        cells: Cells = {
            name: table.columns[column].values[table.columns[column].codes[place]] for name, column in places.items()
        }
        yield row, cells


def key_of(rows: Sequence[tuple[int, Cells]]) -> str:
    return "file " + hashlib.sha256(repr(rows).encode(errors="backslashreplace")).hexdigest()
