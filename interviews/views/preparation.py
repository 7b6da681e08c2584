"""The page one reads before an interview."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from interviews.queries.preparation import preparation
from interviews.views.access import prepared_interview
from people.http import SignedInRequest


@require_GET
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    page = prepared_interview(request.user, code)
    context = {"page": page, "interview": page.interview, "prepared": preparation(page)}
    return render(request, "interviews/preparation.html", context)
