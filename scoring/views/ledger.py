"""The reveal ledger of an application."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from people.http import SignedInRequest
from scoring.queries.ledger import ledger_for, load_ledger


@require_GET
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    application = ledger_for(request.user, code)
    context = {"application": application, "lines": load_ledger(application)}
    return render(request, "scoring/ledger.html", context)
