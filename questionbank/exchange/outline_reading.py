"""Outlines that people have (questionbank.exchange.outlines) -> readings, as our own files give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from questionbank.exchange.outlines import OutlineDraft, read_outline, trees_of
from questionbank.exchange.outlines import Unplaced as Left
from questionbank.exchange.outlines.reasons import REASONS
from questionbank.exchange.problems import Problem
from questionbank.exchange.readings import Reading, Unplaced


def read(data: bytes, *, file: str, format: str, limit: int, columns: Mapping[str, str] | None = None) -> Reading:
    """Read one file of any of `outlines.FORMATS`. Never raises on what is in it.

    `columns` says what columns of a table hold, by their names, where that isn't to be guessed.
    """
    return reading_of(read_outline(data, file, format=format, mapping=columns, limit=limit))


def reading_of(draft: OutlineDraft) -> Reading:
    if draft.problems:
        return Reading(draft.file, problems=tuple(draft.problems))
    made = trees_of(draft)
    unread = (Problem(draft.file, 0, "", "outline_unread", {"name": name}) for name in draft.unread)
    return Reading(
        draft.file,
        trees=tuple(made.trees),
        topics=tuple(made.topics),
        notices=(*draft.warnings, *unread),
        unplaced=tuple(_unplaced([*draft.unplaced, *made.left_out])),
        lines=made.lines,
    )


def _unplaced(left: Iterable[Left]) -> Iterable[Unplaced]:
    for one in left:
        yield Unplaced(one.text, one.line, one.where, str(REASONS[one.why]))
