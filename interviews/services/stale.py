"""Refusing a write that builds on an old version: with what stands there now, since when, and from which device."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from interviews import log
from interviews.models import Attendance, Event
from interviews.queries.standing import HERE
from interviews.services.acting import Act
from interviews.services.refusal import Code, Refusal

ABOUT = ("asked", "tree", "evidence", "reason")


def stale(act: Act, kind: str, current: dict[str, Any]) -> Refusal:
    """`kind`: the first word of the commands that write the item; `current`: the item as it stands."""
    devices = _devices(act, _written_at(act, kind, current))
    return Refusal(
        Code.STALE, _("This was changed from another device in between."), current={**current, "devices": devices}
    )


def _written_at(act: Act, kind: str, current: dict[str, Any]) -> datetime | None:
    about = {f"data__{name}": current[name] for name in ABOUT if name in current}
    written = Event.objects.filter(
        room=act.interview.room_id,
        stream=log.mine(act.seat),
        name__startswith=f"{kind}.",
        data__version=current["version"],
        **about,
    ).exclude(cause=act.cause.command)  # this command's own event, which the refusal takes back
    return written.order_by("-seq").values_list("at", flat=True).first()


def _devices(act: Act, at: datetime | None) -> list[dict[str, str]]:
    """Those of the seat's devices that had a line at that moment; the reader knows which one is their own."""
    if at is None:
        return []
    lines = Attendance.objects.filter(
        Q(ended_at__gte=at) | Q(ended_at__isnull=True, seen_at__gte=at - HERE),
        seat=act.seat,
        started_at__lte=at,
    ).exclude(device="")
    found = dict(lines.order_by("id").values_list("device", "browser"))
    return [{"device": device, "browser": browser} for device, browser in found.items()]
