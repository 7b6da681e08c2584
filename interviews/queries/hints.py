"""What hints are reckoned from: the pinned trees, what was asked, one person's own marks. Nobody else's are read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from math import isfinite
from typing import Any

from django.db.models import OuterRef, Subquery

from interviews.enums import Aid, Aim, Ended, Outcome, ProbeKind
from interviews.hints import Probe, Tree
from interviews.models import Asked, Boundary, Mark, Seat
from interviews.queries.pinned import ProbeSays
from interviews.queries.room import Pinned, RoomView
from interviews.rules import Ask, AskedAt, Ending, Pause, TreeRule, tree_times
from interviews.rules.ability import Difficulty
from questionbank.models import Probe as ProbeRow
from questionbank.models import ProbeFigures


def trees_heard(view: RoomView, seat: Seat, *, now: datetime) -> list[Tree]:
    """The pinned trees in plan order with this seat's marks on them: three queries beyond the view's."""
    marks: dict[Any, Mark] = {mark.asked_id: mark for mark in Mark.objects.written_by(seat)}
    endings: dict[int, Boundary] = {row.tree_id: row for row in Boundary.objects.written_by(seat)}
    known = _difficulties(pinned.says.version for pinned in view.pinned)
    askings: dict[str, list[tuple[Asked, Ask]]] = {pinned.says.key: [] for pinned in view.pinned}
    for row in view.asked:
        key, ask = _ask(view, row, marks.get(row.pk))
        askings[key].append((row, ask))
    left = _minutes_left(view, askings, now=now)
    return [
        Tree(
            key=pinned.says.key,
            rule=_rule(pinned),
            # A question of the lead's own has no row in the bank, and nobody hints at it.
            probes=tuple(_probe(probe, known) for probe in pinned.says.probes if probe.own is None),
            asks=tuple(ask for _row, ask in askings[pinned.says.key]),
            ended=_ending(endings.get(pinned.says.tree), askings[pinned.says.key]),
            minutes_left=left[pinned.says.key],
        )
        for pinned in view.pinned
    ]


def name_of(view: RoomView, asked: Asked) -> str:
    """What hints call an asked probe: its id."""
    _pinned, probe = view.home[asked.source]
    return probe.id


def _ask(view: RoomView, row: Asked, mark: Mark | None) -> tuple[str, Ask]:
    """An asking with the seat's mark, and the key of its tree."""
    pinned, says = view.home[row.source]
    return pinned.says.key, Ask(
        probe=says.id,
        level=says.level,
        outcome=Outcome(mark.outcome) if mark and mark.outcome else None,
        aid=Aid(mark.aid) if mark and mark.aid else None,
        scored=says.scored,
        retracted=row.retracted_at is not None,
    )


def _rule(pinned: Pinned) -> TreeRule:
    says = pinned.says
    return TreeRule(
        top_level=says.top_level,
        misses_to_end=says.misses_to_end,
        retry_unclear=says.retry_unclear,
        optional=pinned.optional,
    )


def _probe(says: ProbeSays, known: dict[int, Difficulty]) -> Probe:
    return Probe(
        id=says.id,
        parent=says.parent,
        level=says.level,
        kind=ProbeKind(says.kind),
        minutes=says.minutes,
        aims=tuple(Aim(aim) for aim in says.aims),
        scored=says.scored,
        outcomes=says.outcomes,
        difficulty=known.get(says.pk),
    )


def _ending(said: Boundary | None, asked: list[tuple[Asked, Ask]]) -> Ending | None:
    if said is None or said.ended is None:
        return None
    return Ending(Ended(said.ended), asks=sum(row.seq <= said.said_at_seq for row, _ask in asked))


def _minutes_left(
    view: RoomView, askings: dict[str, list[tuple[Asked, Ask]]], *, now: datetime
) -> dict[str, float | None]:
    """Of each tree's plan, what its asked probes have not used up by now."""
    asks = [AskedAt(key, row.made_at) for key, rows in askings.items() for row, ask in rows if not ask.retracted]
    pauses: list[Pause] = view.pauses
    used = tree_times(asks, pauses=pauses, end=view.interview.ended_at or now)
    return {
        pinned.says.key: pinned.minutes - used[pinned.says.key].total_seconds() / 60
        if pinned.says.key in used
        else pinned.minutes
        for pinned in view.pinned
    }


def _difficulties(versions: Iterable[int]) -> dict[int, Difficulty]:
    """What the calibration wrote down of these versions' probes as they are worded, by the probe's row. One query."""
    written = ProbeFigures.objects.filter(
        tree=OuterRef("version__tree"), probe_key=OuterRef("key"), content_hash=OuterRef("content_hash")
    ).exclude(difficulty={})
    rows = (
        ProbeRow.objects.filter(version__in=list(versions))
        .annotate(known=Subquery(written.values("difficulty")[:1]))
        .filter(known__isnull=False)
        .values_list("pk", "known")
    )
    return {pk: difficulty for pk, known in rows if (difficulty := read_difficulty(known)) is not None}


def read_difficulty(known: dict[str, Any]) -> Difficulty | None:
    """One difficulty from {aim: [logits, standard error]}: that of depth, which a boundary is about; else the mean of
    the others. None where nothing can be read."""
    found = [pair for aim in Aim if (pair := _pair(known.get(aim.value))) is not None]
    if not found:
        return None
    chosen = found[:1] if _pair(known.get(Aim.DEPTH.value)) else found
    return Difficulty(
        sum(logits for logits, _se in chosen) / len(chosen), sum(se for _logits, se in chosen) / len(chosen)
    )


def _pair(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    if not all(isinstance(number, int | float) and isfinite(number) for number in value):
        return None
    return float(value[0]), float(value[1])
