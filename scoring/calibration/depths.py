"""Reading a file of boundaries: how far each candidate got on each tree with each interviewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scoring.calibration.problems import BadInput, listed, printable, rows_said
from scoring.calibration.scales import WHOLE
from scoring.calibration.table import Coded, describe, read_table
from scoring.stats.boundary import Depth
from scoring.stats.ratings import Labels

NEEDED = ("candidate", "interviewer", "tree", "passed", "failed")
OPTIONAL = ("lowest",)
MOST_LEVELS = 50
YES = {"1", "true", "yes", "y", "t"}
NO = {"", "0", "false", "no", "n", "f"}


def read_depths(path: Path, labels: Labels, *, delimiter: str = "", most_rows: int | None = None) -> list[Depth]:
    """Read boundaries of candidates and interviewers who have ratings. Raises BadInput, with rows."""
    places: dict[str, int] = {}

    def choose(header: Sequence[str]) -> list[int]:
        folded = [name.casefold() for name in header]
        for part in (*NEEDED, *OPTIONAL):
            if folded.count(part) == 1:
                places[part] = folded.index(part)
            elif part in NEEDED or folded.count(part):
                words = "There is no column" if part not in folded else "There are several columns"
                raise BadInput(f"{path.name}: {words} {part!r}. The file's columns: {describe(header)}.")
        return list(places.values())

    table = read_table(path, choose, delimiter=delimiter, most_rows=most_rows)
    columns = {part: table.columns[place] for part, place in places.items()}
    problems: list[str] = []

    def said(words: str, bad: Sequence[bool], column: Coded) -> None:
        rows = table.rows[np.array(bad, bool)[column.codes]]
        if len(rows):
            shown = listed([repr(printable(value, 20)) for value, at in zip(column.values, bad, strict=True) if at])
            problems.append(f"{path.name}: {words}: {shown} ({rows_said(rows)}).")

    for article, part, known in (
        ("a", "candidate", set(labels.candidate)),
        ("an", "interviewer", set(labels.interviewer)),
    ):
        column = columns[part]
        said(f"a boundary of {article} {part} without ratings", [value not in known for value in column.values], column)
    said("no tree is named", [not value.strip() for value in columns["tree"].values], columns["tree"])
    levels = {
        part: [_level(value) for value in columns[part].values] for part in ("passed", *OPTIONAL) if part in columns
    }
    for part, read in levels.items():
        least = 0 if part == "passed" else 1
        bad = [level is None or not least <= level <= MOST_LEVELS for level in read]
        said(f"{part} must be a level from {least} to {MOST_LEVELS}", bad, columns[part])
    failed = [_yes(value) for value in columns["failed"].values]
    said("failed must be yes or no", [value is None for value in failed], columns["failed"])
    if problems:
        raise BadInput(*problems)
    depths = [
        Depth(
            candidate=columns["candidate"].values[columns["candidate"].codes[row]],
            interviewer=columns["interviewer"].values[columns["interviewer"].codes[row]],
            tree=columns["tree"].values[columns["tree"].codes[row]],
            lowest=(levels["lowest"][columns["lowest"].codes[row]] or 1) if "lowest" in columns else 1,
            passed=levels["passed"][columns["passed"].codes[row]] or 0,
            failed=bool(failed[columns["failed"].codes[row]]),
        )
        for row in range(len(table.rows))
    ]
    _check(path.name, depths, table.rows.tolist())
    return depths


def _level(cell: str) -> int | None:
    found = WHOLE.fullmatch(cell.strip())
    return int(found[1]) if found else None


def _yes(cell: str) -> bool | None:
    word = cell.strip().casefold()
    return True if word in YES else False if word in NO else None


def _check(name: str, depths: Sequence[Depth], rows: Sequence[int]) -> None:
    backwards = [row for row, depth in zip(rows, depths, strict=True) if depth.passed < depth.lowest - 1]
    if backwards:
        raise BadInput(f"{name}: passed must not lie more than one below lowest ({rows_said(backwards)}).")
    seen: set[tuple[str, str, str]] = set()
    again = []
    for row, depth in zip(rows, depths, strict=True):
        key = (depth.candidate, depth.interviewer, depth.tree)
        if key in seen:
            again.append(row)
        seen.add(key)
    if again:
        raise BadInput(f"{name}: a boundary that another row gave already ({rows_said(again)}).")
