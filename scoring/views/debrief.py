"""The debrief of an application: its page, and opening one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from interviews import log
from people.answers import wants_json
from people.http import SignedInRequest
from people.refusal import Refused
from scoring.labels import DECISIONS, RECOMMENDATIONS
from scoring.models import Debrief
from scoring.queries.debriefs import (
    DebriefAccess,
    DebriefRoom,
    Part,
    cards_to_read,
    debrief_for,
    debrief_run_by,
    load_room,
    part_of,
)
from scoring.reports.debrief_json import debrief_json, no_debrief_json
from scoring.reports.debrief_page import own_context, shared_context
from scoring.services.debriefs import open_debrief, see_votes, take_seat


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    access = debrief_for(request.user, code)
    if access.debrief is None:
        return _none(request, access)
    take_seat(debrief=access.debrief, viewer=request.user)
    part = part_of(request.user, access.debrief)
    # Read before the state, so that what comes in between is heard again, not missed.
    room = _room(access.debrief, part)
    see_votes(debrief=part.debrief, viewers=[request.user])
    found = load_room(part.debrief)
    if wants_json(request):
        return JsonResponse(debrief_json(access.application, part, found))
    context = {"application": access.application, "room": room, **_page(request, access, part, found)}
    return render(request, "scoring/debrief.html", context)


def _none(request: SignedInRequest, access: DebriefAccess) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(no_debrief_json(access.application))
    return render(request, "scoring/debrief_none.html", {"application": access.application, "runs": access.runs})


def _page(request: SignedInRequest, access: DebriefAccess, part: Part, found: DebriefRoom) -> dict[str, Any]:
    return {
        "part": part,
        "cards": cards_to_read(request.user, access.application),
        "choices": _options(RECOMMENDATIONS),
        "decisions_of": _options(DECISIONS),
        **shared_context(found),
        **own_context(part),
    }


def _room(debrief: Debrief, part: Part) -> dict[str, Any]:
    heads = log.heads(debrief.room_id, [log.PANEL, part.mine])
    return {
        "code": str(debrief.code),
        "epoch": debrief.room.epoch,
        "heads": {log.PANEL: heads[log.PANEL], log.MINE: heads[part.mine]},
        "socket": f"/ws/debriefs/{debrief.code}/",
        "now": timezone.now(),
    }


def _options(labels: Any) -> list[dict[str, Any]]:
    return [{"value": value, "label": label} for value, label in labels.items()]


@require_POST
@never_cache
def open_room(request: SignedInRequest, code: UUID) -> HttpResponse:
    access = debrief_run_by(request.user, code)
    try:
        open_debrief(application=access.application, by=request.user)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("scoring:debrief", code=code)
