"""The reveal ledger of an application."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers

from people.answers import wants_json
from people.http import SignedInRequest
from scoring.queries.ledger import ledger_for, load_ledger
from scoring.reports.debrief_json import ledger_json


@require_GET
@never_cache
@vary_on_headers("Accept")
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    application = ledger_for(request.user, code)
    lines = load_ledger(application)
    if wants_json(request):
        return JsonResponse(ledger_json(application, lines))
    context = {"application": application, "lines": lines}
    return render(request, "scoring/ledger.html", context)
