"""The session beside a card: when each question was asked, as lanes and as moments. Nobody's judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interviews.queries.timeline import Told
from interviews.rendering.timeline import clock, course
from interviews.rendering.timeline_drawing import Lanes, draw_lanes
from people.fields import words_in


@dataclass(frozen=True, slots=True)
class Moment:
    """One asking: its number on the timeline page, and when after the beginning, such as 12:05."""

    number: int
    at: str


@dataclass(frozen=True, slots=True)
class Session:
    """`trees`: (title, language, minutes and seconds) in words; `moments` by the asking's id."""

    lanes: Lanes
    trees: tuple[tuple[str, str, str], ...]
    moments: Mapping[str, Moment]


def draw_session(told: Told) -> Session:
    whole = course(told)
    return Session(
        lanes=draw_lanes(whole),
        trees=tuple((*words_in(pinned.says.title), clock(whole.times[pinned.says.key])) for pinned in told.view.pinned),
        moments={
            question.id: Moment(question.number, clock(whole.ms(question.row.made_at) // 1000))
            for question in whole.asked
        },
    )
