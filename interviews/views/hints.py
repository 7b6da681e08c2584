"""The next-probe hint: one region, fetched by a page after its own marks were saved."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from interviews.enums import ASKERS
from interviews.queries.room import room_view
from interviews.rendering.hints import hint_context
from interviews.views.room import my_seat
from people.http import SignedInRequest


@never_cache
@require_GET
def show_hint(request: SignedInRequest, code: UUID) -> HttpResponse:
    """The reader's own hint, by their own marks; 403 for who is not hinted at."""
    seat = my_seat(request, code)
    if seat.role not in ASKERS:  # shadows are there to find out by themselves what to ask
        raise PermissionDenied
    return render(request, "interviews/room/hint.html", hint_context(room_view(seat.interview.room_id), seat))
