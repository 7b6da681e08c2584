"""The first page after signing in: what waits for you, most urgent first. Each app adds its own part."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET

from people.http import SignedInRequest
from people.lifecycle import sections_for


@require_GET
def show(request: SignedInRequest) -> HttpResponse:
    today = date_format(
        timezone.localdate(), pgettext("date at the top of the home page, as Django writes dates", "l j F")
    )
    return render(request, "people/home.html", {"today": today, "sections": list(sections_for(request))})
