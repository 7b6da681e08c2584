"""The first page after signing in: what waits for you, most urgent first. Each app adds its own part."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from people.http import SignedInRequest
from people.lifecycle import sections_for


@require_GET
def show(request: SignedInRequest) -> HttpResponse:
    return render(request, "people/home.html", {"sections": list(sections_for(request))})
