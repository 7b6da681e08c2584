"""The page one reads before an interview, and one's own note on it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from interviews.forms.preparation import PreparationForm
from interviews.queries.preparation import preparation
from interviews.queries.reach import PREPARING
from interviews.services.preparing import NoteChanged, keep_preparation
from interviews.views.access import prepared_interview
from people.http import SignedInRequest
from people.refusal import Refused


@require_GET
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    page = prepared_interview(request.user, code)
    context = {"page": page, "interview": page.interview, "prepared": preparation(page)}
    return render(request, "interviews/preparation.html", context)


@require_POST
@never_cache
def keep(request: SignedInRequest, code: UUID) -> HttpResponse:
    """Keep one's own note; answered with the save state alone. Who has no seat that prepares has none to write."""
    page = prepared_interview(request.user, code)
    if page.mine is None or page.mine.role not in PREPARING:
        raise PermissionDenied
    form = PreparationForm(request.POST)
    if not form.is_valid():
        return _state(
            request, "refused", status=422, errors=[error for errors in form.errors.values() for error in errors]
        )
    page.mine.interview = page.interview
    try:
        note = keep_preparation(seat=page.mine, **form.values())
    except NoteChanged as changed:
        return _state(request, "stale", status=409, errors=[changed.message], saved=changed.saved)
    except Refused as refused:
        return _state(request, "refused", status=409, errors=[refused.message])
    return _state(request, "saved", note=note) if request.htmx else redirect("interviews:preparation", code=code)


def _state(request: SignedInRequest, state: str, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "interviews/preparation_state.html", {"state": state, **context}, status=status)
