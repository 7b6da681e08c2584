"""Running `manage.py calibrate` on files made for the purpose."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command

from scoring.stats.designs import Design, simulate

HEAD = ("candidate", "interviewer", "item", "dimension", "rating")


@dataclass(frozen=True)
class Outcome:
    """What a run printed, and with what it ended; `refused` is the message of a refusal, "" where it went well."""

    out: str
    err: str
    refused: str
    code: int

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


def run(*words: object) -> Outcome:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("calibrate", *map(str, words), stdout=out, stderr=err)
    except CommandError as error:
        return Outcome(out.getvalue(), err.getvalue(), str(error), error.returncode)
    return Outcome(out.getvalue(), err.getvalue(), "", 0)


def found(*words: object) -> dict[str, Any]:
    """The JSON of a run that must go well."""
    outcome = run(*words, "--json", "-")
    assert outcome.refused == ""
    return outcome.json


def written(path: Path, rows: Iterable[Sequence[object]], head: Sequence[str] = HEAD, delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(head)
        writer.writerows(rows)
    return path


def simulated(design: Design, seed: int = 1) -> list[tuple[str, str, str, str, int]]:
    """Rows of a simulated design."""
    ratings = simulate(design, seed).ratings
    columns = (ratings.candidate, ratings.interviewer, ratings.item, ratings.dimension, ratings.rating)
    return [
        (f"c{c}", f"r{r}", f"q{i}", ("depth", "why", "hands-on")[d], y)
        for c, r, i, d, y in zip(*(column.tolist() for column in columns), strict=True)
    ]


def by_id(elements: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in elements}
