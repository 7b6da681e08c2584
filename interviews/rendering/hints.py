"""What the hint's fragment reads: the probe that tells most by one's own marks, and why. Never in a frame."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from interviews.enums import InterviewStatus, Role
from interviews.hints import Hint, rank
from interviews.models import Seat
from interviews.queries.hints import name_of, trees_heard
from interviews.queries.pinned import ProbeSays
from interviews.queries.room import Pinned, RoomView
from interviews.rendering.context import follow_context, tree_key
from interviews.sealed import RUNNING
from people.fields import words_in


def hint_context(view: RoomView, seat: Seat) -> dict[str, Any]:
    """What room/hint.html reads. No hint before the start, after the end, or once nothing tells more."""
    now = timezone.now()
    best = _best(view, seat, now) if InterviewStatus(view.interview.status) in RUNNING else None
    return {"hint": best, "may_lead": seat.role == Role.LEAD, "at": now}


def _best(view: RoomView, seat: Seat, now: datetime) -> dict[str, Any] | None:
    found = rank(trees_heard(view, seat, now=now), current=name_of(view, view.current) if view.current else "")
    here = tree_key(view, view.current) if view.current else ""
    return _drawn(view, found[0], here) if found else None


def _drawn(view: RoomView, hint: Hint, here: str) -> dict[str, Any]:
    pinned, probe = _says(view, hint)
    title, lang = words_in(pinned.says.title)
    elsewhere = hint.tree != here
    left = None if hint.minutes_left is None else max(int(hint.minutes_left), 0)
    return {
        "probe": hint.probe,
        "follow": hinted_follow(view, pinned, probe, elsewhere=elsewhere),
        "tree_title": title,
        "tree_lang": lang,
        "elsewhere": elsewhere,
        "because": hint.because.value,
        "level": hint.level,
        "floor": hint.floor,
        "aims": [aim.value for aim in hint.aims],
        "minutes": hint.minutes,
        "left": left,
        "fits": left is None or hint.minutes <= left,
    }


def hinted_follow(view: RoomView, pinned: Pinned, probe: ProbeSays, *, elsewhere: bool) -> dict[str, Any]:
    """The hint's row, as in next_one.html: with its tree where that is another one than the current, and without a
    condition where the question whose answer it is about was never asked."""
    follow = follow_context(probe)
    if elsewhere:
        follow["tree_title"], follow["tree_lang"] = words_in(pinned.says.title)
    asked = {name_of(view, row) for row in view.asked if row.retracted_at is None}
    return follow if probe.parent in asked else {**follow, "outcomes": [], "heard": ""}


def _says(view: RoomView, hint: Hint) -> tuple[Pinned, ProbeSays]:
    pinned = next(pinned for pinned in view.pinned if pinned.says.key == hint.tree)
    return pinned, next(probe for probe in pinned.says.probes if probe.id == hint.probe)
