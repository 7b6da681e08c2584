"""The lanes of a timeline: a bar for each asking in its tree's lane, pauses across all, minutes below. Numbers only."""

from __future__ import annotations

from dataclasses import dataclass

from interviews.rendering.timeline import Course
from people.drawing import fit
from people.fields import words_in

LEFT, WIDTH, LANE, TOP = 236, 980, 24, 6
TITLE_UNITS = 32  # what fits; a wide character takes two
THINNEST = 1.5


@dataclass(frozen=True, slots=True)
class Bar:
    x: str
    width: str
    y: int
    since: int
    kind: str


@dataclass(frozen=True, slots=True)
class Lane:
    title: str
    short: str
    lang: str
    text_y: int
    rule_y: int


@dataclass(frozen=True, slots=True)
class Lanes:
    """`left`, `width`: where time stands on the x axis, for the line that shows the moment looked at."""

    height: int
    foot: int
    lanes: tuple[Lane, ...]
    bars: tuple[Bar, ...]
    pauses: tuple[tuple[str, str], ...]
    ticks: tuple[tuple[str, int], ...]
    left: int = LEFT
    width: int = WIDTH


def draw_lanes(course: Course) -> Lanes:
    span = max(1, course.ms(course.end))

    def x(ms: int) -> float:
        return LEFT + WIDTH * min(ms, span) / span

    keys = [pinned.says.key for pinned in course.told.view.pinned]
    lanes = []
    for place, pinned in enumerate(course.told.view.pinned):
        title, lang = words_in(pinned.says.title)
        y = TOP + LANE * place
        lanes.append(Lane(title, fit(title, TITLE_UNITS), lang, y + 16, y + LANE))
    stop = course.ms(course.told.view.interview.ended_at or course.end)
    starts = sorted(course.ms(question.row.made_at) for question in course.asked if question.gone_at is None)
    following = dict(zip(starts, [*starts[1:], stop], strict=False))
    bars = []
    for question in course.asked:
        since = course.ms(question.row.made_at)
        until = course.ms(question.gone_at) if question.gone_at else following[since]
        kind = "gone" if question.gone_at else "late" if question.row.late else "asked"
        width = max(x(until) - x(since) - 1, THINNEST)
        y = TOP + LANE * keys.index(question.tree) + 5 if question.tree in keys else TOP
        bars.append(Bar(f"{x(since):.1f}", f"{width:.1f}", y, since, kind))
    foot = TOP + LANE * len(keys)
    pauses = [(course.ms(pause.since), course.ms(pause.until or course.end)) for pause in course.told.view.pauses]
    return Lanes(
        height=foot + 24,
        foot=foot,
        lanes=tuple(lanes),
        bars=tuple(bars),
        pauses=tuple((f"{x(since):.1f}", f"{max(x(until) - x(since), THINNEST):.1f}") for since, until in pauses),
        ticks=tuple((f"{x(60_000 * minute):.1f}", minute) for minute in _minutes(span)),
    )


def _minutes(span: int) -> range:
    """Whole minutes for the axis, at most a dozen."""
    whole = span // 60_000
    step = next(step for step in (1, 2, 5, 10, 15, 30, 60, 120, 24 * 60, 10**9) if whole <= 12 * step)
    return range(0, whole + 1, step)
