"""How an interviewer marks, for oneself and for who is in charge, from the nightly snapshot alone."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from people.access import for_roles
from people.enums import PersonRole
from people.http import SignedInRequest
from scoring.queries.interviewer_figures import interviewer_for, interviewers_for, load_compared
from scoring.reports.interviewer_page import draw_places, draw_ratings, draw_rows

readers = for_roles(PersonRole.INTERVIEWER, PersonRole.MANAGER, PersonRole.ADMINISTRATOR)


@require_GET
@never_cache
@readers
def show_list(request: SignedInRequest) -> HttpResponse:
    return render(request, "scoring/interviewers.html", {"people": interviewers_for(request.user)})


@require_GET
@never_cache
def show(request: SignedInRequest, code: UUID) -> HttpResponse:
    person = interviewer_for(request.user, code)
    compared = load_compared(person)
    places = draw_places(compared)
    context = {
        "person": person,
        "own": person == request.user,
        "figures": compared.own if compared.own and compared.own.applications else None,
        "group": compared.group is not None,
        "rows": draw_rows(compared),
        "ratings": draw_ratings(compared),
        "places": places,
        "calibrated": any(place.figures for place in places),
    }
    return render(request, "scoring/interviewer.html", context)
