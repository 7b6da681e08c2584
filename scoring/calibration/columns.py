"""Which column of a file plays which part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from scoring.calibration.problems import BadInput, listed, printable
from scoring.calibration.table import describe

PARTS = ("candidate", "interviewer", "item", "dimension", "rating", "answer", "scale", "time", "interview")
NEEDED = ("candidate", "interviewer", "item", "rating")
THE_REST = "*"
WIDE_AS = ("item", "dimension")


@dataclass(frozen=True)
class Naming:
    """How a file calls its columns. `names`: part -> column, where it is not called after its part. `wide`: columns of
    ratings, each one item (or dimension, `wide_as`); `*` is all that have no other part."""

    names: dict[str, str] = field(default_factory=dict)
    wide: tuple[str, ...] = ()
    wide_as: str = "item"


@dataclass(frozen=True)
class Places:
    """Places in the header: of each part the file has, of the wide columns, and the names of columns without a part."""

    parts: dict[str, int]
    wide: tuple[int, ...]
    unused: tuple[str, ...]

    @property
    def all(self) -> tuple[int, ...]:
        return (*self.parts.values(), *self.wide)


def find_places(header: Sequence[str], naming: Naming) -> Places:
    """Find every part's column. Raises BadInput for columns that are not there, or are there twice."""
    from_header = {naming.wide_as, "rating"} if naming.wide else set()
    problems: list[str] = []
    parts: dict[str, int] = {}
    for part in PARTS:
        given = naming.names.get(part)
        if part in from_header:
            if given:
                problems.append(f"--{part}-column has no use here: --wide takes the {part} from its columns.")
            continue
        found = _matching(header, given or part)
        if len(found) == 1:
            parts[part] = found[0]
        elif found:
            problems.append(f"{len(found)} columns are called {printable(given or part)!r}. Rename all but one.")
        elif given or part in NEEDED:
            problems.append(_missing(header, part, given))
    wide = _wide(header, naming, set(parts.values()), problems)
    places = [*parts.values(), *wide]
    twice = sorted({header[place] for place in places if places.count(place) > 1})
    if twice and not problems:
        problems.append(f"A column can play one part only: {listed([printable(name) for name in twice])}.")
    if problems:
        raise BadInput(*problems, f"The file's columns: {describe(header)}.")
    unused = tuple(name for place, name in enumerate(header) if place not in set(places))
    return Places(parts, wide, unused)


def _matching(header: Sequence[str], name: str) -> list[int]:
    name = name.strip()
    exact = [place for place, column in enumerate(header) if column == name]
    return exact or [place for place, column in enumerate(header) if column.casefold() == name.casefold()]


def _missing(header: Sequence[str], part: str, given: str | None) -> str:
    if given is None:
        words = f"There is no column {part!r}. Say which one it is by --{part}-column NAME"
        return f"{words}{', or name columns of ratings by --wide.' if part in {'item', 'rating'} else '.'}"
    close = get_close_matches(given, header, 1)
    hint = f" Is it {printable(close[0])!r}?" if close else ""
    return f"There is no column {printable(given)!r}, which --{part}-column names.{hint}"


def _wide(header: Sequence[str], naming: Naming, taken: set[int], problems: list[str]) -> tuple[int, ...]:
    places: list[int] = []
    for name in naming.wide:
        found = _matching(header, name)
        if name == THE_REST and not found:
            places += [place for place in range(len(header)) if place not in {*taken, *places}]
        elif len(found) == 1:
            places += found
        elif found:
            problems.append(f"{len(found)} columns are called {printable(name)!r}. Rename all but one.")
        else:
            problems.append(f"There is no column {printable(name)!r}, which --wide names.")
    if naming.wide and not places and not problems:
        problems.append("--wide leaves no column for ratings.")
    return tuple(places)
