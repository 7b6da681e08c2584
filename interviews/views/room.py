"""The live room's pages: the panel's room, the lead's controls, the candidate's view."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from interviews import log
from interviews.enums import ASKERS, JUDGES
from interviews.models import Interview, Seat
from interviews.queries.links import Browser, candidate_seat
from interviews.queries.room import mine_view, room_view
from interviews.queries.standing import streams_for
from interviews.rendering import lead_context, page_context
from interviews.rendering.context import outline_context, shared_prompt, status_context
from interviews.rendering.meters import agenda_context, meters_context, repeats_context
from interviews.sealed import in_charge
from interviews.services.panel_talk import read_chat
from interviews.views.links import candidate_language
from interviews.views.offline import KEEP_FOR
from people.answers import in_language
from people.http import SignedInRequest


def my_seat(request: SignedInRequest, code: UUID) -> Seat:
    """Fetch the reader's seat with its interview; strangers get 404, who manages it but sits elsewhere 403."""
    seat = (
        Seat.objects.filter(interview__code=code, person=request.user, removed_at__isnull=True)
        .select_related("interview__application__position", "person")
        .first()
    )
    if seat is not None:
        return seat
    if Interview.objects.filter(in_charge(request.user, "application__position"), code=code).exists():
        raise PermissionDenied
    raise Http404


def _room(interview: Interview, seat: Seat) -> dict[str, Any]:
    """Addresses, epoch and heads. Read before the state, so that what comes in between is heard again, not missed."""
    streams = streams_for(seat)
    heads = log.heads(interview.room_id, streams.values())
    return {
        "code": str(interview.code),
        "epoch": log.epoch(interview.room_id),
        "heads": {wire: heads[name] for wire, name in streams.items()},
        "socket": f"/ws/interviews/{interview.code}/",
        "now": timezone.now(),
    }


@never_cache
@require_GET
def show_room(request: SignedInRequest, code: UUID) -> HttpResponse:
    seat = my_seat(request, code)
    room = _room(seat.interview, seat) | {
        "controls": reverse("interviews:room-controls", args=[code]),
        "worker": reverse("interviews:service-worker"),
        "hint": reverse("interviews:room-hint", args=[code]) if seat.role in ASKERS else "",
        "leave": reverse("interviews:interview-list"),
        "trace": settings.DEBUG,
        "prepare": reverse("interviews:preparation", args=[code]),
    }
    view = room_view(seat.interview.room_id)
    mine = mine_view(seat) if seat.role in JUDGES else None
    context = {**page_context(view, seat, mine), **meters_context(view, seat)}
    read_chat(seat, {line["by"] for line in context["chat"]["lines"]})
    card = reverse("scoring:card", args=[seat.code]) if seat.role in JUDGES else ""
    response = render(request, "interviews/room.html", {**context, "room": room, "card_url": card})
    response[KEEP_FOR] = str(request.user.code)
    return response


@never_cache
@require_GET
def show_controls(request: SignedInRequest, code: UUID) -> HttpResponse:
    """The lead's controls as three regions, fetched after each ask and on hand-over; empty for everybody else.

    With `?trees=1`, after a change of the trees and on hand-over, the outline of all probes is a fourth.
    """
    seat = my_seat(request, code)
    view = room_view(seat.interview.room_id)
    context = {**lead_context(view, seat), **repeats_context(seat)}
    if "trees" in request.GET:
        context["outline"] = outline_context(view, seat)
    return render(request, "interviews/frames/lead_controls.html", context)


@login_not_required
@never_cache
@require_GET
def show_candidate_room(request: HttpRequest, code: UUID) -> HttpResponse:
    """What the candidate sees: the lobby, then the clock and what is shared. Their session was set by their link."""
    found = candidate_seat(request.session, code)
    if found is None or found.browser == Browser.CLOSED:
        why = "replaced" if found is not None else ""
        return render(request, "interviews/candidate_gone.html", {"why": why}, status=404)
    seat = found.link.seat
    if found.browser == Browser.WAITING:
        return redirect("interviews:candidate-wait", code=code)
    room = _room(seat.interview, seat)
    view = room_view(seat.interview.room_id)
    with translation.override(candidate_language(request, found.link)):
        context = {
            "room": room,
            "seat": {"id": str(seat.code), "role": seat.role},
            "status": status_context(view),
            "admitted": seat.admitted_at is not None,
            "shared": shared_prompt(view) if seat.admitted_at else None,
            **({"agenda": agenda_context(view)} if seat.admitted_at else {}),
            "extra_percent": view.extra_percent,
            "name": view.candidate_name,
            "starts_at": seat.interview.starts_at,
            "time_zone": seat.interview.time_zone,
            "position_title": seat.interview.application.position.title,
            "meeting_link": seat.interview.meeting_link,
        }
        return in_language(request, "interviews/candidate_room.html", context, 200)
