"""What is wrong with somebody's file, said with the rows it is wrong in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SHOWN_ROWS = 5
SHOWN_NAMES = 3


class BadInput(Exception):
    """The input cannot be used; `problems` says why, a sentence each."""

    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


def rows_said(rows: Iterable[int]) -> str:
    """Name rows as a spreadsheet counts them, the header being row 1: "row 7", "rows 3, 4, 5, 6, 7 and 12 more"."""
    known = [int(row) for row in rows]
    return f"{'row' if len(known) == 1 else 'rows'} {listed(list(map(str, known)), SHOWN_ROWS)}"


def listed(names: Sequence[str], most: int = SHOWN_NAMES) -> str:
    """Join names for a sentence: the first `most`, and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def printable(text: str, most: int = 60) -> str:
    """A cell's text for a message or a terminal: control characters shown as such, and not too much of it."""
    shown = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
