"""The ratings that go into a calibration: one row is one rating, told apart by integer codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from scoring.stats.arrays import Bools, Ints

NO_ANSWER = -1
"""The code of `answer` for a rating whose answer nobody else heard: it gets no answer effect."""
TOP_OF_THE_SCALE = 20
LARGEST_TABLE = 20_000_000
SHOWN_ROWS = 5
ALL = slice(None)


class RatingsError(ValueError):
    """The ratings cannot be used. `rows` are the 0-based rows at fault, in order; all of them. `message` is what was
    said without them, for whoever counts rows otherwise."""

    def __init__(self, message: str, rows: Iterable[int] = ()) -> None:
        self.message = message
        self.rows = tuple(int(row) for row in rows)
        if self.rows:
            shown = ", ".join(str(row) for row in self.rows[:SHOWN_ROWS])
            more = len(self.rows) - SHOWN_ROWS
            message = f"{message} (rows {shown}{f' and {more} more' if more > 0 else ''}, counted from 0)"
        super().__init__(message)


@dataclass(frozen=True)
class Labels:
    """What the codes stand for: `labels.candidate[code]` is the id as it was given."""

    candidate: tuple[str, ...]
    interviewer: tuple[str, ...]
    item: tuple[str, ...]
    dimension: tuple[str, ...]
    scale: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ratings:
    """n ratings as columns of integer codes, each facet's codes running from 0 without gaps.

    All arrays are (n,) int64. `rating` runs from 0 to `top[scale]`. `session` is one interview of one candidate by
    one interviewer; `answer` one answer of one candidate, heard by one interviewer or several, or NO_ANSWER.
    `column` numbers the difficulties: one for each item, dimension and scale that occur together, described by
    `column_item`, `column_dimension` and `column_scale`. Build it with `from_codes` or `from_columns`, which check.
    """

    candidate: Ints
    interviewer: Ints
    item: Ints
    dimension: Ints
    rating: Ints
    answer: Ints
    scale: Ints
    session: Ints
    top: tuple[int, ...]
    labels: Labels
    column: Ints = field(repr=False)
    column_item: Ints = field(repr=False)
    column_dimension: Ints = field(repr=False)
    column_scale: Ints = field(repr=False)

    def __len__(self) -> int:
        return len(self.rating)

    @property
    def candidates(self) -> int:
        return len(self.labels.candidate)

    @property
    def interviewers(self) -> int:
        return len(self.labels.interviewer)

    @property
    def columns(self) -> int:
        return len(self.column_item)

    def column_names(self, codes: Ints | slice = ALL) -> tuple[tuple[str, str, str], ...]:
        """What difficulties are of: (item, dimension, scale) by name, for these columns or all."""
        names = self.labels
        described = zip(self.column_item[codes], self.column_dimension[codes], self.column_scale[codes], strict=True)
        return tuple((names.item[i], names.dimension[d], names.scale[g]) for i, d, g in described)

    @cached_property
    def session_candidate(self) -> Ints:
        """The candidate of each session, (sessions,)."""
        return _of_code(self.session, self.candidate)

    @cached_property
    def session_interviewer(self) -> Ints:
        """The interviewer of each session, (sessions,)."""
        return _of_code(self.session, self.interviewer)

    @cached_property
    def answer_candidate(self) -> Ints:
        """The candidate of each answer, (answers,)."""
        heard = self.answer != NO_ANSWER
        return _of_code(self.answer[heard], self.candidate[heard])

    def repeated_rows(self) -> Ints:
        """Rows that rate again what an earlier row rated: same session, item, dimension and scale."""
        key = self.session * self.columns + self.column
        _, first = np.unique(key, return_index=True)
        again = np.ones(len(key), bool)
        again[first] = False
        return np.flatnonzero(again)

    def of_candidates(self, chosen: Bools) -> Ratings:
        """Keep the candidates in `chosen` (candidates,), see `of_rows`."""
        return self._kept(chosen[self.candidate], chosen)

    def of_rows(self, rows: Bools) -> Ratings:
        """Keep the rows in `rows` (n,). Candidates left, their sessions and answers are renumbered in their old order;
        interviewers, columns and scales keep their codes, so crossed parameters still fit."""
        left = np.zeros(self.candidates, bool)
        left[self.candidate[rows]] = True
        return self._kept(rows, left)

    def _kept(self, rows: Bools, chosen: Bools) -> Ratings:
        answer = self.answer[rows]
        heard = answer != NO_ANSWER
        answer[heard] = _renumbered(answer[heard])
        names = tuple(name for name, kept in zip(self.labels.candidate, chosen, strict=True) if kept)
        return replace(
            self,
            candidate=(np.cumsum(chosen) - 1)[self.candidate[rows]],
            interviewer=self.interviewer[rows],
            item=self.item[rows],
            dimension=self.dimension[rows],
            rating=self.rating[rows],
            answer=answer,
            scale=self.scale[rows],
            session=_renumbered(self.session[rows]),
            column=self.column[rows],
            labels=replace(self.labels, candidate=names),
        )

    @classmethod
    def from_codes(
        cls,
        candidate: npt.ArrayLike,
        interviewer: npt.ArrayLike,
        item: npt.ArrayLike,
        rating: npt.ArrayLike,
        *,
        dimension: npt.ArrayLike | None = None,
        answer: npt.ArrayLike | None = None,
        scale: npt.ArrayLike | None = None,
        interview: npt.ArrayLike | None = None,
        session: npt.ArrayLike | None = None,
        top: Sequence[int] | None = None,
        labels: Labels | None = None,
    ) -> Ratings:
        """Check integer columns and derive sessions, answers and difficulty columns.

        `answer` None gives an answer to each candidate x item that two or more interviewers rated, and none to the
        rest; an array gives codes, told apart within a candidate, negative for none. `interview` tells apart two talks
        of the same two people; `session` codes, told apart within a candidate, replace both where one talk is rated
        under two interviewer codes. `top` is the highest category of each scale; the highest that occurs by default.

        Raises RatingsError, with the rows, for anything that is not a whole number in range.
        """
        rows = np.shape(np.asarray(rating))[:1]
        size = rows[0] if rows else 0
        if not size:
            raise RatingsError("There is not one rating.")
        given = {
            "candidate": _codes("candidate", candidate, size),
            "interviewer": _codes("interviewer", interviewer, size),
            "item": _codes("item", item, size),
            "dimension": _codes("dimension", np.zeros(size) if dimension is None else dimension, size),
            "scale": _codes("scale", np.zeros(size) if scale is None else scale, size),
        }
        values = _codes("rating", rating, size)
        if labels is None:
            labels = Labels(**{name: tuple(map(str, range(codes.max() + 1))) for name, codes in given.items()})
        tops = _tops(values, given["scale"], len(labels.scale), top)
        for name, codes in given.items():
            if codes.max() >= len(getattr(labels, name)):
                raise RatingsError(f"A {name} has no label.", np.flatnonzero(codes >= len(getattr(labels, name))))
        if session is None:
            talk = np.zeros(size, np.int64) if interview is None else _codes("interview", interview, size)
            session = _pair(given["interviewer"], talk)
        sessions = _renumbered(_pair(given["candidate"], _codes("session", session, size)))
        column, first = _numbered(_pair(_pair(given["item"], given["dimension"]), given["scale"]))
        return cls(
            **given,
            rating=values,
            answer=_answers(given["candidate"], given["interviewer"], given["item"], answer),
            session=sessions,
            top=tops,
            labels=labels,
            column=column,
            column_item=given["item"][first],
            column_dimension=given["dimension"][first],
            column_scale=given["scale"][first],
        )

    @classmethod
    def from_columns(
        cls,
        candidate: Sequence[str],
        interviewer: Sequence[str],
        item: Sequence[str],
        rating: npt.ArrayLike,
        *,
        dimension: Sequence[str] | None = None,
        answer: Sequence[str] | None = None,
        scale: Sequence[str] | None = None,
        interview: Sequence[str] | None = None,
        top: dict[str, int] | None = None,
    ) -> Ratings:
        """Code columns of ids and check them, see `from_codes`. Codes follow the ids' order, not the rows'.

        An empty `answer` is none. `top` names the highest category of a scale; unnamed scales take the highest seen.
        """
        codes: dict[str, Ints] = {}
        names: dict[str, tuple[str, ...]] = {}
        for name, column in (("candidate", candidate), ("interviewer", interviewer), ("item", item)):
            codes[name], names[name] = _coded(name, column)
        for name, optional in (("dimension", dimension), ("scale", scale)):
            codes[name], names[name] = _coded(name, optional if optional is not None else [""] * len(candidate))
        answers = None
        if answer is not None:
            answers, _ = _coded("answer", answer, may_be_empty=True)
            answers[np.array([str(value) == "" for value in answer], bool)] = NO_ANSWER
        tops = [(top or {}).get(name, -1) for name in names["scale"]]
        return cls.from_codes(
            codes["candidate"],
            codes["interviewer"],
            codes["item"],
            rating,
            dimension=codes["dimension"],
            answer=answers,
            scale=codes["scale"],
            interview=None if interview is None else _coded("interview", interview)[0],
            top=tops,
            labels=Labels(**names),
        )


def _codes(name: str, column: npt.ArrayLike, size: int) -> Ints:
    array = np.asarray(column)
    if array.shape != (size,):
        raise RatingsError(f"The column {name} has {array.size} values where there are {size} ratings.")
    if array.dtype.kind not in "iufb":
        raise RatingsError(f"The column {name} holds something that is not a number.", _not_numbers(array))
    if array.dtype.kind == "f":
        bad = ~np.isfinite(array) | (array != np.floor(array))
        if bad.any():
            raise RatingsError(f"The column {name} holds what is no whole number.", np.flatnonzero(bad))
    codes = array.astype(np.int64)
    if codes.min() < 0:
        raise RatingsError(f"The column {name} is below 0.", np.flatnonzero(codes < 0))
    return codes


def _not_numbers(array: npt.NDArray[np.generic]) -> list[int]:
    rows = []
    for row, value in enumerate(array.tolist()):
        try:
            float(value)
        except (TypeError, ValueError):
            rows.append(row)
    return rows


def _coded(name: str, column: Sequence[str], *, may_be_empty: bool = False) -> tuple[Ints, tuple[str, ...]]:
    values = [str(value) for value in column]
    if not may_be_empty and name not in {"dimension", "scale"}:
        empty = [row for row, value in enumerate(values) if value == ""]
        if empty:
            raise RatingsError(f"The column {name} is empty.", empty)
    names = tuple(sorted(set(values)))
    code = {value: number for number, value in enumerate(names)}
    return np.fromiter((code[value] for value in values), np.int64, len(values)), names


def _tops(values: Ints, scale: Ints, scales: int, top: Sequence[int] | None) -> tuple[int, ...]:
    highest = np.zeros(scales, np.int64)
    np.maximum.at(highest, scale, values)
    given = [-1] * scales if top is None else list(top)
    if len(given) != scales:
        raise RatingsError(f"{len(given)} highest categories were given for {scales} scales.")
    # A scale on which only 0 occurs still has a 1 that could have been given.
    tops = tuple(max(int(seen), 1) if wanted < 0 else int(wanted) for seen, wanted in zip(highest, given, strict=True))
    if min(tops) < 1 or max(tops) > TOP_OF_THE_SCALE:
        raise RatingsError(f"A scale runs from 0 to at least 1 and at most {TOP_OF_THE_SCALE}; given: {tops}.")
    off = values > np.array(tops, np.int64)[scale]
    if off.any():
        raise RatingsError("A rating lies above the top of its scale.", np.flatnonzero(off))
    return tops


def _answers(candidate: Ints, interviewer: Ints, item: Ints, answer: npt.ArrayLike | None) -> Ints:
    if answer is None:
        place = _renumbered(_pair(candidate, item))
        heard_by = np.unique(_pair(place, interviewer)) // (interviewer.max() + 1)
        heard = np.bincount(heard_by)[place] > 1
    else:
        place = np.asarray(answer)
        heard = np.asarray(place >= 0, bool)
        place = _pair(candidate, _codes("answer", np.where(heard, place, 0), len(candidate)))
    codes = np.full(len(candidate), NO_ANSWER, np.int64)
    if heard.any():
        codes[heard] = _renumbered(place[heard])
    return codes


def _pair(left: Ints, right: Ints) -> Ints:
    return left * (int(right.max()) + 1) + right


def _numbered(key: Ints) -> tuple[Ints, Ints]:
    _, first, codes = np.unique(key, return_index=True, return_inverse=True)
    return codes.astype(np.int64, copy=False), first


def _renumbered(key: Ints) -> Ints:
    if not len(key):
        return key
    if int(key.max()) >= LARGEST_TABLE:
        return _numbered(key)[0]
    # A table of marks is several times faster than sorting a million keys.
    present = np.zeros(int(key.max()) + 1, np.int64)
    present[key] = 1
    numbers: Ints = (np.cumsum(present) - 1).take(key)
    return numbers


def _of_code(code: Ints, value: Ints) -> Ints:
    size = int(code.max()) + 1 if len(code) else 0
    found = np.zeros(size, np.int64)
    found[code] = value
    return found
