"""One row of what an automatic judge sends: read, or refused with what is wrong and what helps. No Django.

Rows come from a file's cells (all text) or from JSON (text and numbers); both are read by the same rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from interviews.enums import Aim

COLUMNS = ("reference", "probe", "dimension", "rating")
"""What a row must have; `note` and `time` may be there."""
MAY_BE = ("note", "time")
HIGHEST = 4
LONGEST_NOTE = 2000
LONGEST_KEY = 80
REQUESTS, WINDOW = 60, timedelta(minutes=1)
"""So many requests of one judge in so long."""
LARGEST_BODY = 1024 * 1024
SHOWN = 60
DIMENSIONS = ", ".join(aim.value for aim in Aim)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and what helps. `row` as a spreadsheet counts them, or from 1 in JSON; None: all of it."""

    row: int | None
    says: str
    remedy: str

    def __str__(self) -> str:
        where = "" if self.row is None else f"Row {self.row}: "
        return f"{where}{self.says} {self.remedy}"


class Refusal(Exception):
    """Nothing was taken; `problems` says why."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """One rating. `reference`: the code of an interview or of an application; `tree`, `probe`: keys of the bank."""

    row: int
    reference: UUID
    tree: str
    probe: str
    aim: Aim
    rating: int
    note: str
    at: datetime | None


def read_rows(rows: Iterable[tuple[int, Mapping[str, object]]]) -> list[Said]:
    """Read all rows. Raises Refusal with a problem for each row that can't be read."""
    said: list[Said] = []
    problems: list[Problem] = []
    for number, cells in rows:
        try:
            said.append(read_row(number, cells))
        except Refusal as refusal:
            problems += refusal.problems
    if problems:
        raise Refusal(*problems)
    if not said:
        raise Refusal(Problem(None, "There is not one rating.", "Give a row for each answer and dimension."))
    return said


def read_row(row: int, cells: Mapping[str, object]) -> Said:
    """Read one row. Raises Refusal."""
    texts = {name: _text(row, name, cells.get(name)) for name in (*COLUMNS, *MAY_BE) if name != "rating"}
    try:
        reference = UUID(texts["reference"])
    except ValueError:
        raise Refusal(
            Problem(
                row,
                f"The reference {_shown(texts['reference'])} is no code.",
                "Give the code of an interview or of an application, as in its address.",
            )
        ) from None
    tree, cut, probe = texts["probe"].partition("/")
    if not (tree and cut and probe):
        raise Refusal(
            Problem(row, f"The probe {_shown(texts['probe'])} can't be read.", "Write tree/probe, by their keys.")
        )
    if texts["dimension"] not in set(Aim):
        raise Refusal(
            Problem(row, f"The dimension {_shown(texts['dimension'])} is unknown.", f"There are {DIMENSIONS}.")
        )
    if len(texts["note"]) > LONGEST_NOTE:
        words = f"The note has {len(texts['note']):,} characters."
        raise Refusal(Problem(row, words, f"{LONGEST_NOTE:,} are the most: shorten it."))
    aim = Aim(texts["dimension"])
    return Said(row, reference, tree, probe, aim, _rating(row, cells), texts["note"], _time(row, texts["time"]))


def read_key(key: object) -> str:
    """Read the sender's name for a batch. Raises Refusal."""
    if not isinstance(key, str) or not key.strip() or len(key) > LONGEST_KEY or not key.isprintable():
        raise Refusal(
            Problem(
                None,
                "The key is missing or no name.",
                f"Give each batch one of its own, up to {LONGEST_KEY} characters, and the same when you repeat it.",
            )
        )
    return key


def digest_of(said: Iterable[Said]) -> str:
    """SHA-256 of what was said, row by row: a batch that comes again has the same."""
    rows = [[str(cell) for cell in astuple(one)] for one in said]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def _text(row: int, name: str, cell: object) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str):
        raise Refusal(Problem(row, f"The {name} is no text.", "Put it in quotation marks."))
    if "\0" in cell or any("\ud800" <= character <= "\udfff" for character in cell):
        raise Refusal(Problem(row, f"The {name} holds characters that no text has.", "Send it as UTF-8 text."))
    return cell.strip()


def _rating(row: int, cells: Mapping[str, object]) -> int:
    given = cells.get("rating")
    remedy = f"Give a whole number from 0 to {HIGHEST}."
    if given is None or given == "":
        raise Refusal(Problem(row, "The rating is missing.", f"{remedy} Leave the row out where nothing was rated."))
    if isinstance(given, str):
        cell = given.strip()
        value = int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 9 else None
    else:
        value = given if isinstance(given, int) and not isinstance(given, bool) else None
    if value is None or not 0 <= value <= HIGHEST:
        raise Refusal(Problem(row, f"The rating {_shown(given)} is not on the scale.", remedy))
    return value


def _time(row: int, text: str) -> datetime | None:
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    remedy = "Write it as 2026-11-30T14:05:00Z, with its zone, or leave it out."
    raise Refusal(Problem(row, f"The time {_shown(text)} can't be read.", remedy))


def _shown(cell: object) -> str:
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(cell))
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")
