"""The calibration in use, for who is in charge: organisation-wide figures, from closed applications alone."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from people.access import for_roles
from people.enums import PersonRole
from people.http import SignedInRequest
from scoring.queries.overview import load_overview
from scoring.reports.calibration_page import calibration_report


@require_GET
@never_cache
@for_roles(PersonRole.MANAGER, PersonRole.ADMINISTRATOR)
def show(request: SignedInRequest) -> HttpResponse:
    found = load_overview(request.user)
    context = {"run": found.run, "report": calibration_report(found)} if found else {}
    return render(request, "scoring/calibration.html", context)
