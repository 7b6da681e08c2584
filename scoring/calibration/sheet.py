"""From a table to ratings: parts are told apart by ids, and everything odd is refused or noted with its rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from scoring.calibration.columns import Naming, Places, find_places
from scoring.calibration.problems import BadInput, counted, listed, printable, rows_said
from scoring.calibration.scales import ScaleRange, place_on_scales, read_cells
from scoring.calibration.table import Coded, Table, Tell, read_table, too_many
from scoring.stats.arrays import Bools, Ints
from scoring.stats.ratings import NO_ANSWER, Labels, Ratings

IDS = ("candidate", "interviewer", "item", "dimension", "scale")
MAY_BE_EMPTY = ("answer", "interview", "time")
MOST_DIMENSIONS = 100
DUPLICATES = ("refuse", "first", "last", "all")
DIGITS = re.compile("([0-9]+)")


@dataclass(frozen=True)
class Reading:
    """How to read a file of ratings. `ranges`: scale -> its range, "" for every scale. `duplicates`: what to do about
    rows that rate again what another row rated. `skip_missing`: leave out rows without a rating instead of refusing."""

    naming: Naming = field(default_factory=Naming)
    delimiter: str = ""
    ranges: Mapping[str, ScaleRange] = field(default_factory=dict)
    duplicates: str = "refuse"
    skip_missing: bool = False
    most_ratings: int | None = None
    tell: Tell | None = None


@dataclass(frozen=True, eq=False)
class Sheet:
    """Ratings with what is needed to speak of them. `rows` (n,) are rows of the file, the header being row 1; `time`
    codes and their cells, where the file has times; `notes` what the reader should know."""

    ratings: Ratings
    rows: Ints
    scales: tuple[ScaleRange, ...]
    time: Coded | None
    notes: tuple[str, ...]


def read_sheet(path: Path, reading: Reading) -> Sheet:
    """Read a file of ratings. Raises BadInput, with rows and remedy, for what can't be used."""
    found: list[Places] = []

    def choose(header: Sequence[str]) -> tuple[int, ...]:
        found.append(find_places(header, reading.naming))
        return found[-1].all

    table = read_table(path, choose, delimiter=reading.delimiter, most_rows=reading.most_ratings, tell=reading.tell)
    return _Sheets(table, found[-1], reading).sheet()


class _Sheets:
    def __init__(self, table: Table, places: Places, reading: Reading) -> None:
        self.table, self.places, self.reading = table, places, reading
        self.notes: list[str] = []
        self.rows = table.rows
        self.columns = {part: table.columns[place] for part, place in places.parts.items()}
        if table.blank:
            self.notes.append(f"{counted(table.blank, 'blank row')} left out.")
        if places.unused:
            names = listed([printable(name) or "(no name)" for name in places.unused], 10)
            self.notes.append(f"Columns not used: {names}.")

    def sheet(self) -> Sheet:
        self._check_ids()
        values = self._wide_values() if self.places.wide else self._values()
        values = self._without_repeats(values)
        codes, names = self._coded()
        ranges, notes = place_on_scales(values, codes["scale"], names["scale"], self.rows, self.reading.ranges)
        self.notes += notes
        lowest = np.array([scale.lowest for scale in ranges], np.int64)
        ratings = Ratings.from_codes(
            **{part: codes[part] for part in IDS},
            rating=values - lowest[codes["scale"]],
            answer=self._answers(),
            interview=None if "interview" not in self.columns else self.columns["interview"].codes,
            top=[scale.highest - scale.lowest for scale in ranges],
            labels=Labels(**names),
        )
        return Sheet(ratings, self.rows, tuple(ranges), self.columns.get("time"), tuple(self.notes))

    def _check_ids(self) -> None:
        """Every row must say who, by whom and what; dimension and scale are given in every row, or in none."""
        problems = []
        for part in IDS:
            if part not in self.columns:
                continue
            column = self.columns[part]
            empty = np.array([not value.strip() for value in column.values], bool)[column.codes]
            if empty.all() and part in {"dimension", "scale"}:
                del self.columns[part]
            elif empty.any():
                problems.append(f"The {part} is missing in {rows_said(self.rows[empty])}.")
        if problems:
            raise BadInput(*problems)

    def _values(self) -> Ints:
        column = self.columns.pop("rating")
        name = self.table.header[self.places.parts["rating"]]
        values, missing = read_cells(column.codes, column.values, self.rows, name)
        if missing.any():
            where = rows_said(self.rows[missing])
            if not self.reading.skip_missing:
                raise BadInput(
                    f"The rating is missing in {where}. Fill it in, or leave these rows out by --skip-missing."
                )
            self.notes.append(f"{counted(int(missing.sum()), 'row')} without a rating left out: {where}.")
        return self._kept(values, ~missing)

    def _wide_values(self) -> Ints:
        """Stack the wide columns: each cell that is filled is a rating."""
        columns = [self.table.columns[place] for place in self.places.wide]
        names = tuple(self.table.header[place] for place in self.places.wide)
        read = [
            read_cells(column.codes, column.values, self.rows, name)
            for column, name in zip(columns, names, strict=True)
        ]
        size, wide = len(self.rows), len(names)
        if self.reading.most_ratings is not None and size * wide > self.reading.most_ratings:
            raise BadInput(too_many(self.reading.most_ratings))
        self.columns = {
            part: Coded(np.tile(column.codes, wide), column.values) for part, column in self.columns.items()
        }
        self.columns[self.reading.naming.wide_as] = Coded(np.repeat(np.arange(wide), size), names)
        self.rows = np.tile(self.rows, wide)
        missing = np.concatenate([missing for _, missing in read])
        if missing.any():
            self.notes.append(f"{counted(int(missing.sum()), 'empty cell')} taken as not rated.")
        return self._kept(np.concatenate([values for values, _ in read]), ~missing)

    def _kept(self, values: Ints, kept: Bools) -> Ints:
        if not kept.any():
            raise BadInput("There is not one rating in the file.")
        if kept.all():
            return values
        self.rows = self.rows[kept]
        self.columns = {part: Coded(column.codes[kept], column.values) for part, column in self.columns.items()}
        return values[kept]

    def _without_repeats(self, values: Ints) -> Ints:
        """Find rows that rate the same thing again, and do with them what was asked for."""
        parts = [part for part in (*IDS, "answer", "interview") if part in self.columns]
        key = self.columns[parts[0]].codes
        for part in parts[1:]:
            codes = self.columns[part].codes
            key = np.unique(key * (int(codes.max()) + 1) + codes, return_inverse=True)[1].astype(np.int64)
        which = self.reading.duplicates
        order = key[::-1] if which == "last" else key
        first = np.zeros(len(key), bool)
        first[np.unique(order, return_index=True)[1]] = True
        if which == "last":
            first = first[::-1]
        if first.all():
            return values
        where, many = rows_said(self.rows[~first]), counted(int((~first).sum()), "row")
        if which == "refuse":
            again = int(np.flatnonzero(~first)[0])
            earlier = int(self.rows[np.flatnonzero(key == key[again])[0]])
            raise BadInput(
                f"{many} rate again what another row rated: {where} (row {int(self.rows[again])} repeats row "
                f"{earlier}: the same candidate, interviewer, item and all). Remove them, tell answers apart by "
                "--answer-column, or say which count: --duplicates first, last or all."
            )
        if which == "all":
            self.notes.append(f"{many} rate again what another row rated, and count all the same: {where}.")
            return values
        self.notes.append(f"{many} left out, since the {which} rating counts: {where}.")
        return self._kept(values, first)

    def _coded(self) -> tuple[dict[str, Ints], dict[str, tuple[str, ...]]]:
        """Codes in the order of the ids, numbers in them by size; ids without a rating left are noted."""
        codes: dict[str, Ints] = {}
        names: dict[str, tuple[str, ...]] = {}
        for part in IDS:
            if part not in self.columns:
                codes[part], names[part] = np.zeros(len(self.rows), np.int64), ("",)
                continue
            column = self.columns[part]
            used = np.zeros(len(column.values), bool)
            used[column.codes] = True
            self._note_ids(part, column.values, used)
            order = sorted(np.flatnonzero(used).tolist(), key=lambda code: natural(column.values[code]))
            number = np.zeros(len(column.values), np.int64)
            number[order] = np.arange(len(order))
            codes[part] = number[column.codes]
            names[part] = tuple(column.values[code] for code in order)
        if len(names["dimension"]) > MOST_DIMENSIONS:
            raise BadInput(
                f"The dimensions number {len(names['dimension']):,}; {MOST_DIMENSIONS} are the most. Is it the right "
                "column? What is asked is an item, what it is rated on a dimension."
            )
        return codes, names

    def _note_ids(self, part: str, values: Sequence[str], used: Bools) -> None:
        lost = [printable(value) for value, kept in zip(values, used, strict=True) if not kept]
        if lost:
            self.notes.append(f"Without any rating, so without an estimate: {part} {listed(lost)}.")
        folded = Counter(" ".join(value.split()).casefold() for value in values)
        if len(folded) < len(values):
            alike = [value for value in values if folded[" ".join(value.split()).casefold()] > 1]
            shown = listed([repr(printable(value)) for value in sorted(alike, key=str.casefold)], 6)
            self.notes.append(f"Taken as different though they differ in capitals or blanks only: {part} {shown}.")

    def _answers(self) -> Ints | None:
        if "answer" not in self.columns:
            return None
        column = self.columns["answer"]
        heard = np.array([bool(value.strip()) for value in column.values], bool)[column.codes]
        return np.where(heard, column.codes, NO_ANSWER)


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts c2 before c10."""
    key = [
        (1, len(part.lstrip("0")), part.lstrip("0")) if place % 2 else (0, 0, part)
        for place, part in enumerate(DIGITS.split(text))
    ]
    return (*key, (2, 0, text))
